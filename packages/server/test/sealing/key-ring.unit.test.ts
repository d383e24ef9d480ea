import { inspect } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { generateKeyFileLine, KeyRing, SealingError } from '../../src/sealing/index.ts';

const oldLine = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const newLine = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const before = KeyRing.parse(oldLine);
const during = KeyRing.parse(`${newLine}\n${oldLine}`);
const after = KeyRing.parse(newLine);

describe('a sealed value', () => {
  test('opens to the same bytes under the same owner', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (content, owner) => {
        expect(before.open(before.seal(content, owner), owner)).toEqual(Buffer.from(content));
      }),
    );
  });

  test('does not open under another owner, so that it cannot be moved to another row', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (owner, other) => {
        fc.pre(owner !== other);
        expect(() => before.open(before.seal('secret', owner), other)).toThrow(SealingError);
      }),
    );
  });

  test('does not open once any character of it was changed', () => {
    const sealed = before.seal('the content of a row', 'certificate:1');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'B', 'q', '.', '-'), (index, character) => {
        fc.pre(sealed[index] !== character);
        const changed = sealed.slice(0, index) + character + sealed.slice(index + 1);
        // The last character of base64 may hold bits that mean nothing: such a change changes no byte.
        fc.pre(
          !Buffer.from(changed.split('.')[3] ?? '', 'base64url').equals(
            Buffer.from(sealed.split('.')[3] ?? '', 'base64url'),
          ) || index < sealed.lastIndexOf('.'),
        );
        expect(() => before.open(changed, 'certificate:1')).toThrow(SealingError);
      }),
      { numRuns: 300 },
    );
  });

  test('never looks the same twice and names only its version and key', () => {
    const [first, second] = [before.seal('same', 'x'), before.seal('same', 'x')];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.old\.[\w-]{16}\.[\w-]+$/);
  });

  test('cannot be relabelled to another key of the ring', () => {
    const relabelled = before.seal('secret', 'x').replace('v1.old.', 'v1.new.');
    expect(() => during.open(relabelled, 'x')).toThrow('A value sealed with key "new" does not open');
  });

  test('of a layout from the future is refused as such', () => {
    expect(() => before.open(before.seal('secret', 'x').replace('v1', 'v2'), 'x')).toThrow(
      'It may come from a newer release.',
    );
  });

  test('arbitrary text is refused, never opened', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `v1.old.${text}`),
        ),
        (text) => {
          expect(() => before.open(text, 'x')).toThrow(SealingError);
        },
      ),
    );
  });
});

describe('rotating keys', () => {
  test('the first key seals and all keys open', () => {
    expect(during.primaryId).toBe('new');
    expect(during.keyIds).toEqual(['new', 'old']);
    expect(during.open(before.seal('secret', 'x'), 'x').toString()).toBe('secret');
    expect(during.seal('secret', 'x')).toMatch(/^v1\.new\./);
  });

  test('values of older keys are found, resealed, and open without the old key', () => {
    const sealed = before.seal('secret', 'x');
    expect(during.needsReseal(sealed)).toBe(true);
    const resealed = during.reseal(sealed, 'x');
    expect(during.needsReseal(resealed)).toBe(false);
    expect(after.open(resealed, 'x').toString()).toBe('secret');
  });

  test('a key that is gone is named, with what to do', () => {
    expect(() => after.open(before.seal('secret', 'x'), 'x')).toThrow(
      'The key "old" that sealed a stored value is not in the key ring (it has: new). Add its line back to the key file.',
    );
  });

  test('a different key under the same id is told apart from a good one', () => {
    const impostor = KeyRing.parse(newLine.replace('new:', 'old:'));
    expect(() => impostor.open(before.seal('secret', 'x'), 'x')).toThrow(
      'the key of that id is a different one',
    );
  });
});

describe('the text of a key ring', () => {
  test('may hold comments, blank lines, spaces and line ends of Windows', () => {
    expect(KeyRing.parse(`# mine\r\n\r\n  ${newLine} \r\n${oldLine}\r\n`).keyIds).toEqual(['new', 'old']);
  });

  test('a generated line is a ring of its own, with another key each time', () => {
    const [first, second] = [generateKeyFileLine(), generateKeyFileLine()];
    expect(first).not.toBe(second);
    expect(KeyRing.parse(`${first}\n${second}`).keyIds).toHaveLength(2);
  });

  test('from the environment may be separated by commas', () => {
    expect(KeyRing.fromEnvironment(`${newLine},${oldLine}`, 'JEROBOAM_KEYS').keyIds).toEqual(['new', 'old']);
    expect(() => KeyRing.fromEnvironment('', 'JEROBOAM_KEYS')).toThrow(
      'The environment variable JEROBOAM_KEYS holds no key.',
    );
  });

  test.each([
    ['# only a comment', 'holds no key'],
    ['nocolon', 'line 1: expected "id:base64"'],
    [`\n:${'A'.repeat(43)}=`, 'line 2: the key id before the colon must be'],
    [`a b:${'A'.repeat(43)}=`, 'line 1: the key id before the colon must be'],
    ['short:AAAA', 'line 1: the key after the colon must be 32 bytes in base64'],
    [`${newLine}\n${newLine}`, 'line 2: key id "new" is used twice'],
  ])('%j is refused with its place and reason', (text, reason) => {
    expect(() => KeyRing.parse(text)).toThrow(SealingError);
    expect(() => KeyRing.parse(text)).toThrow(reason);
  });

  test('a ring shows no key, however it is printed', () => {
    for (const text of [inspect(during, { depth: 9, showHidden: true }), JSON.stringify(during)]) {
      expect(text).not.toContain(newLine.split(':')[1]);
      expect(text).not.toMatch(/02 02 02|2,2,2/);
    }
  });
});
