import { changeVerb, Fault, isDeleting, statusOf } from '@jeroboam/domain';
import type { Transaction, UpdateObject } from 'kysely';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import {
  acceptOperation,
  lockCluster,
  nodeGroupsOf,
  type ClusterRow,
  type NodeGroupRow,
  type OperationDetail,
  type OperationKind,
  type Schema,
} from '../store/index.ts';
import { clusterNotFound } from './find.ts';
import { nodeGroupNotFound } from './find-node-group.ts';

type NodeGroupChange = UpdateObject<Schema, 'nodegroup'>;
type ClusterChange = UpdateObject<Schema, 'cluster'>;

const now = (): string => new Date().toISOString();

/** What is being deleted cannot be changed any more, and saying so at once is better than dropping the request. */
export const beingDeleted = (cluster: { status: string }, doing: string): Fault =>
  new Fault('operation_refused', `${doing} a cluster when status is "${cluster.status}" is not supported.`);

/** What is to be done, and who asked for it where that is known. */
export interface AcceptedOperation {
  kind?: OperationKind;
  detail?: OperationDetail;
  caller?: Caller;
}

/**
 * Takes a change of a cluster in: in one transaction what is desired is written, the statuses say that it is
 * under way, and the work is queued. A client that asks right after the answer sees it begun.
 */
export async function acceptChange(
  services: Services,
  cluster: ClusterRow,
  write: (transaction: Transaction<Schema>) => Promise<ClusterChange>,
  { kind = 'change', detail, caller }: AcceptedOperation = {},
): Promise<void> {
  const { store, queue, notifications } = services;
  const changed = await store.database.transaction().execute(async (transaction) => {
    if (!(await lockCluster(transaction, cluster.uuid))) throw clusterNotFound(cluster.uuid);
    const current = await transaction
      .selectFrom('cluster')
      .select('status')
      .where('uuid', '=', cluster.uuid)
      .executeTakeFirstOrThrow();
    // Asked again under the lock: a deletion may have been accepted since the caller looked.
    if (isDeleting(current.status)) throw beingDeleted(current, 'Updating');
    const change = await write(transaction);
    const status = statusOf(changeVerb(current.status), 'IN_PROGRESS');
    const row = await transaction
      .updateTable('cluster')
      .set({ status, status_reason: null, refused: false, updated_at: now(), ...change })
      .where('uuid', '=', cluster.uuid)
      .returningAll()
      .executeTakeFirstOrThrow();
    await acceptOperation(transaction, queue, cluster, kind, detail);
    return row;
  });
  // Magnum tells of changes of clusters, not of their certificates and credentials.
  if (kind !== 'change') return;
  const groups = await nodeGroupsOf(store.pool, cluster.uuid);
  const action = changeVerb(changed.status);
  notifications.tell({ action, outcome: 'pending', cluster: changed, groups, ...initiatedBy(caller) });
}

export const initiatedBy = (
  caller: Caller | undefined,
): { initiator?: { userId: string; projectId: string | null } } =>
  caller === undefined ? {} : { initiator: { userId: caller.userId, projectId: caller.projectId } };

/** Writes a change of a group and marks it as under way, unless it was deleted since the caller looked. */
export async function changeGroup(
  transaction: Transaction<Schema>,
  group: NodeGroupRow,
  change: NodeGroupChange,
): Promise<void> {
  const current = await transaction
    .selectFrom('nodegroup')
    .select('status')
    .where('uuid', '=', group.uuid)
    .executeTakeFirst();
  if (current === undefined) throw nodeGroupNotFound(group.name);
  if (isDeleting(current.status) && change.status === undefined) throw beingDeleted(current, 'Updating');
  const status = statusOf(changeVerb(current.status), 'IN_PROGRESS');
  await transaction
    .updateTable('nodegroup')
    .set({ status, status_reason: null, updated_at: now(), ...change })
    .where('uuid', '=', group.uuid)
    .execute();
}

/** Deleting wins over everything: what was queued is dropped, and it can be asked for again at any time. */
export async function acceptDelete(services: Services, cluster: ClusterRow): Promise<void> {
  const { store, queue, notifications } = services;
  const deleted = await store.database.transaction().execute(async (transaction) => {
    if (!(await lockCluster(transaction, cluster.uuid))) return null;
    const deleting = { status: 'DELETE_IN_PROGRESS' as const, status_reason: null, updated_at: now() };
    const row = await transaction
      .updateTable('cluster')
      .set({ ...deleting, refused: false })
      .where('uuid', '=', cluster.uuid)
      .returningAll()
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('nodegroup')
      .set(deleting)
      .where('cluster_uuid', '=', cluster.uuid)
      .execute();
    await acceptOperation(transaction, queue, cluster, 'delete');
    return row;
  });
  if (deleted === null) return;
  const groups = await nodeGroupsOf(store.pool, cluster.uuid);
  notifications.tell({ action: 'DELETE', outcome: 'pending', cluster: deleted, groups });
}
