import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import type { Account } from './account.ts';
import { asAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PostgresError, systemCode } from './errors.ts';
import type { Layout } from './layout.ts';
import { superuser } from './layout.ts';
import { isAlive } from './processes.ts';

const initdbLimitMs = 180_000;
const unfinished = 'data.initdb-';

/** Makes the directory, the password and the cluster, as far as they are not there; answers the password. */
export async function ensureCluster(options: {
  layout: Layout;
  account: Account | undefined;
  binaries: Binaries;
  durable: boolean;
  log: (line: string) => void;
}): Promise<string> {
  const { layout, account } = options;
  await ensureDirectory(layout, account);
  const password = await ensurePassword(layout, account);
  await removeUnfinished(layout);
  if (!existsSync(layout.data)) await initialise(options);
  return password;
}

async function ensureDirectory(layout: Layout, account: Account | undefined): Promise<void> {
  await mkdir(layout.directory, { recursive: true, mode: 0o700 });
  const names = (await readdir(layout.directory)).filter((name) => name !== 'lost+found');
  if (
    names.length > 0 &&
    !existsSync(layout.password) &&
    !names.every((name) => name.startsWith('postgresql-'))
  ) {
    throw new PostgresError(
      `${layout.directory} is not empty and was not made by us: choose another directory for PostgreSQL`,
    );
  }
  if (account !== undefined) await chown(layout.directory, account.uid, account.gid);
}

async function ensurePassword(layout: Layout, account: Account | undefined): Promise<string> {
  const drawn = randomBytes(24).toString('base64url');
  try {
    await writeFile(layout.password, drawn, { flag: 'wx', mode: 0o600 });
    if (account !== undefined) await chown(layout.password, account.uid, account.gid);
    return drawn;
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  const kept = (await readFile(layout.password, 'utf8')).trim();
  if (kept !== '') return kept;
  // Cut off between making the file and filling it. A cluster would know its password, so there is none yet.
  await rm(layout.password);
  return ensurePassword(layout, account);
}

/** A cluster is made under another name and then renamed: one that is there is whole. */
async function initialise(options: {
  layout: Layout;
  account: Account | undefined;
  binaries: Binaries;
  durable: boolean;
  log: (line: string) => void;
}): Promise<void> {
  const { layout, account, binaries, log } = options;
  const making = path.join(layout.directory, `${unfinished}${process.pid}-${randomBytes(4).toString('hex')}`);
  log(`making a PostgreSQL ${binaries.version.split('.')[0]} cluster in ${layout.data}`);
  try {
    await promisify(execFile)(
      binaries.initdb,
      [
        `--pgdata=${making}`,
        `--username=${superuser}`,
        `--pwfile=${layout.password}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // One order of text on every machine, whatever languages its system knows.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { ...asAccount(account), env: { LC_ALL: 'C' }, timeout: initdbLimitMs },
    );
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new PostgresError(`initdb could not make a PostgreSQL cluster in ${making}: ${said}`);
  }
  try {
    await rename(making, layout.data);
  } catch (error) {
    // Another start was quicker; its cluster has the same password and is as good.
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
    await rm(making, { recursive: true, force: true });
  }
}

/**
 * What is left of an initdb whose starter was killed. It may itself still be at work in there; whatever it keeps us
 * from removing is left for the next start.
 */
async function removeUnfinished(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.directory)) {
    if (!name.startsWith(unfinished)) continue;
    const pid = Number(name.slice(unfinished.length).split('-')[0]);
    if (isAlive(pid)) continue;
    await rm(path.join(layout.directory, name), { recursive: true, force: true }).catch(() => {});
  }
}
