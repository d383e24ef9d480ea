import {
  applyPatch,
  changedAttributes,
  clusterAttributes,
  defaultWorkersName,
  Fault,
  invalidField,
  isDeleting,
  maxInteger,
  parsePatch,
  patchRules,
  type HealthStatus,
} from '@jeroboam/domain';
import type { Transaction } from 'kysely';
import { allows, enforce, wideScope } from '../access.ts';
import type { DryRun } from '../dry-run.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { nodeGroupsOf, type ClusterRow, type NodeGroupRow, type Schema } from '../store/index.ts';
import { acceptChange, beingDeleted, changeGroup } from './accept.ts';
import type { PatchRequest } from './change-attributes.ts';
import { allowsZeroNodes, zeroNodesRefused } from './create.ts';
import { groupRefusals } from './driver-refusals.ts';
import { findCluster } from './find.ts';
import { defaultWorkers } from './find-node-group.ts';
import { plannedDryRun, unchanged, withGroupChanged } from './planned-change.ts';

const rules = patchRules({
  internal: [
    'api_address',
    'node_addresses',
    'master_addresses',
    'stack_id',
    'cluster_id',
    'ca_cert_ref',
    'magnum_cert_ref',
    'etcd_ca_cert_ref',
    'front_proxy_ca_cert_ref',
  ],
  notRemovable: ['cluster_template_id'],
  literals: ['labels', 'health_status_reason'],
});

const changeable = new Set(['node_count', 'health_status', 'health_status_reason']);

/** Magnum's attributes, without those that are only for requests. */
const magnumNames = clusterAttributes.attributes
  .filter(({ name, extension }) => extension !== true && name !== 'merge_labels')
  .map(({ name }) => name);

/** The cluster as Magnum's PATCH sees it. */
const patchDocument = (cluster: ClusterRow): Record<string, unknown> =>
  Object.fromEntries(
    magnumNames.map((name) => [name, (cluster as unknown as Record<string, unknown>)[name] ?? null]),
  );

interface ClusterChanges {
  nodeCount: number | null;
  health: { health_status?: HealthStatus | null; health_status_reason?: string };
}

function readChanges(cluster: ClusterRow, body: unknown, minor: number): ClusterChanges {
  const before = patchDocument(cluster);
  const operations = parsePatch(body, rules);
  const after = applyPatch(before, operations, rules);
  const changed = changedAttributes(clusterAttributes, before, after);
  const forbidden = Object.keys(changed)
    .filter((name) => !changeable.has(name))
    .toSorted();
  if (forbidden.length > 0) {
    throw new Fault('invalid_input', `cannot change cluster property(ies) ${forbidden.join(', ')}.`, {
      field: forbidden[0] ?? '',
    });
  }
  const asked = operations.some(({ path }) => path === '/node_count');
  // As the table reads it (true is 1); a count that the groups have together already is not read again.
  const counted = Object.hasOwn(changed, 'node_count') ? changed['node_count'] : after['node_count'];
  const nodeCount = (counted as number | undefined) ?? 1;
  if (asked && nodeCount > maxInteger)
    throw invalidField('node_count', nodeCount, `Value should be lower or equal to ${maxInteger}`);
  if (nodeCount === 0 && asked && !allowsZeroNodes(minor)) throw zeroNodesRefused();
  const health: ClusterChanges['health'] = {};
  if (Object.hasOwn(changed, 'health_status'))
    health.health_status = (changed['health_status'] as HealthStatus | undefined) ?? null;
  if (Object.hasOwn(changed, 'health_status_reason'))
    health.health_status_reason = JSON.stringify(changed['health_status_reason'] ?? {});
  return { nodeCount: asked ? nodeCount : null, health };
}

/** Changes a cluster as Magnum's PATCH may: the number of default workers, and what a healer reports. */
export async function patchCluster(
  services: Services,
  caller: Caller,
  ident: string,
  { body, minor, dryRun }: PatchRequest,
): Promise<{ uuid: string } | DryRun> {
  const { options, store } = services;
  // A malformed patch is refused before anything is looked up.
  parsePatch(body, rules);
  const cluster = await findCluster(
    store.pool,
    ident,
    wideScope(options.policy, caller, 'cluster:update_all_projects'),
  );
  const refusals = new Refusals({ all: dryRun });
  let changes: ClusterChanges = { nodeCount: null, health: {} };
  await refusals.check(() => {
    changes = readChanges(cluster, body, minor);
  });
  const { nodeCount, health } = changes;
  const own = { project_id: caller.projectId, user_id: caller.userId };
  const healthOnly = nodeCount === null && Object.keys(health).length > 0;
  // Who may do nothing but report health, such as a healer with few rights, needs no right to update.
  if (!(healthOnly && allows(options.policy, caller, 'cluster:update_health_status', own))) {
    enforce(options.policy, caller, 'cluster:update', cluster);
  }
  if (healthOnly && !dryRun) {
    await store.database
      .updateTable('cluster')
      .set({ ...health, updated_at: new Date().toISOString() })
      .where('uuid', '=', cluster.uuid)
      .execute();
    return { uuid: cluster.uuid };
  }
  await refusals.check(() => {
    if (isDeleting(cluster.status) && !healthOnly) throw beingDeleted(cluster, 'Updating');
  });
  let workers: NodeGroupRow | null = null;
  await refusals.check(async () => {
    const instead = `change node_count of a group with the action resize, and name it in nodegroup`;
    if (nodeCount !== null) workers = await defaultWorkers(store.pool, cluster, instead);
  });
  const change = { node_count: nodeCount ?? 1 };
  // What a closure sets is not known to the compiler outside of it.
  const group = workers as NodeGroupRow | null;
  if (group !== null) refusals.add(await groupRefusals(services, cluster, group, change));
  if (dryRun) return plainDryRun(services, cluster, changes, refusals.found);
  const write = async (transaction: Transaction<Schema>): Promise<typeof health> => {
    if (group !== null) await changeGroup(transaction, group, change);
    return health;
  };
  const summary =
    group === null
      ? 'The change of the cluster'
      : `The resize of ${group.name} from ${group.node_count} to ${change.node_count} nodes`;
  await acceptChange(services, cluster, write, { detail: { summary }, caller });
  return { uuid: cluster.uuid };
}

async function plainDryRun(
  { store }: Services,
  cluster: ClusterRow,
  { nodeCount, health }: ClusterChanges,
  refusals: readonly Fault[],
): Promise<DryRun> {
  const groups = await nodeGroupsOf(store.pool, cluster.uuid);
  const { health_status_reason: reason, ...status } = health;
  const said = reason === undefined ? status : { ...status, health_status_reason: JSON.parse(reason) };
  const counted = nodeCount === null ? {} : { node_count: nodeCount };
  const plan = unchanged({ ...cluster, groups }, { ...said, ...counted });
  const workers = groups.find(({ name }) => name === defaultWorkersName);
  return plannedDryRun(
    workers === undefined ? plan : withGroupChanged(plan, workers.uuid, counted),
    refusals,
  );
}
