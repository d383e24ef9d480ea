import { SealingError } from './sealing-error.ts';

/** The only layout so far: AES-256-GCM, 96-bit nonce, 128-bit tag behind the ciphertext. */
const VERSION = 'v1';
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

/** What a key may be called: it stands in file lines, sealed values and error messages alike. */
export const KEY_ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

/** The parts of a sealed value, before anything has been opened. */
export interface SealedParts {
  readonly keyId: string;
  readonly nonce: Buffer;
  /** Ciphertext followed by the authentication tag. */
  readonly box: Buffer;
}

/** One printable word, `v1.<key id>.<nonce>.<ciphertext and tag>`: fits a text column and survives a dump. */
export function formatSealed({ keyId, nonce, box }: SealedParts): string {
  return [VERSION, keyId, nonce.toString('base64url'), box.toString('base64url')].join('.');
}

export function parseSealed(sealed: string): SealedParts {
  const [version, keyId, nonceText, boxText, ...rest] = sealed.split('.');
  if (version !== VERSION) {
    throw new SealingError(
      'A stored value is not sealed in a layout this version knows. It may come from a newer release.',
    );
  }
  if (
    keyId === undefined ||
    nonceText === undefined ||
    boxText === undefined ||
    rest.length > 0 ||
    !KEY_ID_PATTERN.test(keyId)
  ) {
    throw new SealingError('A sealed value is damaged: it does not have four parts.');
  }
  const nonce = Buffer.from(nonceText, 'base64url');
  const box = Buffer.from(boxText, 'base64url');
  if (nonce.length !== NONCE_BYTES || box.length < TAG_BYTES) {
    throw new SealingError(`A value sealed with key "${keyId}" is damaged: it is too short.`);
  }
  return { keyId, nonce, box };
}

/**
 * What the tag covers besides the ciphertext. The header is in it, so that neither version nor key id can be swapped, and
 * so is the owner of the value, so that a value copied to another row does not open there.
 */
export function associatedBytes(keyId: string, associatedData: string): Buffer {
  return Buffer.from([VERSION, keyId, associatedData].join('\0'), 'utf8');
}
