import { sql, type Transaction } from 'kysely';
import type { OperationDetail, OperationKind, Schema } from './schema.ts';

/** The channel on which conductors hear that a cluster has work. */
export const workChannel = 'jeroboam_work';

/**
 * Accepts work on a cluster in the same transaction that wrote what is desired, and tells the conductors when
 * that commits. Deleting makes everything else that was accepted pointless.
 */
export async function acceptOperation(
  transaction: Transaction<Schema>,
  clusterUuid: string,
  kind: OperationKind,
  detail: OperationDetail = {},
): Promise<void> {
  if (kind === 'delete')
    await transaction.deleteFrom('operation').where('cluster_uuid', '=', clusterUuid).execute();
  await transaction
    .insertInto('operation')
    .values({ cluster_uuid: clusterUuid, kind, detail: JSON.stringify(detail), started: false })
    .execute();
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
