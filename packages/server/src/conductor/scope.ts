import type { Selectable } from 'kysely';
import type { ClusterRow, NodeGroupRow, OperationTable, Store } from '../store/index.ts';

export type Operation = Selectable<OperationTable>;

/** Everything a step looks at, read once. */
export interface Scope {
  cluster: ClusterRow;
  groups: NodeGroupRow[];
  /** The operation in turn. */
  operation: Operation;
  /** All that is accepted and not done, the operation in turn first. */
  queue: readonly Operation[];
}

/** Reads it all as of one moment, so that what is desired and the queue that led to it belong together. */
export function readScope({ database }: Store, clusterUuid: string): Promise<Scope | null> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const queue = await transaction
        .selectFrom('operation')
        .selectAll()
        .where('cluster_uuid', '=', clusterUuid)
        .orderBy('id')
        .execute();
      const [operation] = queue;
      if (operation === undefined) return null;
      const cluster = await transaction
        .selectFrom('cluster')
        .selectAll()
        .where('uuid', '=', clusterUuid)
        .executeTakeFirstOrThrow();
      const groups = await transaction
        .selectFrom('nodegroup')
        .selectAll()
        .where('cluster_uuid', '=', clusterUuid)
        .orderBy('id')
        .execute();
      return { cluster, groups, operation, queue };
    });
}
