import { randomUUID } from 'node:crypto';
import { clusterTemplateAttributes, drawName, Fault, parseBody } from '@jeroboam/domain';
import { allows, enforce, owningProject } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { Given } from '../given.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import { insertTemplate, type ClusterTemplateRow } from '../store/index.ts';
import { checkCloudReferences, checkTemplateRules } from './checks.ts';

const flavorsGiven = (given: Given): { ident: string | null; field: string }[] =>
  ['flavor_id', 'master_flavor_id'].flatMap((field) =>
    given.has(field) ? [{ ident: given.text(field), field }] : [],
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
  const given = new Given(parsed);
  if (parsed['labels'] === null)
    throw new Fault('invalid_input', 'labels should be an object, not null.', { field: 'labels' });
  const networkDriver = given.text('network_driver') ?? options.networkDrivers.default;
  checkTemplateRules(
    {
      coe: parsed['coe'],
      server_type: parsed['server_type'],
      network_driver: networkDriver,
      volume_driver: given.text('volume_driver'),
      docker_storage_driver: given.text('docker_storage_driver'),
      docker_volume_size: given.number('docker_volume_size'),
      dns_nameserver: given.text('dns_nameserver'),
    },
    options.networkDrivers,
  );
  const labels = given.labels('labels') ?? {};
  // Begun before the image is awaited, so that all is asked side by side; heard after it, in Magnum's order.
  const references = checkCloudReferences(
    cloud,
    {
      image: given.text('image_id'),
      flavors: flavorsGiven(given),
      externalNetwork: given.text('external_network_id'),
      fixedNetwork: given.text('fixed_network'),
      fixedSubnet: given.text('fixed_subnet'),
      keypair: null,
      labels,
    },
    options.defaultBootVolumeSize,
  );
  cloud.begin(references);
  // Asked before the cloud is: a token for no project comes with no catalogue to find the cloud by.
  const projectId = owningProject(caller);
  const image = await cloud.image(given.text('image_id'));
  const driver = options.drivers.nameForTemplate(
    given.text('driver'),
    image.properties['magnum_driver'] ?? null,
  );
  enforce(options.policy, caller, 'clustertemplate:create');
  await references;
  const [isPublic, hidden] = [given.flag('public') ?? false, given.flag('hidden') ?? false];
  if (isPublic || hidden) mayPublish(services, caller);

  const uuid = given.text('uuid') ?? randomUUID();
  const row = await insertTemplate(store.database, {
    uuid,
    name: given.text('name') ?? drawName('template', Math.random),
    project_id: projectId,
    user_id: caller.userId,
    coe: 'kubernetes',
    image_id: given.text('image_id') ?? '',
    flavor_id: given.text('flavor_id'),
    master_flavor_id: given.text('master_flavor_id'),
    dns_nameserver: given.text('dns_nameserver'),
    keypair_id: given.text('keypair_id'),
    external_network_id: given.text('external_network_id'),
    fixed_network: given.text('fixed_network'),
    fixed_subnet: given.text('fixed_subnet'),
    network_driver: networkDriver,
    apiserver_port: given.number('apiserver_port'),
    docker_volume_size: given.number('docker_volume_size'),
    docker_storage_driver: given.text('docker_storage_driver'),
    cluster_distro: image.osDistro,
    http_proxy: given.text('http_proxy'),
    https_proxy: given.text('https_proxy'),
    no_proxy: given.text('no_proxy'),
    volume_driver: given.text('volume_driver'),
    registry_enabled: given.flag('registry_enabled') ?? false,
    labels: JSON.stringify(labels),
    tls_disabled: given.flag('tls_disabled') ?? false,
    public: isPublic,
    server_type: given.text('server_type') ?? 'vm',
    insecure_registry: given.text('insecure_registry'),
    master_lb_enabled: given.flag('master_lb_enabled') ?? false,
    floating_ip_enabled: given.flag('floating_ip_enabled') ?? true,
    hidden,
    tags: given.text('tags'),
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
