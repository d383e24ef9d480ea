import {
  applyPatch,
  changedAttributes,
  checkBounds,
  checkNodeLabels,
  checkNodeTaints,
  Fault,
  isDeleting,
  nodeGroupAttributes,
  parsePatch,
  patchRules,
  type Labels,
  type PatchOperation,
} from '@jeroboam/domain';
import type { Transaction } from 'kysely';
import { enforce, ownScope } from '../access.ts';
import type { DryRun } from '../dry-run.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import type { ClusterRow, NodeGroupRow, Schema } from '../store/index.ts';
import { acceptChange, beingDeleted, changeGroup } from './accept.ts';
import { groupRefusals } from './driver-refusals.ts';
import { findCluster } from './find.ts';
import { findNodeGroup } from './find-node-group.ts';
import { plannedGroupDryRun, specOf } from './planned-change.ts';

const rules = patchRules({
  internal: [
    'cluster_id',
    'docker_volume_size',
    'flavor_id',
    'image_id',
    'is_default',
    'labels',
    'labels_added',
    'labels_overridden',
    'labels_skipped',
    'merge_labels',
    'name',
    'node_addresses',
    'node_count',
    'role',
    'stack_id',
    'status',
    'status_reason',
    'version',
  ],
  literals: ['node_labels', 'node_taints'],
});

const extensions = new Set(
  nodeGroupAttributes.attributes.filter(({ extension }) => extension === true).map(({ name }) => name),
);

type GroupChange = Partial<
  Pick<NodeGroupRow, 'min_node_count' | 'max_node_count' | 'node_labels' | 'node_taints'>
>;

/** What a patch changes of a group, in the order in which Magnum minds it. */
async function readChange(
  group: NodeGroupRow,
  operations: readonly PatchOperation[],
  refusals: Refusals,
): Promise<GroupChange> {
  const { name, role } = group;
  const before = Object.fromEntries(
    Object.entries(group).filter(([attribute]) => !extensions.has(attribute)),
  );
  let changed: Record<string, unknown> = {};
  await refusals.check(() => {
    changed = changedAttributes(nodeGroupAttributes, before, applyPatch(before, operations, rules));
  });
  const change: GroupChange = {};
  if ('min_node_count' in changed)
    change.min_node_count = (changed['min_node_count'] as number | null | undefined) ?? 0;
  if ('max_node_count' in changed)
    change.max_node_count = (changed['max_node_count'] as number | null | undefined) ?? null;
  if ('node_labels' in changed) {
    const labels = (changed['node_labels'] as Labels | null | undefined) ?? {};
    change.node_labels = labels;
    await refusals.check(() => checkNodeLabels(name, role, labels));
  }
  if ('node_taints' in changed) {
    const taints = (changed['node_taints'] as Record<string, string>[] | null | undefined) ?? [];
    await refusals.check(() => {
      change.node_taints = checkNodeTaints(name, role, taints);
    });
  }
  return change;
}

/** Changes what Magnum lets one change of a group: its bounds, and labels and taints of its nodes. */
export async function patchNodeGroup(
  services: Services,
  caller: Caller,
  { cluster: clusterIdent, group: ident }: { cluster: string; group: string },
  { body, dryRun }: { body: unknown; dryRun: boolean },
): Promise<{ cluster: ClusterRow; group: NodeGroupRow } | DryRun> {
  const { options, store } = services;
  const operations = parsePatch(body, rules);
  enforce(options.policy, caller, 'nodegroup:update');
  const cluster = await findCluster(store.pool, clusterIdent, ownScope(caller));
  const group = await findNodeGroup(store.pool, cluster.uuid, ident);
  const refusals = new Refusals({ all: dryRun });
  const change = await readChange(group, operations, refusals);
  const after: NodeGroupRow = { ...group, ...change };
  await refusals.check(() =>
    checkBounds(group.name, {
      nodeCount: group.node_count,
      minNodeCount: after.min_node_count,
      maxNodeCount: after.max_node_count,
    }),
  );
  await refusals.check(() => {
    if (isDeleting(cluster.status) || isDeleting(group.status))
      throw beingDeleted(isDeleting(cluster.status) ? cluster : group, 'Updating');
  });
  refusals.add(await groupRefusals(services, cluster, group, change));
  if (dryRun) return plannedGroupDryRun({ row: group, spec: specOf(after), changes: change }, refusals.found);

  const write = async (transaction: Transaction<Schema>): Promise<object> => {
    const { node_labels: labels, node_taints: taints, ...bounds } = change;
    await changeGroup(transaction, group, {
      ...bounds,
      ...(labels === undefined ? {} : { node_labels: JSON.stringify(labels) }),
      ...(taints === undefined ? {} : { node_taints: JSON.stringify(taints) }),
    });
    return {};
  };
  await acceptChange(services, cluster, write, {
    detail: { summary: `The change of ${group.name}` },
    caller,
  });
  return { cluster, group: after };
}

/** Removes a group; its row stays until its nodes are gone. */
export async function deleteNodeGroup(
  services: Services,
  caller: Caller,
  clusterIdent: string,
  ident: string,
): Promise<void> {
  const { options, store } = services;
  enforce(options.policy, caller, 'nodegroup:delete');
  const cluster = await findCluster(store.pool, clusterIdent, ownScope(caller));
  const group = await findNodeGroup(store.pool, cluster.uuid, ident);
  if (group.is_default) throw new Fault('not_supported', 'Deleting a default nodegroup is not supported.');
  // It goes with the cluster.
  if (cluster.status === 'DELETE_IN_PROGRESS') return;
  const change = { status: 'DELETE_IN_PROGRESS' } as const;
  const [refusal] = await groupRefusals(services, cluster, group, change);
  if (refusal !== undefined) throw refusal;
  const write = async (transaction: Transaction<Schema>): Promise<object> => {
    await changeGroup(transaction, group, change);
    return {};
  };
  await acceptChange(services, cluster, write, {
    detail: { summary: `The removal of ${group.name}` },
    caller,
  });
}
