import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import {
  Pool,
  types as defaultTypes,
  type CustomTypesConfig,
  type PoolClient,
  type QueryResultRow,
} from 'pg';
import { magnumResources } from './migrations/0001-magnum-resources.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/**
 * PostgreSQL's text of a timestamp in UTC, as the API shows it: ISO 8601 with microseconds and an offset. PostgreSQL
 * drops the zeros at the end of a fraction; clients in Python read six digits or none.
 */
const isoTimestamp = (text: string): string => {
  const time = text.slice(11, -3);
  return `${text.slice(0, 10)}T${time.length > 8 ? time.padEnd(15, '0') : time}+00:00`;
};

/** Everything is read as the driver reads it, but for timestamps. */
const types: CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === defaultTypes.builtins.TIMESTAMPTZ && format !== 'binary') return isoTimestamp;
    return defaultTypes.getTypeParser(oid, format);
  },
};

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
    options: '-c TimeZone=UTC -c statement_timeout=60000',
    types,
  });
  // An idle connection that breaks is replaced on the next query; without a listener it would end the process.
  pool.on('error', (error) => options.onPoolError?.(error));
  const database = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { database, pool, close: () => database.destroy() };
}

/** Two servers that start at once must not migrate at once. */
const migrationLock = 0x6a65726f;

export async function migrate(database: Database): Promise<void> {
  await database.connection().execute(async (connection) => {
    await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_lock(${migrationLock})`));
    try {
      const migrator = new Migrator({
        db: database,
        provider: { getMigrations: () => Promise.resolve({ '0001-magnum-resources': magnumResources }) },
      });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined)
        throw error instanceof Error ? error : new Error('migration failed', { cause: error });
    } finally {
      await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_unlock(${migrationLock})`));
    }
  });
}

const statementNames = new Map<string, string>();

/** PostgreSQL keeps 63 characters of a statement's name, so texts are numbered. Their forms are few. */
function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `jeroboam-${statementNames.size + 1}`;
    statementNames.set(text, name);
  }
  return name;
}

/** Runs a query whose text recurs, so that PostgreSQL plans it once per connection. */
export async function prepared<Row extends QueryResultRow>(
  executor: Pool | PoolClient,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const result = await executor.query<Row>({ name: statementName(text), text, values });
  return result.rows;
}
