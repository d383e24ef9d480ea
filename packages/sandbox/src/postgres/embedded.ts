import path from 'node:path';

import { Client, escapeIdentifier } from 'pg';

import { provideBinaries } from './binaries.ts';
import type { Cluster } from './bring-up.ts';
import { bringUp } from './bring-up.ts';
import { ensureCluster } from './cluster.ts';
import { systemCode } from './errors.ts';
import { defaultDatabase } from './layout.ts';
import { place } from './placement.ts';
import { connectionStringFor } from './probe.ts';
import { supervise } from './supervision.ts';

/** A real PostgreSQL server as our child process, reachable over a private unix socket only. */
export interface EmbeddedPostgres {
  /** For the `pg` package and for libpq alike; without a name it leads to our own database. */
  connectionString(database?: string): string;
  /** Where the data are; another place than was asked for where PostgreSQL's account could not reach that. */
  readonly directory: string;
  /** Whether a server that was still running was taken over. */
  readonly adopted: boolean;
  /** The postmaster's; another one after a restart. */
  readonly pid: number;
  stop(): Promise<void>;
  /** Leaves the server running and looks away: for a start that finds out that it is not alone. */
  release(): void;
}

export interface EmbeddedPostgresOptions {
  /** Made if it is not there; holds the data, the password, the log and the socket. */
  directory: string;
  log?: (line: string) => void;
  /** Settings of PostgreSQL, over our defaults. */
  settings?: Record<string, string>;
  /** Root only: where data and programs go that PostgreSQL's account cannot reach where they are. */
  shelter?: string;
}

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {});
  const settings = options.settings ?? {};
  const placement = await place(path.resolve(options.directory), options.shelter ?? '/var/lib/jeroboam', log);
  const binaries = await provideBinaries({ ...placement, log });
  const durable = settings.fsync !== 'off';
  const password = await ensureCluster({ ...placement, binaries, durable, log });
  const cluster: Cluster = { ...placement, binaries, password, settings, log };

  const { up, adopted } = await bringUp(cluster);
  const supervision = supervise(cluster, up);
  const connectionString = (database: string = defaultDatabase) =>
    connectionStringFor(supervision.current().socketDirectory, password, database);
  try {
    await ensureDatabase(connectionString('postgres'));
  } catch (error) {
    // A server that was running before may have other users.
    if (adopted) supervision.release();
    else await supervision.stop();
    throw error;
  }

  return {
    connectionString,
    directory: placement.layout.directory,
    adopted,
    get pid() {
      return supervision.current().pid;
    },
    stop: () => supervision.stop(),
    release: () => supervision.release(),
  };
}

async function ensureDatabase(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
      defaultDatabase,
    ]);
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(defaultDatabase)}`);
  } catch (error) {
    // Another start has made it between our question and our answer; PostgreSQL has two codes for that.
    if (!['42P04', '23505'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await client.end();
  }
}
