import type { Attribute } from '@jeroboam/domain';
import * as fc from 'fast-check';

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** JSON texts that go wrong somewhere: types, ranges, characters, keys. Sent for every attribute there is. */
export const nastyValues: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '2147483647',
  '2147483648',
  '-1e999',
  '1e999',
  '""',
  '" \\n"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\u202e\\u200b🦄e\\u0301"',
  `"${'é'.repeat(255)}"`,
  `"${'x'.repeat(5000)}"`,
  `"${'1'.repeat(400)}"`,
  '"1_0"',
  '"٣"',
  '"NaN"',
  '"__proto__"',
  '"../../../etc/passwd"',
  `"'; drop table cluster; --"`,
  '"00000000-0000-0000-0000-000000000000"',
  '"2020-13-45T99:99:99Z"',
  '"999.999.999.999"',
  '[]',
  '[null]',
  '[[{}]]',
  '["\\u0000"]',
  deep(50),
  '{}',
  '{"a":null}',
  '{"a":{"b":[]}}',
  '{"a":1e999}',
  '{"\\u0000":"x"}',
  '{"a":"\\ud800"}',
  '{"__proto__":{"polluted":true}}',
  '{"__proto__":"x","constructor":"y","toString":"t","":"e"}',
  '{"a":"1","a":"2"}',
];

/** Those for one attribute: where none can be right, a few are enough. */
export const nastyValuesFor = (attribute: Attribute): readonly string[] =>
  attribute.readOnly === true ? nastyValues.filter((_value, index) => index % 8 === 0) : nastyValues;

/** What is only large. Sent for one attribute of each table, since it costs more and finds less. */
export const largeValues: readonly string[] = [
  `1${'0'.repeat(5000)}`,
  `"${'x'.repeat(60_000)}"`,
  `"${'1'.repeat(60_000)}"`,
  `"${'\\u0000'.repeat(10_000)}"`,
  `[${'0,'.repeat(20_000)}0]`,
  `[${'{},'.repeat(20_000)}{}]`,
  deep(10_000),
  `{"${'k'.repeat(60_000)}":"v"}`,
  `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":"v"`).join()}}`,
];

/** Any JSON value, odd characters and dangerous keys included. */
export const anyJson = fc.letrec((tie) => ({
  key: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'length', 'name', ''),
  ),
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: fc.constantFrom('\0', '\ud800', '\udc00', "'", '"', '\\', '/', '%', ';', 'é', '𝒳') }),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(tie('key'), tie('value')), { maxLength: 4 })
      // As own keys: a literal or an assignment of __proto__ would set the prototype and send nothing.
      .map((entries) => Object.fromEntries(entries as [string, unknown][])),
  ),
})).value;
