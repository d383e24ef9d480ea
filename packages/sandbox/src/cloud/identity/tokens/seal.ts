import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import type { Scope } from './scope.ts';

/** What a token says by itself; everything else is looked up when it is used. */
export interface TokenClaims {
  userId: string;
  methods: string[];
  scope: Scope;
  /** This token's audit id, and that of the first token of its chain where it was made from another. */
  auditIds: string[];
  /** Milliseconds. */
  issuedAt: number;
  expiresAt: number;
  credentialId?: string;
}

export const TOKEN_KEY_LENGTH = 32;
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** A token holds its claims, sealed with AES-256-GCM: it outlives a restart and nobody can make or change one. */
export function sealToken(claims: TokenClaims, key: Buffer): string {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(JSON.stringify(claims), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The claims of a token that was sealed with this key; undefined for anything else. */
export function openToken(token: string, key: Buffer): TokenClaims | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Base64 has several spellings of the same bytes: only ours is the token.
  if (bytes.length <= NONCE_LENGTH + TAG_LENGTH || bytes.toString('base64url') !== token) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_LENGTH));
  decipher.setAuthTag(bytes.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG_LENGTH));
  try {
    const text =
      decipher.update(bytes.subarray(NONCE_LENGTH + TAG_LENGTH), undefined, 'utf8') + decipher.final('utf8');
    // Only this file seals, so what opens has the right form.
    return JSON.parse(text) as TokenClaims;
  } catch {
    return undefined;
  }
}
