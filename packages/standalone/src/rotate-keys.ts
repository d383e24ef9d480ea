// The program behind `npm run rotate-keys`: a fresh sealing key, and everything that is sealed under it.

import { PostgresError, startEmbeddedPostgres } from '@jeroboam/sandbox';
import { addPrimaryKey, createVault, migrate, openStore, SealingError } from '@jeroboam/server';

import { openDataDirectory } from './data-directory.ts';
import { readSettings, SettingsError } from './settings/index.ts';
import type { Settings } from './settings/index.ts';
import { StartError } from './start-error.ts';

const complain = (sentence: string) => process.stderr.write(`jeroboam: ${sentence}\n`);

/**
 * Works beside a running service: the service reads the key file again when it meets a key it does not know. The old keys
 * stay in the file, since backups of the database still need them.
 */
async function rotate(settings: Settings): Promise<string> {
  const directory = await openDataDirectory(settings.dataDir);
  const keyFile = settings.sealingKeyFile ?? directory.sealingKeys;
  const embedded =
    settings.databaseUrl === undefined
      ? await startEmbeddedPostgres({ directory: directory.postgres })
      : null;
  try {
    const store = openStore({ connectionString: settings.databaseUrl ?? embedded?.connectionString() ?? '' });
    try {
      await migrate(store.database);
      const ring = await addPrimaryKey(keyFile);
      const count = await createVault(store, ring, { rsaKeySize: settings.x509RsaKeySize }).reseal();
      const older = ring.keyIds.filter((id) => id !== ring.primaryId).join(', ');
      return (
        `key ${ring.primaryId} now seals; ${count} private key${count === 1 ? ' was' : 's were'} sealed anew.\n` +
        `The older keys (${older}) stay in ${keyFile} for backups of the database; remove their lines when those are gone.\n`
      );
    } finally {
      await store.close();
    }
  } finally {
    // A server that was there before us belongs to the service.
    if (embedded?.adopted === true) embedded.release();
    else await embedded?.stop();
  }
}

try {
  const { settings, warnings } = await readSettings(process.argv.slice(2), process.env);
  for (const warning of warnings) complain(warning);
  process.stdout.write(await rotate(settings));
  process.exit();
} catch (error) {
  if (error instanceof SettingsError) {
    for (const problem of error.problems) complain(problem);
    process.exit(2);
  }
  if (error instanceof StartError || error instanceof PostgresError || error instanceof SealingError) {
    complain(error.message);
    process.exit(1);
  }
  throw error;
}
