import type { Pool } from 'pg';

import type { ObjectStore, StoredObject } from './object-store.ts';

// Any number that no other user of this database locks: two clouds starting at once must not race on CREATE.
const SCHEMA_LOCK = 7_236_001;

/** Keeps the cloud's objects in schema `sandbox` of a PostgreSQL database, one row each. */
export async function postgresObjectStore(pool: Pool): Promise<ObjectStore> {
  await createTable(pool);
  return {
    async load() {
      const result = await pool.query<StoredObject>('select kind, id, data from sandbox.object order by seq');
      return result.rows;
    },
    async put(kind, id, data) {
      await pool.query(
        `insert into sandbox.object (kind, id, data) values ($1, $2, $3)
         on conflict (kind, id) do update set data = excluded.data`,
        [kind, id, JSON.stringify(data)],
      );
    },
    async delete(kind, id) {
      await pool.query('delete from sandbox.object where kind = $1 and id = $2', [kind, id]);
    },
  };
}

async function createTable(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    await client.query('create schema if not exists sandbox');
    // `json` and not `jsonb`: names given by users may hold a NUL, which jsonb refuses. `seq` keeps lists in the
    // order of creation over a restart.
    await client.query(`create table if not exists sandbox.object (
      kind text not null,
      id text not null,
      data json not null,
      seq bigint generated always as identity,
      primary key (kind, id)
    )`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
