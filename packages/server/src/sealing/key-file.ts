import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { link, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

import { generateKeyFileLine } from './key-file-syntax.ts';
import { KeyRing } from './key-ring.ts';
import { SealingError } from './sealing-error.ts';

/** Far more than any ring needs; a device or a log given by mistake is not read to its end. */
const MAX_FILE_BYTES = 64 * 1024;

const HEADER = [
  '# Keys that seal private keys and credentials in the database. Without this file they cannot be opened: keep a copy.',
  '# One "id:base64" a line. The first key seals, all of them open.',
];

/** Reads the key file, and makes one with a fresh key where there is none. Safe when two processes start at once. */
export async function loadOrCreateKeyFile(path: string): Promise<KeyRing> {
  const existing = await readKeyFile(path);
  if (existing !== undefined) return existing;
  await createKeyFile(path);
  // Read back rather than kept: where another process was faster, its key is the one that counts.
  const created = await readKeyFile(path);
  if (created === undefined) {
    throw new SealingError(`The key file ${path} was removed while it was being created.`);
  }
  return created;
}

/** The ring in the file, or undefined where there is no file. */
export async function readKeyFile(path: string): Promise<KeyRing | undefined> {
  // Not blocking, so that a named pipe given by mistake is refused below and does not hang the start.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new SealingError(`The key file ${path} cannot be read (${errorCode(error)}).`);
  });
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    refuseUnsafeFile(path, stats, process.geteuid?.());
    const text = await file.readFile('utf8');
    return KeyRing.parse(text, `The key file ${path}`);
  } finally {
    await file.close();
  }
}

/**
 * Nobody but the service may read its keys. One exception, as with the keys of other servers: a file that root owns may be
 * readable by a group, which is how orchestrators hand a secret to a service that does not run as root.
 */
export function refuseUnsafeFile(path: string, stats: Stats, effectiveUser: number | undefined): void {
  if (!stats.isFile()) {
    throw new SealingError(`The key file ${path} is not a regular file.`);
  }
  if (stats.size > MAX_FILE_BYTES) {
    throw new SealingError(
      `The key file ${path} is too large to be one: ${stats.size} bytes, at most ${MAX_FILE_BYTES} are read.`,
    );
  }
  const handedOverByRoot = stats.uid === 0 && effectiveUser !== 0;
  const forbidden = handedOverByRoot ? 0o037 : 0o077;
  if ((stats.mode & forbidden) !== 0) {
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
    throw new SealingError(
      `The key file ${path} is open to others (mode ${mode}). Run "chmod 600 ${path}"; if others may have read it, rotate its key.`,
    );
  }
}

/** Puts a fresh key first, so that it seals from now on; the older ones go on to open. Answers the new ring. */
export async function addPrimaryKey(path: string): Promise<KeyRing> {
  // Refuses what is unsafe or malformed before anything is written.
  await loadOrCreateKeyFile(path);
  const text = await readFile(path, 'utf8');
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  lines.splice(first, 0, generateKeyFileLine());
  await writeAside(path, lines.join('\n'), (temporary) => rename(temporary, path), 'changed');
  const ring = await readKeyFile(path);
  if (ring === undefined) throw new SealingError(`The key file ${path} was removed while a key was added.`);
  return ring;
}

const createKeyFile = (path: string): Promise<void> =>
  writeAside(
    path,
    [...HEADER, generateKeyFileLine(), ''].join('\n'),
    async (temporary) => {
      await link(temporary, path).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
      await unlink(temporary);
    },
    'created',
  );

/** Written whole under another name and put in place then: after a crash the file is complete or as it was, never half a key. */
async function writeAside(
  path: string,
  text: string,
  place: (temporary: string) => Promise<void>,
  doing: string,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await place(temporary);
    await syncDirectory(dirname(path));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw new SealingError(`The key file ${path} cannot be ${doing} (${errorCode(error)}).`);
  }
}

/** A new name survives a power cut only when its directory has reached the disk as well. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
