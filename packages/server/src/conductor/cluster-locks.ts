import type pg from 'pg';
import { takeConnection, type OwnConnection } from './own-connection.ts';

export interface ClusterLocks {
  /** Runs a step while no other conductor on this database works on the cluster; undefined when one does. */
  whileHolding<T>(cluster: string, step: () => Promise<T>): Promise<T | undefined>;
  close(): void;
}

/** Keeps these locks apart from others in the database. */
const lockSpace = 0x6a65_726f;

/**
 * Locks of clusters between conductors, held by one connection for all steps of this one. They last no longer
 * than the connection, so what a killed conductor held is free the moment it dies.
 */
export function openClusterLocks(pool: pg.Pool): ClusterLocks {
  let connection: OwnConnection | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function connected(): Promise<pg.PoolClient> {
    connection ??= await takeConnection(pool, () => {
      connection = undefined;
    });
    return connection.client;
  }

  /** One after the other, as a connection answers. */
  function ask(call: 'pg_try_advisory_lock' | 'pg_advisory_unlock', cluster: string): Promise<boolean> {
    const answer = turn.then(async () => {
      const client = await connected();
      const text = `select ${call}($1, hashtext($2)) as done`;
      const { rows } = await client.query<{ done: boolean }>(text, [lockSpace, cluster]);
      return rows[0]?.done === true;
    });
    turn = answer.catch(() => undefined);
    return answer;
  }

  return {
    async whileHolding(cluster, step) {
      if (!(await ask('pg_try_advisory_lock', cluster))) return undefined;
      try {
        return await step();
      } finally {
        // A connection that broke meanwhile has let go of everything by itself.
        await ask('pg_advisory_unlock', cluster).catch(() => undefined);
      }
    },
    close() {
      connection?.end();
      connection = undefined;
    },
  };
}
