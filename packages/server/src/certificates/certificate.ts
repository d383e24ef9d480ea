import { createPrivateKey, randomBytes, sign, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { OID } from './der/object-identifiers.ts';
import { explicitTag } from './der/tags.ts';
import {
  element,
  nullValue,
  objectIdentifier,
  octetBits,
  sequence,
  time,
  unsignedInteger,
} from './der/writer.ts';
import { CertificateAuthorityError } from './errors.ts';
import { encodeExtension } from './extension.ts';
import type { Extension } from './extension.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SERIAL_BYTES = 16;

/** Draws the 16 bytes of a serial number. */
export type RandomSerial = () => Uint8Array;
export const randomSerialBytes: RandomSerial = () => randomBytes(SERIAL_BYTES);

export interface CertificateContent {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  /** The subjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly extensions: readonly Extension[];
  readonly termOfValidityDays: number;
  readonly now: Date;
  readonly randomSerial: RandomSerial;
}

const signInThreadPool = promisify(
  (data: Buffer, key: KeyObject, done: (error: Error | null, signature: Buffer) => void) => {
    sign('sha256', data, key, done);
  },
);

/** Encodes and signs a version 3 certificate with SHA-256; the signature is made off the event loop. */
export async function issueCertificate(content: CertificateContent, signingKey: KeyObject): Promise<Buffer> {
  const algorithm = signatureAlgorithm(signingKey);
  const tbsCertificate = sequence(
    element(explicitTag(0), unsignedInteger(Buffer.from([2]))),
    unsignedInteger(positiveSerial(content.randomSerial())),
    algorithm,
    content.issuer,
    validity(content.now, content.termOfValidityDays),
    content.subject,
    content.publicKey,
    element(explicitTag(3), sequence(...content.extensions.map(encodeExtension))),
  );
  const signature = await signInThreadPool(tbsCertificate, signingKey);
  return sequence(tbsCertificate, algorithm, octetBits(signature));
}

function signatureAlgorithm(key: KeyObject): Buffer {
  // RSA carries an explicit NULL as its parameter and ECDSA must not (RFC 4055, RFC 5758).
  if (key.asymmetricKeyType === 'rsa') return sequence(objectIdentifier(OID.sha256WithRsa), nullValue());
  if (key.asymmetricKeyType === 'ec') return sequence(objectIdentifier(OID.ecdsaWithSha256));
  throw new CertificateAuthorityError('The key of the certificate authority is neither RSA nor EC.');
}

/** RFC 5280 wants a serial above zero; the one draw in 2^128 that is not becomes 1. */
function positiveSerial(bytes: Uint8Array): Uint8Array {
  return bytes.some((byte) => byte !== 0) ? bytes : Buffer.from([1]);
}

/** Starts a day early, as Magnum does, so that a node whose clock is behind accepts the certificate at once. */
function validity(now: Date, days: number): Buffer {
  return sequence(time(new Date(now.getTime() - DAY_MS)), time(new Date(now.getTime() + days * DAY_MS)));
}

/** Reads an authority's private key. The library's error is not passed on, whatever it may quote. */
export function readAuthorityKey(privateKeyPem: string): KeyObject {
  try {
    return createPrivateKey(privateKeyPem);
  } catch {
    throw new CertificateAuthorityError('The private key of the certificate authority cannot be read.');
  }
}

/** Parses what was issued with OpenSSL: what it cannot read, no client can. */
export function readIssued(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}
