import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { refuseUnsafeFile } from '../../src/sealing/key-file.ts';
import {
  addPrimaryKey,
  generateKeyFileLine,
  loadOrCreateKeyFile,
  readKeyFile,
  SealingError,
} from '../../src/sealing/index.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jeroboam-keys-'));
  path = join(directory, 'sealing.keys');
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the first start', () => {
  test('makes a key file that only its owner can read, and leaves nothing else behind', async () => {
    const ring = await loadOrCreateKeyFile(path);
    expect(ring.keyIds).toHaveLength(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['sealing.keys']);
  });

  test('later starts open what earlier ones sealed', async () => {
    const sealed = (await loadOrCreateKeyFile(path)).seal('secret', 'x');
    expect((await loadOrCreateKeyFile(path)).open(sealed, 'x').toString()).toBe('secret');
  });

  test('processes that start at once agree on one key', async () => {
    const rings = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateKeyFile(path)));
    expect(new Set(rings.map((ring) => ring.primaryId)).size).toBe(1);
    expect(readdirSync(directory)).toEqual(['sealing.keys']);
  });

  test('a directory that is not there is named', async () => {
    const missing = join(directory, 'nowhere', 'sealing.keys');
    await expect(loadOrCreateKeyFile(missing)).rejects.toThrow(
      new SealingError(`The key file ${missing} cannot be created (ENOENT).`),
    );
  });
});

describe('an existing key file', () => {
  test('is never overwritten, even where it is unusable', async () => {
    writeFileSync(path, 'damaged', { mode: 0o600 });
    await expect(loadOrCreateKeyFile(path)).rejects.toThrow(
      `The key file ${path}, line 1: expected "id:base64"`,
    );
    expect(readFileSync(path, 'utf8')).toBe('damaged');
  });

  test('that is not there reads as none', async () => {
    expect(await readKeyFile(path)).toBeUndefined();
  });

  test('that others can read is refused, with the remedy', async () => {
    writeFileSync(path, generateKeyFileLine());
    chmodSync(path, 0o644);
    await expect(loadOrCreateKeyFile(path)).rejects.toThrow(
      new SealingError(
        `The key file ${path} is open to others (mode 0644). Run "chmod 600 ${path}"; if others may have read it, rotate its key.`,
      ),
    );
  });

  test('that is a directory is refused', async () => {
    mkdirSync(path);
    await expect(loadOrCreateKeyFile(path)).rejects.toThrow(`The key file ${path} is not a regular file.`);
  });

  test('that is far too large is refused unread', async () => {
    writeFileSync(path, Buffer.alloc(70_000), { mode: 0o600 });
    await expect(loadOrCreateKeyFile(path)).rejects.toThrow('is too large to be one: 70000 bytes');
  });
});

describe('who may read a key file', () => {
  const file = (mode: number, uid: number) =>
    ({ isFile: () => true, size: 80, mode: 0o100000 | mode, uid }) as unknown as Stats;
  const accepted = (mode: number, owner: number, user: number) => {
    try {
      refuseUnsafeFile('/keys', file(mode, owner), user);
      return true;
    } catch {
      return false;
    }
  };

  test.each([
    [0o600, 1000, 1000, true],
    [0o400, 1000, 1000, true],
    [0o640, 1000, 1000, false],
    [0o604, 1000, 1000, false],
    [0o620, 1000, 1000, false],
    [0o600, 0, 0, true],
    [0o640, 0, 0, false],
    [0o440, 0, 1000, true],
    [0o660, 0, 1000, false],
    [0o444, 0, 1000, false],
  ])('mode %o of user %i, read by user %i: %s', (mode, owner, user, expected) => {
    expect(accepted(mode, owner, user)).toBe(expected);
  });
});

describe('a rotation', () => {
  test('puts a fresh key first, keeps the older ones, and leaves the file closed to others', async () => {
    const before = await loadOrCreateKeyFile(path);
    const sealed = before.seal('secret', 'owner');
    const after = await addPrimaryKey(path);
    expect(after.keyIds).toEqual([after.primaryId, before.primaryId]);
    expect(after.primaryId).not.toBe(before.primaryId);
    expect(after.needsReseal(sealed)).toBe(true);
    expect(after.open(sealed, 'owner').toString()).toBe('secret');
    expect(readFileSync(path, 'utf8').startsWith('#')).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(['sealing.keys']);
  });

  test('is refused on a file that others can read, and changes nothing', async () => {
    await loadOrCreateKeyFile(path);
    chmodSync(path, 0o644);
    const before = readFileSync(path, 'utf8');
    await expect(addPrimaryKey(path)).rejects.toThrow(SealingError);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});
