import { changeVerb, Fault, isDeleting, statusOf } from '@jeroboam/domain';
import type { Transaction, UpdateObject } from 'kysely';
import type { Services } from '../services.ts';
import {
  acceptOperation,
  lockCluster,
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

/**
 * Takes a change of a cluster in: in one transaction what is desired is written, the statuses say that it is
 * under way, and the work is queued. A client that asks right after the answer sees it begun.
 */
export async function acceptChange(
  services: Services,
  cluster: ClusterRow,
  write: (transaction: Transaction<Schema>) => Promise<ClusterChange>,
  operation: { kind?: OperationKind; detail?: OperationDetail } = {},
): Promise<void> {
  await services.store.database.transaction().execute(async (transaction) => {
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
    await transaction
      .updateTable('cluster')
      .set({ status, status_reason: null, updated_at: now(), ...change })
      .where('uuid', '=', cluster.uuid)
      .execute();
    await acceptOperation(transaction, cluster.uuid, operation.kind ?? 'change', operation.detail);
  });
}

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
  await services.store.database.transaction().execute(async (transaction) => {
    if (!(await lockCluster(transaction, cluster.uuid))) return;
    const deleting = { status: 'DELETE_IN_PROGRESS' as const, status_reason: null, updated_at: now() };
    await transaction.updateTable('cluster').set(deleting).where('uuid', '=', cluster.uuid).execute();
    await transaction
      .updateTable('nodegroup')
      .set(deleting)
      .where('cluster_uuid', '=', cluster.uuid)
      .execute();
    await acceptOperation(transaction, cluster.uuid, 'delete');
  });
}
