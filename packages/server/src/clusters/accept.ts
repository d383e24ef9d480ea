import { changeVerb, isDeleting, statusOf } from '@jeroboam/domain';
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

type NodeGroupChange = UpdateObject<Schema, 'nodegroup'>;
type ClusterChange = UpdateObject<Schema, 'cluster'>;

const now = (): string => new Date().toISOString();

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
    const change = await write(transaction);
    // A cluster that is being deleted stays so: the driver removes all of it, whatever was changed meanwhile.
    const status = isDeleting(current.status)
      ? current.status
      : statusOf(changeVerb(current.status), 'IN_PROGRESS');
    await transaction
      .updateTable('cluster')
      .set({ status, status_reason: null, updated_at: now(), ...change })
      .where('uuid', '=', cluster.uuid)
      .execute();
    if (!isDeleting(current.status))
      await acceptOperation(transaction, cluster.uuid, operation.kind ?? 'change', operation.detail);
  });
}

/** Writes a change of a group and marks it as under way. */
export async function changeGroup(
  transaction: Transaction<Schema>,
  group: NodeGroupRow,
  change: NodeGroupChange,
): Promise<void> {
  const status = isDeleting(group.status) ? group.status : statusOf(changeVerb(group.status), 'IN_PROGRESS');
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
