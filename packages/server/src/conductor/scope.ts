import type { Selectable, Transaction } from 'kysely';
import type { ClusterRow, NodeGroupRow, OperationTable, Schema, Store } from '../store/index.ts';

export type Operation = Selectable<OperationTable>;

/** A cluster and its groups as of one moment. */
export interface Rows {
  cluster: ClusterRow;
  groups: NodeGroupRow[];
}

/** Everything a step looks at, read once. */
export interface Scope extends Rows {
  /** The operation in turn. */
  operation: Operation;
  /** All that is accepted and not done, the operation in turn first. */
  queue: readonly Operation[];
}

type RowsAndQueue = Rows & { queue: Operation[] };

/** Reads it all in a transaction; null when there is no such cluster. */
export async function readRows(
  transaction: Transaction<Schema>,
  clusterUuid: string,
): Promise<RowsAndQueue | null> {
  const queue = await transaction
    .selectFrom('operation')
    .selectAll()
    .where('cluster_uuid', '=', clusterUuid)
    .orderBy('id')
    .execute();
  const cluster = await transaction
    .selectFrom('cluster')
    .selectAll()
    .where('uuid', '=', clusterUuid)
    .executeTakeFirst();
  if (cluster === undefined) return null;
  const groups = await transaction
    .selectFrom('nodegroup')
    .selectAll()
    .where('cluster_uuid', '=', clusterUuid)
    .orderBy('id')
    .execute();
  return { cluster, groups, queue };
}

/** Reads it all as of one moment, so that what is desired and the queue that led to it belong together. */
export const readCluster = ({ database }: Store, clusterUuid: string): Promise<RowsAndQueue | null> =>
  database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => readRows(transaction, clusterUuid));

/** The same for a cluster that has work; null when it has none. */
export async function readScope(store: Store, clusterUuid: string): Promise<Scope | null> {
  const rows = await readCluster(store, clusterUuid);
  const operation = rows?.queue[0];
  return rows === null || operation === undefined ? null : { ...rows, operation };
}
