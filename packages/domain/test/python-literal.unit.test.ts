import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePythonLiteral, pythonRepr } from '@jeroboam/domain';
import { anyText, nested, plainJson } from './support/arbitraries.ts';

describe('a literal is read', () => {
  test.each<[string, unknown]>([
    ["{'a': 'b'}", { a: 'b' }],
    ['{"a": "b"}', { a: 'b' }],
    [" { 'a' : 1 , } ", { a: 1 }],
    ['{}', {}],
    ['[]', []],
    ['[1, 2,]', [1, 2]],
    ["('a', 'b')", ['a', 'b']],
    ['[True, False, None]', [true, false, null]],
    ['[true, false, null]', [true, false, null]],
    ['-1', -1],
    ['+1.5e3', 1500],
    ['.5', 0.5],
    ["{'a': {'b': [{'c': 1}]}}", { a: { b: [{ c: 1 }] } }],
    ["{'a': 1, 'a': 2}", { a: 2 }],
    [String.raw`'it\'s'`, "it's"],
    [`"it's"`, "it's"],
    [String.raw`'\n\r\t\\\"\/\a\b\f\v'`, '\n\r\t\\"/\u0007\b\f\v'],
    [String.raw`'\x41\u00e9\U0001f600'`, 'Aé😀'],
    [String.raw`"\ud83d\ude00"`, '😀'],
    [String.raw`'\d+'`, String.raw`\d+`],
  ])('%s', (text, value) => {
    expect(parsePythonLiteral(text)).toStrictEqual(value);
  });

  test('with keys named like members of every object as keys like any other', () => {
    const value = parsePythonLiteral("{'__proto__': {'polluted': 1}, 'constructor': 2}") as object;
    expect(Object.keys(value)).toStrictEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('as deep as is sensible, and no deeper', () => {
    const literal = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    expect(parsePythonLiteral(literal(32))).toBeInstanceOf(Array);
    for (const depth of [33, 100_000]) {
      expect(() => parsePythonLiteral(literal(depth))).toThrow(new SyntaxError('too many nested levels'));
    }
    expect(() => parsePythonLiteral("{'a':".repeat(100_000))).toThrow(
      new SyntaxError('too many nested levels'),
    );
  });
});

describe('what is no literal is refused with the reason', () => {
  test.each<[string, string]>([
    ['', 'invalid syntax'],
    ['a=b', 'invalid syntax'],
    ['abc', 'invalid syntax'],
    ['1 2', 'invalid syntax'],
    ['{', 'invalid syntax'],
    ['{,}', 'invalid syntax'],
    ["{'a'}", 'invalid syntax'],
    ["{'a': 1 'b': 2}", 'invalid syntax'],
    ["{'a': 1}}", 'invalid syntax'],
    ['[1 2]', 'invalid syntax'],
    ['[1', 'invalid syntax'],
    ['[1)', 'invalid syntax'],
    ['0x10', 'invalid syntax'],
    ['toString', 'invalid syntax'],
    ['__proto__', 'invalid syntax'],
    ["{1: 'a'}", 'a key must be a string'],
    ["{None: 'a'}", 'a key must be a string'],
    ["{[1]: 'a'}", 'a key must be a string'],
    ["'a", 'unterminated string literal'],
    ["'a\n'", 'unterminated string literal'],
    [String.raw`'\'`, 'unterminated string literal'],
    [`'\\`, 'unknown escape'],
    [String.raw`'\x4'`, 'unknown escape'],
    [String.raw`'\u12g4'`, 'unknown escape'],
    [String.raw`'\U00110000'`, 'unknown escape'],
    [String.raw`'\0'`, 'unknown escape'],
    [String.raw`'\N{DASH}'`, 'unknown escape'],
  ])('%j', (text, reason) => {
    expect(() => parsePythonLiteral(text)).toThrow(new SyntaxError(reason));
  });

  test.each([
    "__import__('os').system('true')",
    '(lambda: 1)()',
    'process.exit(1)',
    '1 + 1',
    "'a' * 10",
    "f'{1}'",
    '`1`',
    '${1}',
    'globalThis',
    '[x for x in (1, 2)]',
  ])('nothing is ever evaluated: %s', (text) => {
    expect(() => parsePythonLiteral(text)).toThrow(SyntaxError);
  });
});

describe('whatever the text', () => {
  const readsOrRefuses = (text: string): boolean => {
    try {
      return parsePythonLiteral(text) !== undefined;
    } catch (error) {
      return error instanceof SyntaxError;
    }
  };
  const marks = [
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    "'",
    '"',
    ':',
    ',',
    '\\',
    ' ',
    '\n',
    'a',
    '1',
    '-',
    '.',
    'e',
    'x',
    'u',
  ];
  const almost = fc.array(fc.constantFrom(...marks, 'True', 'None', "'k': ")).map((parts) => parts.join(''));

  test('the outcome is a value or a SyntaxError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          almost,
          anyText,
          plainJson.map((value) => pythonRepr(value).slice(0, -1)),
        ),
        (text) => {
          expect(readsOrRefuses(text)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('Python’s spelling of a value reads as the value', () => {
    fc.assert(
      fc.property(plainJson, (value) => {
        expect(JSON.stringify(parsePythonLiteral(pythonRepr(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 500 },
    );
  });

  test('JSON’s spelling of a value reads as the value', () => {
    fc.assert(
      fc.property(plainJson, (value) => {
        expect(JSON.stringify(parsePythonLiteral(JSON.stringify(value)))).toBe(JSON.stringify(value));
      }),
      { numRuns: 500 },
    );
  });

  test('nesting within bounds survives the round trip', () => {
    const value = nested(32);
    expect(parsePythonLiteral(pythonRepr(value))).toStrictEqual(value);
  });
});
