import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameValue } from '@jeroboam/domain';
import { plainJson } from './support/arbitraries.ts';

/** The same value with the keys of all its maps in another order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, turned(item)] as const)
      .toReversed(),
  );
}

describe('two values say the same', () => {
  test('when they are copies, in whatever order their keys stand', () => {
    fc.assert(
      fc.property(plainJson, (value) => {
        expect(sameValue(value, structuredClone(value))).toBe(true);
        expect(sameValue(value, turned(value))).toBe(true);
      }),
    );
  });

  test('in one direction as in the other', () => {
    fc.assert(
      fc.property(plainJson, plainJson, (one, other) => {
        expect(sameValue(one, other)).toBe(sameValue(other, one));
      }),
    );
  });

  test.each<[unknown, unknown]>([
    [{}, []],
    [{ 0: 'a' }, ['a']],
    [{}, null],
    [0, false],
    [0, null],
    ['1', 1],
    ['', null],
    [undefined, null],
    [{ a: null }, {}],
    [{ a: undefined }, { b: undefined }],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a'], ['a', 'a']],
    [{ a: { b: '1' } }, { a: { b: 1 } }],
    [{ toString: 1 }, {}],
    [JSON.parse('{"__proto__": 1}'), {}],
  ])('not when they are %j and %j', (one, other) => {
    expect(sameValue(one, other)).toBe(false);
    expect(sameValue(other, one)).toBe(false);
  });
});
