import { createHash, generateKeyPair, generateKeyPairSync, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { badRequest } from '../http/api-error.ts';

export type KeyType = 'ssh' | 'x509';

const SSH_KEY = /^(ssh-(rsa|ed25519|dss)|ecdsa-sha2-[\w-]+|sk-[\w.@-]+) +([A-Za-z0-9+/]+=*)( .*)?$/;

/** The fingerprint that Nova shows: MD5 of an SSH key, SHA-1 of a certificate. Refuses what is neither. */
export function fingerprint(type: KeyType, publicKey: string): string {
  return type === 'ssh' ? sshFingerprint(publicKey) : certificateFingerprint(publicKey);
}

function sshFingerprint(publicKey: string): string {
  const match = SSH_KEY.exec(publicKey.trim());
  const blob = Buffer.from(match?.[3] ?? '', 'base64');
  // The blob repeats the algorithm's name; a text that only looks like a key does not.
  const nameLength = blob.length > 4 ? blob.readUInt32BE(0) : 0;
  if (match === null || blob.subarray(4, 4 + nameLength).toString('latin1') !== match[1]) throw invalidKey();
  return colons(createHash('md5').update(blob).digest('hex'));
}

function certificateFingerprint(publicKey: string): string {
  try {
    return colons(createHash('sha1').update(new X509Certificate(publicKey).raw).digest('hex'));
  } catch {
    throw invalidKey();
  }
}

function invalidKey(): Error {
  return badRequest('Keypair data is invalid: failed to generate fingerprint');
}

function colons(hex: string): string {
  return (hex.match(/../g) ?? []).join(':');
}

const RSA_BITS = 2048;

/** A key pair made for a user who gave none; the private half is shown once and not kept. */
export function generateSshKey(): Promise<{ publicKey: string; privateKey: string }> {
  return new Promise((resolve, reject) => {
    generateKeyPair('rsa', { modulusLength: RSA_BITS }, (error, publicKey, privateKey) => {
      if (error !== null) {
        reject(error);
        return;
      }
      resolve({
        publicKey: `${rsaPublicKey(publicKey)} Generated-by-Nova`,
        privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      });
    });
  });
}

function rsaPublicKey(key: KeyObject): string {
  const { n, e } = key.export({ format: 'jwk' });
  return encode(
    'ssh-rsa',
    positive(Buffer.from(e ?? '', 'base64url')),
    positive(Buffer.from(n ?? '', 'base64url')),
  );
}

/** A public key to which nobody has the private half. */
export function publicKeyOfNobody(comment: string): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  return `${encode('ssh-ed25519', Buffer.from(x ?? '', 'base64url'))} ${comment}`;
}

/** A leading one bit would read as a sign. */
function positive(number: Buffer): Buffer {
  return (number[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), number]) : number;
}

function encode(algorithm: string, ...parts: Buffer[]): string {
  const blob = Buffer.concat(
    [Buffer.from(algorithm), ...parts].flatMap((part) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
  return `${algorithm} ${blob.toString('base64')}`;
}
