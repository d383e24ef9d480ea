import { CompiledQuery, type Transaction } from 'kysely';
import { PgBoss, type ConnectionOptions } from 'pg-boss';
import type { Schema } from './schema.ts';

/** A job means: look after this cluster. What is to be done is in the table of operations. */
export interface Job {
  id: string;
  cluster: string;
}

export interface WorkQueue {
  /** In the transaction that accepts the work: there is a job if, and only if, there is work. */
  send(transaction: Transaction<Schema>, cluster: string): Promise<void>;
  /** Takes jobs, never two of a cluster at a time; each is the taker's while it is touched. */
  take(limit: number): Promise<Job[]>;
  /** Shows that the taker lives. */
  touch(jobs: readonly string[]): Promise<void>;
  /** The work is done. */
  finish(transaction: Transaction<Schema>, job: string): Promise<void>;
  /** Somebody else is to take it. */
  giveBack(transaction: Transaction<Schema>, job: string): Promise<void>;
  /** Whether a cluster has a job. */
  has(cluster: string): Promise<boolean>;
  close(): Promise<void>;
}

const queue = 'clusters';
const schema = 'jeroboam_queue';

/** A job that was not touched for so long is given to another; the library allows no less. */
const leaseSeconds = 10;
const superviseSeconds = 10;
/** The library ends what lasts longer; it is then taken again. */
const dayInSeconds = 86_400;

const inTransaction = (transaction: Transaction<Schema>): NonNullable<ConnectionOptions['db']> => ({
  executeSql: async (text, values = []) => {
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, values));
    return { rows };
  },
});

/**
 * Opens the queue of clusters that need attention. Its policy hands out one job of a cluster at a time and skips those
 * whose turn it is not: the other policy that keeps one at a time would let one slow cluster hold up all others.
 */
export async function openQueue(
  connectionString: string,
  onError: (error: Error) => void,
): Promise<WorkQueue> {
  const boss = new PgBoss({
    connectionString,
    // Its own: it keeps transactions in sessions that no request must find half done.
    max: 2,
    schema,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(queue, {
    policy: 'key_strict_fifo',
    heartbeatSeconds: leaseSeconds,
    expireInSeconds: dayInSeconds,
    retentionSeconds: 3650 * dayInSeconds,
    // Given up by one, it is another's at once; how often that happens says nothing about the work.
    retryLimit: 1_000_000_000,
    retryDelay: 0,
  });

  return {
    async send(transaction, cluster) {
      const options = { singletonKey: cluster, db: inTransaction(transaction) };
      const id = await boss.send(queue, { cluster }, options);
      if (id === null) throw new Error(`the queue took no job for the cluster ${cluster}`);
    },
    async take(limit) {
      const jobs = await boss.fetch<{ cluster: string }>(queue, { batchSize: limit });
      return jobs.map(({ id, data }) => ({ id, cluster: data.cluster }));
    },
    async touch(jobs) {
      if (jobs.length > 0) await boss.touch(queue, [...jobs]);
    },
    async finish(transaction, job) {
      await boss.deleteJob(queue, job, { db: inTransaction(transaction) });
    },
    async giveBack(transaction, job) {
      await boss.fail(queue, job, undefined, { db: inTransaction(transaction) });
    },
    async has(cluster) {
      return (await boss.findJobs(queue, { key: cluster })).length > 0;
    },
    close: () => boss.stop({ graceful: false }),
  };
}
