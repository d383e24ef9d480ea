import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool, type PoolClient, type QueryResultRow } from 'pg';
import { magnumResources } from './migrations/0001-magnum-resources.ts';
import { wholeResources } from './migrations/0002-whole-resources.ts';
import { conducting } from './migrations/0003-conducting.ts';
import { types } from './reading.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

export interface Store {
  database: Database;
  pool: Pool;
  close(): Promise<void>;
}

export interface StoreOptions {
  connectionString: string;
  maxConnections?: number;
  onPoolError?: (error: Error) => void;
}

/** Opens the store. Connections are made when first used, so that a database that is still starting is no error. */
export function openStore(options: StoreOptions): Store {
  const pool = new Pool({
    connectionString: options.connectionString,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: 10_000,
    // Connections are few and kept: closing idle ones would cost a timer per query.
    idleTimeoutMillis: 0,
    // A plan for any values is as good as one for these: every list is cut by an index. PostgreSQL takes an unknown
    // limit for a large one and would plan each list anew.
    options: '-c TimeZone=UTC -c statement_timeout=60000 -c plan_cache_mode=force_generic_plan',
    types,
  });
  // A connection that breaks while somebody holds it fails their query; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onPoolError?.(error)));
  // An idle connection that breaks is replaced on the next query; without a listener it would end the process.
  pool.on('error', (error) => options.onPoolError?.(error));
  const database = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { database, pool, close: () => database.destroy() };
}

const migrations = {
  '0001-magnum-resources': magnumResources,
  '0002-whole-resources': wholeResources,
  '0003-conducting': conducting,
};

/** Two servers that start at once must not migrate at once. */
const migrationLock = 0x6a65726f;

export async function migrate(database: Database): Promise<void> {
  await database.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_lock(${migrationLock})`));
    try {
      const migrator = new Migrator({
        db: database,
        provider: { getMigrations: () => Promise.resolve(migrations) },
      });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined)
        throw error instanceof Error ? error : new Error('migration failed', { cause: error });
    } finally {
      await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_unlock(${migrationLock})`));
    }
  });
}

interface Statement {
  name: string;
  text: string;
}

const statements = new Map<string, Statement>();

/**
 * Runs a query that recurs, so that PostgreSQL plans it once per connection and its text is made once. `key` stands for
 * the text: the same key must always mean the same query. Names are numbers, since PostgreSQL keeps 63 characters of one.
 */
export async function prepared<Row extends QueryResultRow>(
  executor: Pool | PoolClient,
  key: string,
  values: unknown[],
  text: () => string,
): Promise<Row[]> {
  let statement = statements.get(key);
  if (statement === undefined) {
    statement = { name: `jeroboam-${statements.size + 1}`, text: text() };
    statements.set(key, statement);
  }
  const result = await executor.query<Row>({ name: statement.name, text: statement.text, values });
  return result.rows;
}
