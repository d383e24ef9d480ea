import * as fc from 'fast-check';

/** Words that have bitten someone somewhere: names of Object's own members, NUL, halves of characters. */
export const awkwardText = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '\0',
  '\ud800',
  'a\udfff',
  '😀',
  "it's",
  '"',
  '\\',
  '\n\t\r',
  '\u00a0\u200b\u2028',
  'x'.repeat(3000),
);

export const anyText = fc.oneof({ weight: 3, arbitrary: fc.string({ unit: 'grapheme' }) }, awkwardText);

const jsonWith = (numbers: fc.Arbitrary<number>): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      numbers,
      anyText,
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(anyText, tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  })).value;

/** Any JSON value a parser can hand over, with own properties of any name and numbers without end (1e400). */
export const anyJson = jsonWith(fc.double({ noNaN: true }));

/** JSON whose numbers survive every notation. */
export const plainJson = jsonWith(
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
);

/** A value nested so deep that a careless reader runs out of stack. */
export function nested(depth: number, inside: unknown = 1): unknown {
  let value = inside;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
