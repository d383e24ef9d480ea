import { randomBytes } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openToken, sealToken } from '../../../src/cloud/identity/tokens/seal.ts';
import type { TokenClaims } from '../../../src/cloud/identity/tokens/seal.ts';

const key = randomBytes(32);
const claims: TokenClaims = {
  userId: 'u',
  methods: ['password'],
  scope: { kind: 'project', id: 'p' },
  auditIds: ['a'],
  issuedAt: 1,
  expiresAt: 2,
};

describe('a sealed token', () => {
  it('opens to what was sealed', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (userId, methods) => {
        const sealed = { ...claims, userId, methods };
        expect(openToken(sealToken(sealed, key), key)).toEqual(sealed);
      }),
    );
  });

  it('does not open when any of its characters is changed', () => {
    const token = sealToken(claims, key);
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(openToken(token.slice(0, at) + other + token.slice(at + 1), key)).toBeUndefined();
    }
  });

  it('does not open with another key', () => {
    expect(openToken(sealToken(claims, key), randomBytes(32))).toBeUndefined();
  });

  it('is not made of arbitrary text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(openToken(text, key)).toBeUndefined();
      }),
    );
  });
});
