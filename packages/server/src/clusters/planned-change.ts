import {
  clusterSpec,
  Fault,
  isDeleting,
  nodeGroupSpec,
  sameValue,
  type ClusterSpec,
  type NodeGroupSpec,
  type Origin,
  type Values,
} from '@jeroboam/domain';
import type { Transaction, UpdateObject } from 'kysely';
import { dryRun, type DryRun } from '../dry-run.ts';
import type { Services } from '../services.ts';
import type { ClusterRow, ClusterWithGroups, NodeGroupRow, Schema } from '../store/index.ts';
import { acceptChange, changeGroup } from './accept.ts';
import type { Changes } from './spec-patch.ts';

/** A group as it would be. */
export interface PlannedGroup {
  row: NodeGroupRow;
  spec: NodeGroupSpec;
  changes: Changes;
}

/** A change of a cluster and its groups, worked out on what they were when they were read. */
export interface PlannedChange {
  cluster: ClusterWithGroups;
  changes: Changes;
  /** All groups that stay, whether they change or not. */
  groups: readonly PlannedGroup[];
}

const asValues = (row: object): Values => row as Values;

const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, asValues(from)[name]]));

const clusterNames = clusterSpec.map(({ name }) => name);
const groupNames = nodeGroupSpec.map(({ name }) => name);

/** The cluster as it would be, without its groups. */
export const clusterAfter = ({ cluster, changes }: PlannedChange): ClusterSpec =>
  ({ ...pick(cluster, clusterNames), ...changes }) as unknown as ClusterSpec;

export const specOf = (row: NodeGroupRow): NodeGroupSpec => pick(row, groupNames) as unknown as NodeGroupSpec;

/** Nothing changes, but for what is given. */
export const unchanged = (cluster: ClusterWithGroups, changes: Changes = {}): PlannedChange => ({
  cluster,
  changes,
  groups: cluster.groups
    .filter((group) => !isDeleting(group.status))
    .map((row) => ({ row, spec: specOf(row), changes: {} })),
});

/** The same plan, with one group changed. */
export const withGroupChanged = (plan: PlannedChange, uuid: string, changes: Changes): PlannedChange => ({
  ...plan,
  groups: plan.groups.map((group) =>
    group.row.uuid === uuid ? { ...group, spec: { ...group.spec, ...changes }, changes } : group,
  ),
});

/** Another change of the cluster came in between. */
class Overtaken extends Error {}

/** All that a plan depends on; statuses and addresses come and go without it. */
const basis = (cluster: ClusterRow, groups: readonly NodeGroupRow[]): unknown => [
  pick(cluster, [...clusterNames, 'coe_version', 'cluster_distro']),
  groups.map((group) => ({ ...pick(group, ['uuid', ...groupNames]), deleting: isDeleting(group.status) })),
];

async function refuseOvertaken(transaction: Transaction<Schema>, planned: ClusterWithGroups): Promise<void> {
  const cluster = await transaction
    .selectFrom('cluster')
    .selectAll()
    .where('uuid', '=', planned.uuid)
    .executeTakeFirstOrThrow();
  const groups = await transaction
    .selectFrom('nodegroup')
    .selectAll()
    .where('cluster_uuid', '=', planned.uuid)
    .orderBy('id')
    .execute();
  if (!sameValue(basis(cluster, groups), basis(planned, planned.groups))) throw new Overtaken();
}

/** Maps and lists are stored as their JSON text. */
const stored = (changes: Changes): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );

/** The numbers of nodes are written to the groups; the cluster's are sums that the database keeps. */
function storedOfCluster(changes: Changes): UpdateObject<Schema, 'cluster'> {
  const { node_count: _nodes, master_count: _masters, ...own } = stored(changes);
  return own;
}

async function writePlanned(services: Services, { cluster, changes, groups }: PlannedChange): Promise<void> {
  await acceptChange(services, cluster, async (transaction) => {
    await refuseOvertaken(transaction, cluster);
    for (const group of groups.filter((each) => Object.keys(each.changes).length > 0))
      await changeGroup(transaction, group.row, stored(group.changes));
    return storedOfCluster(changes);
  });
}

const attempts = 12;
const longestPauseMs = 40;

/**
 * Plans a change and accepts it, if the cluster is still what the plan was made on; else plans anew. So every check
 * holds for what is written, although the cloud is asked without holding the cluster's row.
 */
export async function acceptPlanned(
  services: Services,
  plan: () => Promise<PlannedChange>,
): Promise<PlannedChange> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const planned = await plan();
    try {
      await writePlanned(services, planned);
      return planned;
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
    const pauseMs = Math.random() * Math.min(longestPauseMs, attempt * 5);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Fault('conflict', 'The cluster is being changed by many others at this moment. Try again.');
}

const byRequest: Origin = { kind: 'request' };

function originsOf(names: readonly string[], changes: Changes, own: Origin): Record<string, Origin> {
  const origin = (name: string): Origin => (Object.hasOwn(changes, name) ? byRequest : own);
  return Object.fromEntries(names.map((name) => [name, origin(name)]));
}

const groupOrigins = ({ row, changes }: PlannedGroup): Record<string, Origin> =>
  originsOf(groupNames, changes, { kind: 'nodegroup', uuid: row.uuid, name: row.name });

/** What the cluster and its groups would be. */
export function plannedDryRun(plan: PlannedChange, refusals: readonly Fault[]): DryRun {
  const { cluster, changes, groups } = plan;
  const sum = (some: readonly PlannedGroup[]): number =>
    some.reduce((nodes, group) => nodes + group.spec.node_count, 0);
  const resource = {
    uuid: cluster.uuid,
    ...clusterAfter(plan),
    node_count: sum(groups.filter(({ spec }) => spec.role !== 'master')),
    master_count: sum(groups.filter(({ spec }) => spec.role === 'master')),
    nodegroups: groups.map(({ row, spec }) => ({ uuid: row.uuid, ...spec })),
  };
  const names = [...new Set([...clusterNames, ...Object.keys(changes)])];
  const own: Origin = { kind: 'cluster', uuid: cluster.uuid, name: cluster.name };
  const nodegroups = Object.fromEntries(groups.map((group) => [group.row.name, groupOrigins(group)]));
  return dryRun(resource, { ...originsOf(names, changes, own), nodegroups }, refusals);
}

/** What one group would be. */
export const plannedGroupDryRun = (group: PlannedGroup, refusals: readonly Fault[]): DryRun =>
  dryRun({ uuid: group.row.uuid, ...group.spec }, groupOrigins(group), refusals);
