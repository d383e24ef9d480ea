import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printCheck } from '../../src/policy/check.ts';
import type { Check, Template } from '../../src/policy/check.ts';
import { compileCheck } from '../../src/policy/compile-check.ts';
import type { CompiledCheck } from '../../src/policy/compile-check.ts';
import { CheckSyntaxError } from '../../src/policy/parse-atom.ts';
import { parseCheck } from '../../src/policy/parse-check.ts';

const noRules = (name: string): CompiledCheck => {
  throw new Error(`unexpected reference to ${name}`);
};

/** Small worlds, so that random checks hold about as often as not. */
const word = fc.constantFrom('a', 'b', 'c');
const template: fc.Arbitrary<Template> = fc.oneof(
  word.map((text) => [text]),
  word.map((attribute) => [{ attribute }]),
  fc.tuple(word, word).map(([text, attribute]) => [`${text}%`, { attribute }]),
);
const atom: fc.Arbitrary<Check> = fc.oneof(
  fc.constant<Check>({ kind: 'allow' }),
  fc.constant<Check>({ kind: 'deny' }),
  template.map((match): Check => ({ kind: 'role', match })),
  fc.tuple(word, template).map(([text, match]): Check => ({ kind: 'literal', text, match })),
  fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 2 }), template)
    .map(([path, match]): Check => ({ kind: 'credential', path, match })),
);
const { tree } = fc.letrec<{ tree: Check }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    atom,
    tie('tree').map((check): Check => ({ kind: 'not', check })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('tree'), { minLength: 2, maxLength: 4 }))
      .map(([kind, checks]): Check => ({ kind, checks })),
  ),
}));
const value = fc.oneof(word, fc.record({ a: word, b: word }, { requiredKeys: [] }), fc.array(word));
const credentials = fc.record({
  roles: fc.array(word),
  project_id: fc.option(word),
  user_id: word,
  a: value,
  b: value,
});
const target = fc.record({ a: word, b: word, c: word }, { requiredKeys: [] });

/** The least clever evaluation there is, to hold the compiled one against. */
function evaluate(check: Check, who: Record<string, unknown>, what: Record<string, unknown>): boolean {
  switch (check.kind) {
    case 'not':
      return !evaluate(check.check, who, what);
    case 'and':
      return check.checks.every((part) => evaluate(part, who, what));
    case 'or':
      return check.checks.some((part) => evaluate(part, who, what));
    default:
      return compileCheck(check, noRules)({ roles: [], project_id: null, user_id: '', ...who }, what);
  }
}

describe('a check', () => {
  test('means the same after it was printed and read again', () => {
    fc.assert(
      fc.property(tree, credentials, target, (check, who, what) => {
        const again = compileCheck(parseCheck(printCheck(check)), noRules);
        expect(again(who, what)).toBe(evaluate(check, who, what));
      }),
      { numRuns: 500 },
    );
  });

  test('is read the same however it is spaced and its operators are cased', () => {
    const spaces = fc.stringMatching(/^[ \t\n]{1,3}$/);
    fc.assert(
      fc.property(tree, spaces, fc.boolean(), (check, space, upper) => {
        const text = printCheck(check)
          .replaceAll(/\b(and|or|not) /g, (operator) => (upper ? operator.toUpperCase() : operator))
          .replaceAll(' ', space);
        expect(parseCheck(text)).toEqual(parseCheck(printCheck(check)));
      }),
    );
  });

  test('binds "not" tighter than "and", and "and" tighter than "or"', () => {
    const role = (name: string): Check => ({ kind: 'role', match: [name] });
    expect(parseCheck('not role:a and role:b or role:c and role:d')).toEqual({
      kind: 'or',
      checks: [
        { kind: 'and', checks: [{ kind: 'not', check: role('a') }, role('b')] },
        { kind: 'and', checks: [role('c'), role('d')] },
      ],
    });
  });

  test('allows everyone when it is empty', () => {
    expect(parseCheck('')).toEqual({ kind: 'allow' });
  });
});

describe('a check that means nothing', () => {
  test.for([
    ['role:member and', 'it ends where a check is expected'],
    ['and role:member', 'a check is expected before "and"'],
    ['role:member role:admin', '"and" or "or" is missing before "role:admin"'],
    ['(role:member role:admin)', '"and" or "or" is missing before "role:admin"'],
    ['(role:member', 'a "(" is never closed'],
    ['role:member)', 'there is a ")" without its "("'],
    ['not', 'it ends where a check is expected'],
    ['()', 'a check is expected before ")"'],
    ['   ', 'it ends where a check is expected'],
    ['role:member or or role:admin', 'a check is expected before "or"'],
    ['@ not', '"and" or "or" is missing before "not"'],
    ['admin', '"admin" is not a check: write role:…, rule:…, attribute:%(attribute)s, @ or !'],
    ["'quoted'", `"'quoted'" is not a check: write role:…, rule:…, attribute:%(attribute)s, @ or !`],
    ['rule:', '"rule:" names no rule'],
    ['role:', '"role:" names no role'],
    ['project_id:%(project_id)', '"%(project_id" has a "%" that does not begin "%(attribute)s"'],
    ['project_id:%(a)d', '"%(a)d" has a "%" that does not begin "%(attribute)s"'],
    ['a b:c', '"a" is not a check: write role:…, rule:…, attribute:%(attribute)s, @ or !'],
    ['$x:y', '"$x" is neither a literal nor the name of a credential'],
    ['http://ask.me/%(id)s', '"http:" checks, which ask a remote server, are not supported'],
  ] as const)('%j is refused: %s', ([text, reason]) => {
    expect(() => parseCheck(text)).toThrow(new CheckSyntaxError(reason));
  });

  test('is refused when it is nested too deeply to be followed', () => {
    const deep = (levels: number) => `${'('.repeat(levels)}@${')'.repeat(levels)}`;
    expect(parseCheck(deep(100))).toEqual({ kind: 'allow' });
    expect(() => parseCheck(deep(101))).toThrow('nested more than 100 levels deep');
    expect(() => parseCheck(deep(100_000))).toThrow(CheckSyntaxError);
    expect(() => parseCheck(`${')'.repeat(100_000)}x`)).toThrow(CheckSyntaxError);
    expect(() => parseCheck(`${'not '.repeat(101)}@`)).toThrow('nested more than 100 levels deep');
  });

  test('is refused with a reason and never with a crash, whatever is written', () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      ' ',
      'and',
      'or',
      'not',
      'role:',
      'a:b',
      '%',
      '%(x)s',
      '@',
      '!',
      ':',
      "'",
    );
    const outcome = (text: string): unknown => {
      try {
        return parseCheck(text);
      } catch (error) {
        return error instanceof CheckSyntaxError ? error.message : error;
      }
    };
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        expect(outcome(pieces.join(''))).not.toBeInstanceOf(Error);
      }),
      { numRuns: 500 },
    );
  });
});
