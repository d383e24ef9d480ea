import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const KEY_LENGTH = 32;
// Modest on purpose: the passwords guard a simulator, and tests ask for many tokens.
const COST = 4096;

function derive(secret: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, KEY_LENGTH, { N: COST }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

/** A salted hash of a password or of an application credential's secret: neither is ever stored. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(secret, salt);
  return `${salt.toString('base64url')}.${key.toString('base64url')}`;
}

export async function verifySecret(secret: string, hash: string | undefined): Promise<boolean> {
  const [salt, key] = hash?.split('.') ?? [];
  if (salt === undefined || key === undefined) return false;
  const expected = Buffer.from(key, 'base64url');
  return timingSafeEqual(await derive(secret, Buffer.from(salt, 'base64url')), expected);
}

/** A secret that Keystone makes up itself. */
export function newSecret(): string {
  return randomBytes(64).toString('base64url');
}
