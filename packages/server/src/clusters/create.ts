import { randomUUID } from 'node:crypto';
import {
  bootVolumeSize,
  checkStorageDriver,
  clusterAttributes,
  drawName,
  Fault,
  groupField,
  invalidField,
  isSameVersion,
  parseBody,
  usesExtensions,
  type Driver,
  type NodeGroupSpec,
  type Parsed,
  type ResolvedCluster,
} from '@jeroboam/domain';
import { enforce, ownScope, owningProject } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import { clusterDryRun, type DryRun } from '../dry-run.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { refuseHidden } from '../sources/refused.ts';
import { readClusterSources, type Sources } from '../sources/read.ts';
import type { TemplateWithGroups } from '../store/index.ts';
import { checkCloudReferences, checkTemplateRules, type CloudReferences } from '../templates/checks.ts';
import { findTemplateForUse } from '../templates/find.ts';
import { initiatedBy } from './accept.ts';
import { driverRefusals } from './driver-refusals.ts';
import { insertCluster, newDesired, type NewCluster } from './insert.ts';
import { checkQuota } from './quota.ts';
import { resolveClusterRequest, resolveSettings } from './resolve-request.ts';

/** The first microversion that knows groups without nodes, and that misses a template with 404. */
const zeroNodesMinor = 10;

export const zeroNodesRefused = (): Fault =>
  new Fault('not_supported', 'Resizing a nodegroup to zero is not supported in the provided microversion.', {
    field: 'node_count',
  });

export const allowsZeroNodes = (minor: number): boolean => minor >= zeroNodesMinor;

async function templateFor(
  services: Services,
  caller: Caller,
  parsed: Parsed,
  minor: number,
): Promise<TemplateWithGroups> {
  try {
    return await findTemplateForUse(services.store.pool, parsed['cluster_template_id'], ownScope(caller));
  } catch (error) {
    if (error instanceof Fault && error.kind === 'not_found' && minor < zeroNodesMinor) {
      throw new Fault('not_found', error.message, {
        status: 400,
        field: 'cluster_template_id',
        cause: error,
      });
    }
    throw error;
  }
}

/** How a request is to be read. */
export interface CreateRequest {
  body: unknown;
  minor: number;
  /** It was sent in the media type of the extensions. */
  extended: boolean;
  dryRun: boolean;
}

/** Creates a cluster: all checks first, then cluster, groups and the work itself in one transaction. */
export async function createCluster(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  { body, minor, dryRun, ...request }: CreateRequest,
): Promise<{ uuid: string } | DryRun> {
  const { options } = services;
  const extended = request.extended || usesExtensions(clusterAttributes, body);
  const parsed = parseBody(clusterAttributes, body, { mandatory: !extended });
  if (parsed['master_count'] === null && !extended)
    throw invalidField('master_count', null, 'Value should be an integer');
  if (parsed['node_count'] === 0 && !allowsZeroNodes(minor)) throw zeroNodesRefused();
  if (extended) enforce(options.policy, caller, 'cluster:create');
  const sources: Sources = extended
    ? await readClusterSources(services, caller, parsed)
    : { template: await templateFor(services, caller, parsed, minor), cluster: null, groups: null };
  const resolved = resolveClusterRequest(parsed, sources, extended, resolveSettings(options));
  // Magnum knows no template without an image and has no words for what such a one leaves open.
  const isOpen = resolved.spec.image_id === null;
  const refusals = new Refusals({ all: extended || dryRun || isOpen });
  if (extended || isOpen) refusals.add(resolved.problems);

  const { distro, driver } = await chosenDriver(services, cloud, sources, resolved, refusals);
  await refusals.check(() =>
    checkStorageDriver(resolved.spec.docker_storage_driver, resolved.spec.docker_volume_size),
  );
  refusals.add(sizeRefusals(driver, resolved.spec.master_count));
  enforce(options.policy, caller, 'cluster:create');
  const projectId = owningProject(caller);
  await refusals.check(() => checkQuota(services.store.database, projectId, options.maxClustersPerProject));
  if (sources.template !== null) refuseHidden(sources.template, caller, 'cluster_template_id');
  if (extended) await checkTemplateRules(resolved.spec, options.networkDrivers, refusals);
  await checkCloud(cloud, resolved, options.defaultBootVolumeSize, refusals);
  refusals.add(resolved.problems);
  const planned: NewCluster = {
    uuid: randomUUID(),
    name: resolved.spec.name ?? drawName('cluster', Math.random),
    projectId,
    userId: caller.userId,
    template: sources.template,
    resolved,
    distro,
    driver: driver?.name ?? null,
  };
  if (driver !== null && !isOpen)
    refusals.add(await driverRefusals(services, driver, { before: null, after: newDesired(planned) }));

  if (dryRun) return clusterDryRun({ ...resolved, driver: driver?.name ?? null }, refusals.found);
  refusals.settle();
  const { row, groups } = await insertCluster(services, planned);
  const told = { action: 'CREATE', outcome: 'pending', cluster: row, groups } as const;
  services.notifications.tell({ ...told, ...initiatedBy(caller) });
  return { uuid: planned.uuid };
}

/** The driver that will make the cluster. A source that boots the same image knows the system; else the image does. */
async function chosenDriver(
  { options }: Services,
  cloud: CloudLookup,
  { template, cluster }: Sources,
  { spec, origins }: ResolvedCluster,
  refusals: Refusals,
): Promise<{ distro: string | null; driver: Driver | null }> {
  const source = [template, cluster].find(
    (known) => known !== null && known.image_id === spec.image_id && known.cluster_distro !== null,
  );
  let distro = source?.cluster_distro ?? null;
  let driver: Driver | null = null;
  await refusals.check(async () => {
    const needsImage = distro === null || spec.driver === null;
    const image = needsImage && spec.image_id !== null ? await cloud.image(spec.image_id) : null;
    distro ??= image?.osDistro ?? null;
    if (spec.image_id === null) return;
    const type = { serverType: spec.server_type, os: distro ?? '', coe: spec.coe };
    const name =
      spec.driver ?? (image === null ? null : options.drivers.nameForTemplate(null, magnumDriver(image)));
    options.drivers.providing(type);
    // A driver that is asked for by name must be there; one that a source remembers may have been retired.
    const isAskedFor = origins['driver']?.kind === 'request' && name !== null;
    driver = isAskedFor ? options.drivers.named(name) : options.drivers.forCluster(name, type);
  });
  return { distro, driver };
}

const magnumDriver = (image: { properties: Readonly<Record<string, string>> }): string | null =>
  image.properties['magnum_driver'] ?? null;

function sizeRefusals(driver: Driver | null, masters: number): Fault[] {
  const refusal = driver?.validateMasterSize(masters) ?? null;
  return refusal === null ? [] : [new Fault('not_supported', refusal, { field: 'master_count' })];
}

/** Whether the cloud has what the cluster and its groups name, and whether the image runs what is asked for. */
async function checkCloud(
  cloud: CloudLookup,
  { spec, groups }: ResolvedCluster,
  defaultBootVolumeSize: number,
  refusals: Refusals,
): Promise<void> {
  const [masters, ...workers] = groups.map((group) => group.spec);
  // Workers first, as Magnum asks: its default group, then the control plane, then all others.
  const [first, ...others] = workers;
  const ordered = [first, masters, ...others].filter((group) => group !== undefined);
  const bootVolume = (group: NodeGroupSpec): number =>
    group.root_volume?.size ?? bootVolumeSize(group.labels, defaultBootVolumeSize);
  let flavors: CloudReferences['flavors'] = [];
  await refusals.check(() => {
    flavors = ordered.map((group) => ({
      ident: group.flavor_id,
      field: flavorField(group),
      bootVolume: bootVolume(group),
    }));
  });
  const otherImages = groups.filter((group) => group.spec.image_id !== spec.image_id);
  await checkCloudReferences(
    cloud,
    {
      // What is missing was said in better words already.
      flavors: refusals.found.length > 0 ? flavors.filter(({ ident }) => ident !== null) : flavors,
      images: [
        ...(spec.image_id === null ? [] : [{ ident: spec.image_id, field: 'image_id' }]),
        ...otherImages
          .filter((group) => group.spec.image_id !== null)
          .map((group) => ({
            ident: group.spec.image_id,
            field: groupField(group.spec.name, 'image_id'),
          })),
      ],
      externalNetwork: spec.external_network_id,
      fixedNetwork: spec.fixed_network,
      fixedSubnet: spec.fixed_subnet,
      keypair: spec.keypair,
      networks: groups.flatMap((group) =>
        group.spec.networks.map((network) => ({
          ...network,
          field: groupField(group.spec.name, 'networks'),
        })),
      ),
    },
    refusals,
  );
  for (const group of groups) await checkVersion(cloud, group.spec, refusals);
}

function flavorField(group: NodeGroupSpec): string {
  if (group.name === 'default-worker') return 'flavor_id';
  return group.name === 'default-master' ? 'master_flavor_id' : groupField(group.name, 'flavor_id');
}

/** An image that says which Kubernetes it holds cannot run another. */
export async function checkVersion(
  cloud: CloudLookup,
  group: Pick<NodeGroupSpec, 'name' | 'image_id' | 'kubernetes_version'>,
  refusals: Refusals,
): Promise<void> {
  const { image_id: ident, kubernetes_version: version } = group;
  if (ident === null || version === null) return;
  const image = await cloud.image(ident).catch((error: unknown) => {
    // It was complained about already.
    if (error instanceof Fault && error.status < 500) return null;
    throw error;
  });
  const held = image?.properties['kube_version'];
  if (held === undefined || isSameVersion(held, version)) return;
  const message = `kubernetes_version of ${group.name} is ${version}, but the image ${ident} holds ${held}: give an image of that version, or leave the version to the image.`;
  refusals.add([
    new Fault('invalid_input', message, { field: groupField(group.name, 'kubernetes_version') }),
  ]);
}
