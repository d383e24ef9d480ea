import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { parseKeyLines } from './key-file-syntax.ts';
import { associatedBytes, formatSealed, NONCE_BYTES, parseSealed, TAG_BYTES } from './sealed-value.ts';
import { MissingKeyError, SealingError } from './sealing-error.ts';

const CIPHER = 'aes-256-gcm';

/**
 * The keys that protect secrets at rest. The primary seals, every key opens: a rotation puts a new key first, reseals
 * row by row while the service runs, and drops the old key when nothing needs it any more.
 */
export class KeyRing {
  // Key objects behind a private field: neither a log of the ring nor JSON.stringify can print what they hold.
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #primaryId: string;

  private constructor(keys: ReadonlyMap<string, KeyObject>, primaryId: string) {
    this.#keys = keys;
    this.#primaryId = primaryId;
  }

  /** Reads the text of a key file; the first key becomes the primary. */
  static parse(text: string, source = 'The key file'): KeyRing {
    const named = parseKeyLines(text, source);
    const keys = new Map<string, KeyObject>();
    for (const { id, secret } of named) {
      keys.set(id, createSecretKey(secret));
      secret.fill(0);
    }
    return new KeyRing(keys, [...keys.keys()][0] ?? '');
  }

  /** Reads keys from an environment variable: the syntax of the file, with commas where line breaks are awkward. */
  static fromEnvironment(value: string, variable: string): KeyRing {
    return KeyRing.parse(value.replaceAll(',', '\n'), `The environment variable ${variable}`);
  }

  get primaryId(): string {
    return this.#primaryId;
  }

  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /**
   * Seals under the primary key. `associatedData` names the owner of the value (say `certificate:<ref>`): the value opens
   * only with the same name. Nonces are random, which is sound for some 2^32 values a key; rotate long before.
   */
  seal(plaintext: string | Uint8Array, associatedData: string): string {
    const keyId = this.#primaryId;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key(keyId), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedBytes(keyId, associatedData));
    const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
    const box = Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    return formatSealed({ keyId, nonce, box });
  }

  open(sealed: string, associatedData: string): Buffer {
    const { keyId, nonce, box } = parseSealed(sealed);
    const decipher = createDecipheriv(CIPHER, this.#key(keyId), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedBytes(keyId, associatedData));
    decipher.setAuthTag(box.subarray(box.length - TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(box.subarray(0, box.length - TAG_BYTES)), decipher.final()]);
    } catch {
      // The library's own error is left behind: it cannot say which of the three it was either.
      throw new SealingError(
        `A value sealed with key "${keyId}" does not open: it was changed, belongs to another record, or the key of that id is a different one.`,
      );
    }
  }

  /** True where the value was sealed by a key that is no longer the primary. */
  needsReseal(sealed: string): boolean {
    return parseSealed(sealed).keyId !== this.#primaryId;
  }

  /** The same content under the primary key. */
  reseal(sealed: string, associatedData: string): string {
    const plaintext = this.open(sealed, associatedData);
    try {
      return this.seal(plaintext, associatedData);
    } finally {
      plaintext.fill(0);
    }
  }

  #key(id: string): KeyObject {
    const key = this.#keys.get(id);
    if (key === undefined) {
      throw new MissingKeyError(
        `The key "${id}" that sealed a stored value is not in the key ring (it has: ${this.keyIds.join(', ')}). Add its line back to the key file.`,
      );
    }
    return key;
  }
}
