import { sql, type Transaction } from 'kysely';
import {
  lockCluster,
  presenceSpace,
  workChannel,
  type Job,
  type Schema,
  type Store,
  type WorkQueue,
} from '../store/index.ts';

/** An operation that this conductor has, until somebody takes it again: that raises the attempt. */
export interface Claim {
  cluster: string;
  operation: number;
  attempt: number;
  job: string;
}

/** What claims are made with. */
export interface Claims {
  store: Store;
  queue: WorkQueue;
}

/** What was claimed is another's by now, or pointless. */
export class LostClaim extends Error {}

/** Makes the first operation of a job's cluster this conductor's; null when there is nothing left to do. */
export function claim({ store, queue }: Claims, job: Job, holder: number): Promise<Claim | null> {
  return store.database.transaction().execute(async (transaction) => {
    await lockCluster(transaction, job.cluster);
    const first = await transaction
      .selectFrom('operation')
      .select('id')
      .where('cluster_uuid', '=', job.cluster)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (first === undefined) {
      await queue.finish(transaction, job.id);
      return null;
    }
    const { attempt } = await transaction
      .updateTable('operation')
      .set((row) => ({ attempt: row('attempt', '+', 1), holder, job: job.id }))
      .where('id', '=', first.id)
      .returning('attempt')
      .executeTakeFirstOrThrow();
    return { cluster: job.cluster, operation: first.id, attempt, job: job.id };
  });
}

/**
 * Runs a write under the lock of the cluster's row if the claim still holds, and throws `LostClaim` else: whoever was
 * away for too long, and whoever was overtaken by a deletion, writes nothing. `last` tells whether nothing else was
 * accepted after the operation.
 */
export function fenced<T>(
  store: Store,
  { cluster, operation, attempt }: Claim,
  write: (transaction: Transaction<Schema>, last: boolean) => Promise<T>,
): Promise<T> {
  return store.database.transaction().execute(async (transaction) => {
    await lockCluster(transaction, cluster);
    const queued = await transaction
      .selectFrom('operation')
      .select(['id', 'attempt'])
      .where('cluster_uuid', '=', cluster)
      .orderBy('id')
      .limit(2)
      .execute();
    if (queued[0]?.id !== operation || queued[0].attempt !== attempt)
      throw new LostClaim(`the operation ${operation} of the cluster ${cluster} was taken by another`);
    return write(transaction, queued.length === 1);
  });
}

/** Lets another conductor, or this one, take the job again; unless that has happened already. */
export async function giveBack({ store, queue }: Claims, claim: Claim): Promise<void> {
  const { job, cluster } = claim;
  await store.database.transaction().execute(async (transaction) => {
    await lockCluster(transaction, cluster);
    const holding = await transaction
      .selectFrom('operation')
      .select(['id', 'attempt'])
      .where('job', '=', job)
      .executeTakeFirst();
    const isMine = holding?.id === claim.operation && holding.attempt === claim.attempt;
    // A deletion inherits the job of what it replaced, and nobody has attempted it yet.
    if (holding !== undefined && holding.attempt > 0 && !isMine) return;
    await transaction
      .updateTable('operation')
      .set({ holder: null, job: null })
      .where('job', '=', job)
      .execute();
    await queue.giveBack(transaction, job);
    await sql`select pg_notify(${workChannel}, ${cluster})`.execute(transaction);
  });
}

/** Gives back what conductors had that live no more; answers how much that was. */
export async function freeOrphans({ store, queue }: Claims): Promise<number> {
  const { rows } = await sql<{ job: string; holder: number }>`
    select o.job, o.holder from operation o where o.holder is not null and not exists (
      select 1 from pg_locks l where l.locktype = 'advisory' and l.classid = ${presenceSpace}::bigint::oid
        and l.objid = o.holder::bigint::oid
        and l.database = (select d.oid from pg_database d where d.datname = current_database()))
  `.execute(store.database);
  for (const { job, holder } of rows) {
    await store.database.transaction().execute(async (transaction) => {
      const freed = await transaction
        .updateTable('operation')
        .set({ holder: null, job: null })
        .where('job', '=', job)
        .where('holder', '=', holder)
        .returning('id')
        .execute();
      if (freed.length > 0) await queue.giveBack(transaction, job);
    });
  }
  return rows.length;
}

/** Sends a job for work that has none, as was accepted before there was a queue. */
export async function sendMissingJobs({ store, queue }: Claims): Promise<void> {
  const clusters = await store.database.selectFrom('operation').select('cluster_uuid').distinct().execute();
  for (const { cluster_uuid: cluster } of clusters) {
    if (await queue.has(cluster)) continue;
    await store.database.transaction().execute((transaction) => queue.send(transaction, cluster));
  }
}
