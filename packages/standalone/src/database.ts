import { startEmbeddedPostgres } from '@jeroboam/sandbox';
import type { Logger } from 'pino';

import type { Settings } from './settings/index.ts';

/** The database of this start: the embedded one, or the one that was given. */
export interface DatabaseAccess {
  connectionString: string;
  /** Undefined where the database is not ours to stop. */
  stop: (() => Promise<void>) | undefined;
  /** Leaves an embedded server to whoever else uses it. */
  release(): void;
}

export async function openDatabase(
  settings: Settings,
  directory: string,
  logger: Logger,
): Promise<DatabaseAccess> {
  if (settings.databaseUrl !== undefined) {
    return { connectionString: settings.databaseUrl, stop: undefined, release: () => {} };
  }
  const log = logger.child({ part: 'postgres' });
  const postgres = await startEmbeddedPostgres({ directory, log: (line) => log.info(line) });
  return {
    connectionString: postgres.connectionString(),
    stop: () => postgres.stop(),
    release: () => postgres.release(),
  };
}
