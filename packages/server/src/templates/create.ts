import { randomUUID } from 'node:crypto';
import {
  bootVolumeSize,
  clusterTemplateAttributes,
  drawName,
  Fault,
  parseBody,
  usesExtensions,
  type Labels,
  type Origins,
} from '@jeroboam/domain';
import { enforce, owningProject } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { dryRun as dryRunOf, type DryRun } from '../dry-run.ts';
import { Given } from '../given.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { insertTemplate, type ClusterTemplateRow } from '../store/index.ts';
import { checkCloudReferences, checkTemplateRules, type FlavorReference } from './checks.ts';
import { composeTemplate } from './compose.ts';
import { mayPublish } from './publish.ts';

const flavorsGiven = (given: Given, bootVolume: number): FlavorReference[] =>
  ['flavor_id', 'master_flavor_id'].flatMap((field) =>
    given.has(field) ? [{ ident: given.text(field), field, bootVolume }] : [],
  );

/** Creates a cluster template out of a request body. */
export async function createTemplate(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  { body, dryRun, extended }: { body: unknown; dryRun: boolean; extended: boolean },
): Promise<ClusterTemplateRow | DryRun> {
  if (extended || usesExtensions(clusterTemplateAttributes, body))
    return composeTemplate(services, caller, cloud, { body, dryRun });
  const { options, store } = services;
  const refusals = new Refusals({ all: dryRun });
  const parsed = parseBody(clusterTemplateAttributes, body);
  const given = new Given(parsed);
  if (parsed['labels'] === null)
    throw new Fault('invalid_input', 'labels should be an object, not null.', { field: 'labels' });
  const networkDriver = given.text('network_driver') ?? options.networkDrivers.default;
  await checkTemplateRules(
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
    refusals,
  );
  const labels = given.labels('labels') ?? {};
  // Begun before the image is awaited, so that all is asked side by side; heard after it, in Magnum's order.
  const references = checkReferences(services, cloud, given, labels, refusals);
  cloud.begin(references);
  // Asked before the cloud is: a token for no project comes with no catalogue to find the cloud by.
  const projectId = owningProject(caller);
  const { distro, driver } = await driverFor(services, cloud, given, refusals);
  enforce(options.policy, caller, 'clustertemplate:create');
  await references;
  const [isPublic, hidden] = [given.flag('public') ?? false, given.flag('hidden') ?? false];
  if (isPublic || hidden) mayPublish(services, caller);

  const uuid = given.text('uuid') ?? randomUUID();
  const template = {
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
    cluster_distro: distro,
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
  };
  if (dryRun) return dryRunOf({ ...shown(template), labels }, originsOf(given, template), refusals.found);
  const row = await insertTemplate(store.database, template);
  if (row === undefined)
    throw new Fault('conflict', `A ClusterTemplate with UUID ${uuid} already exists.`, { field: 'uuid' });
  return row;
}

/** Whether the cloud has what is named. */
async function checkReferences(
  { options }: Services,
  cloud: CloudLookup,
  given: Given,
  labels: Labels,
  refusals: Refusals,
): Promise<void> {
  let bootVolume = 0;
  await refusals.check(() => {
    bootVolume = bootVolumeSize(labels, options.defaultBootVolumeSize);
  });
  await checkCloudReferences(
    cloud,
    {
      flavors: flavorsGiven(given, bootVolume),
      images: [{ ident: given.text('image_id'), field: 'image_id' }],
      externalNetwork: given.text('external_network_id'),
      fixedNetwork: given.text('fixed_network'),
      fixedSubnet: given.text('fixed_subnet'),
    },
    refusals,
  );
}

/** The image says what runs on the nodes, and may say which driver makes them. */
async function driverFor(
  { options }: Services,
  cloud: CloudLookup,
  given: Given,
  refusals: Refusals,
): Promise<{ distro: string | null; driver: string | null }> {
  let [distro, driver]: [string | null, string | null] = [null, null];
  await refusals.check(async () => {
    const image = await cloud.image(given.text('image_id'));
    distro = image.osDistro;
    driver = options.drivers.nameForTemplate(given.text('driver'), image.properties['magnum_driver'] ?? null);
  });
  return { distro, driver };
}

/** What a dry run shows: not the identity that only writing would give it. */
const shown = ({ uuid: _uuid, updated_at: _never, ...rest }: Record<string, unknown>): object => rest;

const originsOf = (given: Given, template: object): Origins =>
  Object.fromEntries(
    Object.keys(shown({ ...template })).map((name) => [
      name,
      { kind: given.has(name) ? 'request' : 'default' },
    ]),
  );
