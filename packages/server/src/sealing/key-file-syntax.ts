import { randomBytes } from 'node:crypto';

import { KEY_ID_PATTERN } from './sealed-value.ts';
import { SealingError } from './sealing-error.ts';

export const KEY_BYTES = 32;
const BASE64_KEY = /^[A-Za-z0-9+/]{43}=$/;

export interface NamedKey {
  readonly id: string;
  readonly secret: Buffer;
}

/**
 * Reads `id:base64` lines; the first key is the primary. Blank lines and lines that start with # are skipped.
 * `source` says in errors where the text came from (a path, a variable's name).
 */
export function parseKeyLines(text: string, source: string): NamedKey[] {
  const keys: NamedKey[] = [];
  for (const [index, rawLine] of text.split(/\r?\n/).entries()) {
    const line = rawLine.trim();
    if (line === '' || line.startsWith('#')) continue;
    const key = parseKeyLine(line, `${source}, line ${index + 1}`);
    if (keys.some((other) => other.id === key.id)) {
      throw new SealingError(
        `${source}, line ${index + 1}: key id "${key.id}" is used twice. Every key needs its own id.`,
      );
    }
    keys.push(key);
  }
  if (keys.length === 0) {
    throw new SealingError(
      `${source} holds no key. Give at least one line "id:base64" with a key of ${KEY_BYTES} bytes.`,
    );
  }
  return keys;
}

function parseKeyLine(line: string, place: string): NamedKey {
  // The line itself is never quoted: where the syntax is wrong, any part of it may be the key.
  const colon = line.indexOf(':');
  if (colon < 0) {
    throw new SealingError(`${place}: expected "id:base64", with a colon between the two.`);
  }
  const id = line.slice(0, colon).trim();
  if (!KEY_ID_PATTERN.test(id)) {
    throw new SealingError(
      `${place}: the key id before the colon must be 1 to 64 letters, digits, "_" or "-".`,
    );
  }
  const base64 = line.slice(colon + 1).trim();
  if (!BASE64_KEY.test(base64)) {
    throw new SealingError(
      `${place}: the key after the colon must be ${KEY_BYTES} bytes in base64 (44 characters).`,
    );
  }
  return { id, secret: Buffer.from(base64, 'base64') };
}

/** A fresh random key with a fresh id, as one line for a key file. Put it first to make it the primary. */
export function generateKeyFileLine(): string {
  return `k${randomBytes(4).toString('hex')}:${randomBytes(KEY_BYTES).toString('base64')}`;
}
