import { realpathSync } from 'node:fs';

import { Client } from 'pg';

import { systemCode } from './errors.ts';
import type { Layout } from './layout.ts';
import { superuser } from './layout.ts';

/** What a server answers at a socket. */
export type Answer = 'ready' | 'starting' | 'stopping' | 'silent' | 'another cluster';

const probeLimitMs = 5_000;

export function connectionStringFor(socketDirectory: string, password: string, database: string): string {
  const user = `${superuser}:${encodeURIComponent(password)}`;
  return `postgresql://${user}@${encodeURIComponent(socketDirectory)}/${encodeURIComponent(database)}`;
}

/** Connects, asks the server which data it serves, and hangs up. */
export async function probe(socketDirectory: string, password: string, layout: Layout): Promise<Answer> {
  const client = new Client({
    connectionString: connectionStringFor(socketDirectory, password, 'postgres'),
    connectionTimeoutMillis: probeLimitMs,
    query_timeout: probeLimitMs,
  });
  // A server that goes down during the question says so here; the question itself then fails and is answered below.
  client.on('error', () => {});
  try {
    await client.connect();
    const result = await client.query<{ directory: string }>(
      "select current_setting('data_directory') as directory",
    );
    const served = result.rows[0]?.directory;
    return served !== undefined && sameDirectory(served, layout.data) ? 'ready' : 'another cluster';
  } catch (error) {
    return meaningOf(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function sameDirectory(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

function meaningOf(error: unknown): Answer {
  // PostgreSQL has one code for "not now", whether it comes or goes.
  if (systemCode(error) === '57P03') {
    return error instanceof Error && error.message.includes('shutting down') ? 'stopping' : 'starting';
  }
  if (systemCode(error) === '57P01') return 'stopping';
  return systemCode(error) === '28P01' ? 'another cluster' : 'silent';
}
