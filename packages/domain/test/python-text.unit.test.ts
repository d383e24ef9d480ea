import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pythonClass, pythonRepr, pythonText, shownText } from '@jeroboam/domain';
import { anyJson, nested } from './support/arbitraries.ts';

describe('repr spells a value as Python does', () => {
  test.each<[unknown, string]>([
    [null, 'None'],
    [undefined, 'None'],
    [true, 'True'],
    [false, 'False'],
    [0, '0'],
    [-0, '0'],
    [-7, '-7'],
    [1.5, '1.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [-0.0000125, '-1.25e-05'],
    [1e-10, '1e-10'],
    [1e22, '1e+22'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [Number.NaN, 'nan'],
    ['a', "'a'"],
    ["it's", `"it's"`],
    ['"', `'"'`],
    [`it's "`, String.raw`'it\'s "'`],
    ['a\\b', String.raw`'a\\b'`],
    ['\n\r\t', String.raw`'\n\r\t'`],
    ['\0\u001f\u007f', String.raw`'\x00\x1f\x7f'`],
    ['\u00a0\u200b\u2028', String.raw`'\xa0\u200b\u2028'`],
    ['\ud800', String.raw`'\ud800'`],
    ['\u{e0001}', String.raw`'\U000e0001'`],
    ['\uffff', String.raw`'\uffff'`],
    ['é名😀', "'é名😀'"],
    [[], '[]'],
    [[1, 'a', null], "[1, 'a', None]"],
    [{}, '{}'],
    [{ a: 1, "b'": [true] }, `{'a': 1, "b'": [True]}`],
  ])('%j', (value, expected) => {
    expect(pythonRepr(value)).toBe(expected);
  });

  test('keeps names of members of every object as they are', () => {
    expect(
      pythonRepr(
        Object.fromEntries([
          ['__proto__', 1],
          ['toString', 2],
        ]),
      ),
    ).toBe("{'__proto__': 1, 'toString': 2}");
  });

  test('cuts what is nested without end instead of running out of stack', () => {
    expect(pythonRepr(nested(65))).not.toContain('...');
    for (const depth of [66, 100_000]) expect(pythonRepr(nested(depth))).toContain('...');
  });
});

test('str is as repr, but text stands for itself', () => {
  expect(pythonText("it's\n")).toBe("it's\n");
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(pythonText(value)).toBe(typeof value === 'string' ? value : pythonRepr(value));
    }),
  );
});

describe('text for an error message', () => {
  test('is the value where that is short', () => {
    expect(shownText({ a: 'b' })).toBe("{'a': 'b'}");
  });

  test('is the beginning where it is long', () => {
    expect(shownText('x'.repeat(1000))).toBe('x'.repeat(1000));
    expect(shownText('x'.repeat(1001))).toBe(`${'x'.repeat(1000)}…`);
    expect(shownText('x'.repeat(5000))).toBe(`${'x'.repeat(1000)}…`);
  });

  test('never holds half a character, not even where it was cut', () => {
    expect(shownText('a\ud800')).toBe('a\ufffd');
    expect(shownText(`${'x'.repeat(999)}😀😀`)).toBe(`${'x'.repeat(999)}\ufffd…`);
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = shownText(value);
        expect(text.isWellFormed()).toBe(true);
        expect(text.length).toBeLessThanOrEqual(1001);
      }),
    );
  });
});

test.each<[unknown, string]>([
  [null, 'NoneType'],
  [undefined, 'NoneType'],
  [true, 'bool'],
  [1, 'int'],
  [1.5, 'float'],
  ['', 'str'],
  [[], 'list'],
  [{}, 'dict'],
])('the class of %j is %s', (value, name) => {
  expect(pythonClass(value)).toBe(name);
});
