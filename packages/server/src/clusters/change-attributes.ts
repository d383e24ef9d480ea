import {
  clusterAttributes,
  clusterDraftOf,
  clusterSpec,
  controlPlaneName,
  defaultWorkersName,
  draftOf,
  emptyClusterDraft,
  Fault,
  isDeleting,
  parsePatch,
  resolveCluster,
  type Attribute,
  type NodeGroupSpec,
  type PatchOperation,
  type Values,
} from '@jeroboam/domain';
import { enforce, wideScope } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import type { DryRun } from '../dry-run.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import type { ClusterWithGroups } from '../store/index.ts';
import { beingDeleted } from './accept.ts';
import { checkPlanned, fieldInCluster } from './check-planned.ts';
import { findClusterWithGroups } from './find.ts';
import { noDefaultWorkers } from './find-node-group.ts';
import { acceptPlanned, plannedDryRun, specOf, unchanged, type PlannedChange } from './planned-change.ts';
import { clusterDraft, resolveSettings } from './resolve-request.ts';
import { differing, isAbout, patchedSpec, readSpecPatch, standardValue } from './spec-patch.ts';

const patched = patchedSpec(clusterAttributes, clusterSpec, { besides: ['nodegroups'] });

/** How a PATCH is to be read. */
export interface PatchRequest {
  body: unknown;
  minor: number;
  dryRun: boolean;
}

/**
 * Changes any attribute of a cluster that can be changed. What it says of nodes is said to its default groups and to all
 * groups that follow it.
 */
export async function changeClusterAttributes(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  ident: string,
  { body, minor, dryRun }: PatchRequest,
): Promise<{ uuid: string } | DryRun> {
  const { options, store } = services;
  const operations = parsePatch(body, patched.rules);
  const scope = wideScope(options.policy, caller, 'cluster:update_all_projects');

  const plan = async (refusals: Refusals): Promise<PlannedChange> => {
    const cluster = await findClusterWithGroups(store.pool, ident, scope);
    enforce(options.policy, caller, 'cluster:update', cluster);
    if (isDeleting(cluster.status)) {
      refusals.add([beingDeleted(cluster, 'Updating')]);
      return unchanged(cluster);
    }
    const planned = await planChange(services, cluster, operations, refusals);
    await checkPlanned(planned, { services, cloud, minor, refusals, fieldOf: fieldInCluster });
    return withDistro(services, cloud, planned, refusals);
  };

  if (dryRun) {
    const refusals = new Refusals({ all: true });
    return plannedDryRun(await plan(refusals), refusals.found);
  }
  const { cluster } = await acceptPlanned(services, async () => {
    const refusals = new Refusals({ all: true });
    const planned = await plan(refusals);
    refusals.settleChange();
    return planned;
  });
  return { uuid: cluster.uuid };
}

/** What can only be said elsewhere is refused here; the rest is read on. */
function patchable(
  cluster: ClusterWithGroups,
  operations: readonly PatchOperation[],
  hasWorkers: boolean,
  refusals: Refusals,
): PatchOperation[] {
  const groups = `/v1/clusters/${cluster.uuid}/nodegroups`;
  if (operations.some((operation) => isAbout(operation, 'nodegroups'))) {
    const message = `nodegroups cannot be changed through the cluster. Use POST ${groups}, and PATCH or DELETE ${groups}/{name}.`;
    refusals.add([new Fault('conflict', message, { field: 'nodegroups' })]);
  }
  const counts = operations.some((operation) => isAbout(operation, 'node_count'));
  if (counts && !hasWorkers)
    refusals.add([
      noDefaultWorkers(cluster.name, `change node_count of a group with PATCH ${groups}/{name}`),
    ]);
  return operations.filter(
    (operation) => !isAbout(operation, 'nodegroups') && (hasWorkers || !isAbout(operation, 'node_count')),
  );
}

/** Works a patch out, as the creation of a cluster from this very cluster would be worked out. */
async function planChange(
  { options }: Services,
  cluster: ClusterWithGroups,
  operations: readonly PatchOperation[],
  refusals: Refusals,
): Promise<PlannedChange> {
  const stay = unchanged(cluster).groups;
  const countOf = (name: string): number | null =>
    stay.find(({ row }) => row.name === name)?.row.node_count ?? null;
  const settings = resolveSettings(options);
  // The numbers in the row are sums over groups; the attributes are the numbers of the default ones.
  const before: Values = {
    ...Object.fromEntries(clusterSpec.map(({ name }) => [name, (cluster as unknown as Values)[name]])),
    node_count: countOf(defaultWorkersName),
    master_count: countOf(controlPlaneName),
  };
  const hasWorkers = countOf(defaultWorkersName) !== null;
  const given = await readSpecPatch(
    patched,
    before,
    patchable(cluster, operations, hasWorkers, refusals),
    (attribute: Attribute) => settings.defaults?.[attribute.name] ?? standardValue(attribute),
    refusals,
  );
  const source = clusterDraft(cluster);
  const resolved = resolveCluster([source], clusterDraftOf(draftOf(given, { kind: 'request' })), settings);
  // What stood in the way before the request is not its doing.
  const known = new Set(
    resolveCluster([source], emptyClusterDraft, settings).problems.map(({ message }) => message),
  );
  refusals.add(resolved.problems.filter(({ message }) => !known.has(message)));
  const specs = new Map(resolved.groups.map(({ spec }) => [spec.name, spec]));
  return {
    cluster,
    changes: differing(before, given),
    groups: stay.map(({ row }) => {
      const spec: NodeGroupSpec = specs.get(row.name) ?? specOf(row);
      return { row, spec, changes: differing(row, spec as unknown as Values) };
    }),
  };
}

/** Another image may hold another system, which some driver has to provide. */
async function withDistro(
  { options }: Services,
  cloud: CloudLookup,
  planned: PlannedChange,
  refusals: Refusals,
): Promise<PlannedChange> {
  const { cluster, changes } = planned;
  const image = changes['image_id'];
  if (typeof image !== 'string') return planned;
  let distro = cluster.cluster_distro;
  await refusals.check(async () => {
    distro = (await cloud.image(image)).osDistro;
    options.drivers.providing({ serverType: cluster.server_type, os: distro ?? '', coe: cluster.coe });
  });
  return { ...planned, changes: { ...changes, cluster_distro: distro } };
}
