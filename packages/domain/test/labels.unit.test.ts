import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLabels, inheritLabels, type Labels } from '@jeroboam/domain';

const key = fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'toString'), fc.string());
const labels: fc.Arbitrary<Labels> = fc
  .array(fc.tuple(key, fc.constantFrom('1', '2', '')))
  .map((entries) => Object.fromEntries(entries));

describe('labels are inherited', () => {
  test.each([null, undefined])('whole where %s are given', (given) => {
    expect(inheritLabels({ a: '1' }, given, false)).toStrictEqual({ a: '1' });
    expect(inheritLabels({ a: '1' }, given, true)).toStrictEqual({ a: '1' });
  });

  test('not at all where others are given', () => {
    expect(inheritLabels({ a: '1', b: '2' }, { b: '3' }, false)).toStrictEqual({ b: '3' });
    expect(inheritLabels({ a: '1' }, {}, false)).toStrictEqual({});
  });

  test('under the given ones where both are merged', () => {
    expect(inheritLabels({ a: '1', b: '2' }, { b: '3', c: '4' }, true)).toStrictEqual({
      a: '1',
      b: '3',
      c: '4',
    });
  });

  test('as a copy: changing one never changes the other', () => {
    const inherited = { a: '1' };
    for (const merge of [true, false]) expect(inheritLabels(inherited, null, merge)).not.toBe(inherited);
  });

  test('once: merging the same labels again changes nothing', () => {
    fc.assert(
      fc.property(labels, labels, (inherited, given) => {
        const once = inheritLabels(inherited, given, true);
        expect(inheritLabels(once, given, true)).toStrictEqual(once);
        expect(inheritLabels(inherited, once, true)).toStrictEqual(once);
      }),
    );
  });
});

describe('the difference to the parent’s labels', () => {
  test('shows overridden and skipped ones with the parent’s value, added ones with their own', () => {
    expect(diffLabels({ l1: 'v1', l2: 'v2', l3: 'v3' }, { l1: 'x', l3: 'v3', l4: 'v4' })).toStrictEqual({
      labels_overridden: { l1: 'v1' },
      labels_added: { l4: 'v4' },
      labels_skipped: { l2: 'v2' },
    });
  });

  test('is nothing where nothing differs', () => {
    const none = { labels_overridden: {}, labels_added: {}, labels_skipped: {} };
    expect(diffLabels({}, {})).toStrictEqual(none);
    expect(diffLabels({ a: '1' }, { a: '1' })).toStrictEqual(none);
  });

  test('is nothing but added ones under a parent without labels', () => {
    expect(diffLabels({}, { a: '1' }).labels_added).toStrictEqual({ a: '1' });
  });

  test('together with the own labels gives back the parent’s', () => {
    fc.assert(
      fc.property(labels, labels, (parent, own) => {
        const { labels_overridden, labels_added, labels_skipped } = diffLabels(parent, own);
        const kept = Object.entries(own).filter(([name]) => !Object.hasOwn(labels_added, name));
        const rebuilt = { ...Object.fromEntries(kept), ...labels_overridden, ...labels_skipped };
        expect(rebuilt).toStrictEqual({ ...parent });
      }),
      { numRuns: 500 },
    );
  });

  test('names no label twice, and changes neither side', () => {
    fc.assert(
      fc.property(labels, labels, (parent, own) => {
        const before = JSON.stringify([parent, own]);
        const names = Object.values(diffLabels(parent, own)).flatMap((part) => Object.keys(part as object));
        expect(new Set(names).size).toBe(names.length);
        expect(JSON.stringify([parent, own])).toBe(before);
      }),
    );
  });
});
