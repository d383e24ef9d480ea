import { randomBytes } from 'node:crypto';

import { Client } from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  connectionString: string;
  drop(): Promise<void>;
}

/** A fresh, empty database in the server of this test run; a test file makes one and drops it at its end. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    connectionString: url.href,
    // With force, because a pool that a failed test left open must not make a second failure of the first.
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
