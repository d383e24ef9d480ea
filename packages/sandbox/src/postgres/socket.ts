import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Account } from './account.ts';
import { systemCode } from './errors.ts';
import type { Layout } from './layout.ts';

/** A socket's whole path must fit into 108 bytes with its closing zero; PostgreSQL adds this name to the directory. */
const longestPath = 107;
const socketName = '/.s.PGSQL.5432';
const temporaryPrefix = 'jeroboam-pg-';

const fits = (directory: string) => Buffer.byteLength(directory + socketName) <= longestPath;

/**
 * A private directory for the socket: beside the data, or, where that path is too long, a temporary one. `former`
 * is where the last server had it; a temporary directory that is still ours is used again.
 */
export function socketDirectoryFor(
  layout: Layout,
  account: Account | undefined,
  former: string | undefined,
): string {
  if (fits(layout.socket)) {
    makePrivate(layout.socket, account);
    return layout.socket;
  }
  if (former !== undefined && isTemporary(former) && isOurs(former, account)) return former;
  const made = mkdtempSync(
    path.join(
      fits(path.join(os.tmpdir(), temporaryPrefix + 'xxxxxx')) ? os.tmpdir() : '/tmp',
      temporaryPrefix,
    ),
  );
  if (account !== undefined) chownSync(made, account.uid, account.gid);
  return made;
}

export function removeTemporarySocketDirectory(directory: string): void {
  if (isTemporary(directory)) rmSync(directory, { recursive: true, force: true });
}

function makePrivate(directory: string, account: Account | undefined): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  if (account !== undefined) chownSync(directory, account.uid, account.gid);
}

function isTemporary(directory: string): boolean {
  return path.basename(directory).startsWith(temporaryPrefix);
}

/** In a directory where everyone may write, a name proves nothing: the owner and the mode do. */
function isOurs(directory: string, account: Account | undefined): boolean {
  try {
    const found = lstatSync(directory);
    const owner = account?.uid ?? process.getuid?.();
    return found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
