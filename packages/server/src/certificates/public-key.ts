import { createHash, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { OID } from './der/object-identifiers.ts';
import { childrenOf, DerError, expectTag, readObjectIdentifier, readOctetBits } from './der/reader.ts';
import type { DerElement } from './der/reader.ts';
import { TAG } from './der/tags.ts';
import { CertificateRequestError } from './errors.ts';

/** Kubernetes refuses RSA keys below this; above the upper bound OpenSSL does not verify with them. */
const MIN_RSA_BITS = 1024;
const MAX_RSA_BITS = 16_384;

const NAMED_CURVES: ReadonlySet<string> = new Set([OID.p256, OID.p384, OID.p521]);

/** A subjectPublicKeyInfo: kept as sent, and as a key to verify with. */
export interface PublicKeyInfo {
  readonly der: Buffer;
  readonly key: KeyObject;
  /** SHA-1 over the key's bits, which is what subjectKeyIdentifier is in Magnum's certificates and in RFC 5280 §4.2.1.2. */
  readonly identifier: Buffer;
}

/** Reads a key that a certificate may be made for: RSA, the NIST curves by name, Ed25519. */
export function readPublicKeyInfo(info: DerElement | undefined): PublicKeyInfo {
  const [algorithm, bits, ...rest] = childrenOf(expectTag(info, TAG.sequence));
  if (info === undefined || rest.length > 0) throw new DerError('not a subjectPublicKeyInfo');
  expectSupportedAlgorithm(algorithm);
  const keyBits = readOctetBits(bits);
  const key = importKey(info.raw);
  expectReasonableSize(key);
  return { der: info.raw, key, identifier: createHash('sha1').update(keyBits).digest() };
}

/** Checked before OpenSSL sees the key, so that exotic parameters (curves spelled out, huge groups) cost nothing. */
function expectSupportedAlgorithm(algorithm: DerElement | undefined): void {
  const [type, parameters] = childrenOf(expectTag(algorithm, TAG.sequence));
  const oid = readObjectIdentifier(type);
  if (oid === OID.rsaEncryption || oid === OID.ed25519) return;
  if (oid === OID.ecPublicKey) {
    if (parameters?.tag === TAG.objectIdentifier && NAMED_CURVES.has(readObjectIdentifier(parameters)))
      return;
    throw unsupported('is on a curve');
  }
  throw unsupported('is of a type');
}

function unsupported(what: string): CertificateRequestError {
  return new CertificateRequestError(
    `The public key in the field csr ${what} that is not supported. Use RSA, ECDSA (P-256, P-384, P-521) or Ed25519.`,
  );
}

function importKey(der: Buffer): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    throw new DerError('not a public key');
  }
}

function expectReasonableSize(key: KeyObject): void {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (bits === undefined) return;
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
    throw new CertificateRequestError(
      `The RSA key in the field csr has ${bits} bits. Sizes from ${MIN_RSA_BITS} to ${MAX_RSA_BITS} are supported.`,
    );
  }
}
