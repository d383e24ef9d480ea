import { randomUUID } from 'node:crypto';
import {
  clusterTemplateAttributes,
  drawName,
  Fault,
  parseBody,
  type Labels,
  type Parsed,
} from '@jeroboam/domain';
import { allows, enforce, owningProject } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import { insertTemplate, type ClusterTemplateRow } from '../store/index.ts';
import { checkCloudReferences, checkTemplateRules } from './checks.ts';

/** null and absent alike become null. */
const text = (parsed: Parsed, name: string): string | null =>
  (parsed[name] as string | null | undefined) ?? null;
const number = (parsed: Parsed, name: string): number | null =>
  (parsed[name] as number | null | undefined) ?? null;
const flag = (parsed: Parsed, name: string, fallback: boolean): boolean =>
  (parsed[name] as boolean | null | undefined) ?? fallback;

const flavorsGiven = (parsed: Parsed): { ident: string | null; field: string }[] =>
  ['flavor_id', 'master_flavor_id'].flatMap((field) =>
    Object.hasOwn(parsed, field) ? [{ ident: text(parsed, field), field }] : [],
  );

/** Creates a cluster template out of a request body. */
export async function createTemplate(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  body: unknown,
): Promise<ClusterTemplateRow> {
  const { options, store } = services;
  const parsed = parseBody(clusterTemplateAttributes, body);
  if (parsed['labels'] === null)
    throw new Fault('invalid_input', 'labels should be an object, not null.', { field: 'labels' });
  const networkDriver = text(parsed, 'network_driver') ?? options.networkDrivers.default;
  checkTemplateRules(
    {
      coe: parsed['coe'],
      server_type: parsed['server_type'],
      network_driver: networkDriver,
      volume_driver: text(parsed, 'volume_driver'),
      docker_storage_driver: text(parsed, 'docker_storage_driver'),
      docker_volume_size: number(parsed, 'docker_volume_size'),
      dns_nameserver: text(parsed, 'dns_nameserver'),
    },
    options.networkDrivers,
  );
  const image = await cloud.image(text(parsed, 'image_id'));
  const driver = options.drivers.nameForTemplate(
    text(parsed, 'driver'),
    image.properties['magnum_driver'] ?? null,
  );
  enforce(options.policy, caller, 'clustertemplate:create');
  const labels = (parsed['labels'] as Labels | undefined) ?? {};
  await checkCloudReferences(
    cloud,
    {
      image: text(parsed, 'image_id'),
      flavors: flavorsGiven(parsed),
      externalNetwork: text(parsed, 'external_network_id'),
      fixedNetwork: text(parsed, 'fixed_network'),
      fixedSubnet: text(parsed, 'fixed_subnet'),
      keypair: null,
      labels,
    },
    options.defaultBootVolumeSize,
  );
  const [isPublic, hidden] = [flag(parsed, 'public', false), flag(parsed, 'hidden', false)];
  if (isPublic || hidden) mayPublish(services, caller);

  const uuid = text(parsed, 'uuid') ?? randomUUID();
  const row = await insertTemplate(store.database, {
    uuid,
    name: text(parsed, 'name') ?? drawName('template', Math.random),
    project_id: owningProject(caller),
    user_id: caller.userId,
    coe: 'kubernetes',
    image_id: text(parsed, 'image_id') ?? '',
    flavor_id: text(parsed, 'flavor_id'),
    master_flavor_id: text(parsed, 'master_flavor_id'),
    dns_nameserver: text(parsed, 'dns_nameserver'),
    keypair_id: text(parsed, 'keypair_id'),
    external_network_id: text(parsed, 'external_network_id'),
    fixed_network: text(parsed, 'fixed_network'),
    fixed_subnet: text(parsed, 'fixed_subnet'),
    network_driver: networkDriver,
    apiserver_port: number(parsed, 'apiserver_port'),
    docker_volume_size: number(parsed, 'docker_volume_size'),
    docker_storage_driver: text(parsed, 'docker_storage_driver'),
    cluster_distro: image.osDistro,
    http_proxy: text(parsed, 'http_proxy'),
    https_proxy: text(parsed, 'https_proxy'),
    no_proxy: text(parsed, 'no_proxy'),
    volume_driver: text(parsed, 'volume_driver'),
    registry_enabled: flag(parsed, 'registry_enabled', false),
    labels: JSON.stringify(labels),
    tls_disabled: flag(parsed, 'tls_disabled', false),
    public: isPublic,
    server_type: text(parsed, 'server_type') ?? 'vm',
    insecure_registry: text(parsed, 'insecure_registry'),
    master_lb_enabled: flag(parsed, 'master_lb_enabled', false),
    floating_ip_enabled: flag(parsed, 'floating_ip_enabled', true),
    hidden,
    tags: text(parsed, 'tags'),
    driver,
    updated_at: null,
  });
  if (row === undefined)
    throw new Fault('conflict', `A ClusterTemplate with UUID ${uuid} already exists.`, { field: 'uuid' });
  return row;
}

/** Showing a template to everybody, or hiding one, is for those whom policy trusts with it. */
export function mayPublish({ options }: Services, caller: Caller): void {
  const own = { project_id: caller.projectId, user_id: caller.userId };
  if (allows(options.policy, caller, 'clustertemplate:publish', own)) return;
  throw new Fault('forbidden', 'Not authorized to set public or hidden flag for cluster template.', {
    field: 'public',
  });
}
