import { sql, type Transaction } from 'kysely';
import { recordEvents } from './events.ts';
import { operationEvent } from './operation-words.ts';
import type { WorkQueue } from './queue.ts';
import type { OperationDetail, OperationKind, Schema } from './schema.ts';

/** The channel on which conductors hear that a cluster has work. */
export const workChannel = 'jeroboam_work';

/**
 * Accepts work on a cluster in the same transaction that wrote what is desired, and tells the conductors when
 * that commits. Deleting makes everything else that was accepted pointless; whoever is at it learns so by losing it.
 */
export async function acceptOperation(
  transaction: Transaction<Schema>,
  queue: WorkQueue,
  cluster: { uuid: string; project_id: string },
  kind: OperationKind,
  detail: OperationDetail = {},
): Promise<void> {
  const clusterUuid = cluster.uuid;
  const held =
    kind === 'delete'
      ? await transaction
          .deleteFrom('operation')
          .where('cluster_uuid', '=', clusterUuid)
          .returning(['holder', 'job'])
          .execute()
      : [];
  const { holder = null, job = null } = held.find((operation) => operation.job !== null) ?? {};
  await transaction
    .insertInto('operation')
    .values({
      cluster_uuid: clusterUuid,
      kind,
      detail: JSON.stringify(detail),
      started: false,
      // Should the holder have died, its job is found through this.
      holder,
      job,
    })
    .execute();
  await recordEvents(transaction, cluster, [operationEvent({ kind, detail }, 'Accepted')]);
  await queue.send(transaction, clusterUuid);
  await sql`select pg_notify(${workChannel}, ${clusterUuid})`.execute(transaction);
}

/** Changes of one cluster follow each other: whoever writes first takes its row. False when it is gone. */
export async function lockCluster(transaction: Transaction<Schema>, clusterUuid: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('cluster')
    .select('id')
    .where('uuid', '=', clusterUuid)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
