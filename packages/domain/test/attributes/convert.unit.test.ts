import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isStorableText, maxInteger, parseAttribute, type AttributeType } from '@jeroboam/domain';
import { anyJson, nested } from '../support/arbitraries.ts';
import { faultOf, holds, outcomeOf } from '../support/faults.ts';

const attributeOf = (type: AttributeType) => ({ name: 'field', type, description: 'An attribute.' });
const parse = (type: AttributeType, value: unknown) => parseAttribute(attributeOf(type), value);
const words = (shown: string, reason: string) =>
  `Invalid input for field/attribute field. Value: '${shown}'. ${reason}`;

const strictString: AttributeType = { kind: 'string', min: 1, max: 5, pattern: '^[a-z]*$' };
const anyString: AttributeType = { kind: 'string' };
const text: AttributeType = { kind: 'text' };
const uuid: AttributeType = { kind: 'uuid' };
const port: AttributeType = { kind: 'integer', min: 1024, max: 65535 };
const count: AttributeType = { kind: 'integer', min: 0 };
const number: AttributeType = { kind: 'integer' };
const boolean: AttributeType = { kind: 'boolean' };
const choice: AttributeType = { kind: 'choice', of: ['vm', 'bm'] };
const labels: AttributeType = { kind: 'map', of: 'scalar' };
const nodeLabels: AttributeType = { kind: 'map', of: 'text' };
const reasons: AttributeType = { kind: 'map', of: 'anything' };
const texts: AttributeType = { kind: 'list', of: text };
const taints: AttributeType = { kind: 'list', of: nodeLabels };

/** Own properties only, so that `__proto__` is a key like any other. */
const own = (...entries: [string, unknown][]): unknown => Object.fromEntries(entries);

describe('what is accepted comes out in the one form the service keeps', () => {
  test.each<[string, AttributeType, unknown, unknown]>([
    ['a string within its limits', strictString, 'abcde', 'abcde'],
    [
      'a string of five characters outside the basic plane',
      { kind: 'string', max: 5 },
      '😀'.repeat(5),
      '😀'.repeat(5),
    ],
    ['an empty string where none is too short', { kind: 'string', min: 0, max: 255 }, '', ''],
    ['a string without limits however long', anyString, 'x'.repeat(100_000), 'x'.repeat(100_000)],
    ['a string named like a member of every object', anyString, '__proto__', '__proto__'],
    ['plain text', text, 'constructor', 'constructor'],
    ['a uuid', uuid, '99999999-9999-4999-8999-999999999999', '99999999-9999-4999-8999-999999999999'],
    [
      'a uuid in capitals',
      uuid,
      'ABCDEFAB-9999-4999-8999-ABCDEFABCDEF',
      'abcdefab-9999-4999-8999-abcdefabcdef',
    ],
    [
      'a uuid without dashes',
      uuid,
      '99999999999949998999999999999999',
      '99999999-9999-4999-8999-999999999999',
    ],
    ['an integer', port, 6443, 6443],
    ['the least integer allowed', port, 1024, 1024],
    ['the greatest integer allowed', port, 65535, 65535],
    ['an integer as text', port, '6443', 6443],
    ['an integer as text with blanks, a sign and an underscore', port, ' +6_443 ', 6443],
    ['a fraction, cut off', count, 2.7, 2],
    ['true as one', count, true, 1],
    ['false as zero', count, false, 0],
    ['a negative fraction near zero as zero', count, -0.5, 0],
    ['minus zero as zero', count, -0, 0],
    ['minus zero as text', count, '-0', 0],
    ['the greatest integer the store keeps', count, maxInteger, maxInteger],
    ['true', boolean, true, true],
    ['a choice', choice, 'bm', 'bm'],
    [
      'labels of every scalar, in Python spelling',
      labels,
      { a: true, b: false, c: 2, d: 2.5, e: '', f: 0.00001 },
      { a: 'True', b: 'False', c: '2', d: '2.5', e: '', f: '1e-05' },
    ],
    [
      'labels named like members of every object',
      labels,
      own(['__proto__', 1], ['constructor', 'x'], ['toString', true]),
      own(['__proto__', '1'], ['constructor', 'x'], ['toString', 'True']),
    ],
    ['a map of text', nodeLabels, { tier: 'gpu' }, { tier: 'gpu' }],
    ['an empty map', nodeLabels, {}, {}],
    [
      'a free map',
      reasons,
      { api: 'ok', nodes: [1, null, { ready: true }] },
      { api: 'ok', nodes: [1, null, { ready: true }] },
    ],
    ['a free map nested as deep as is allowed', reasons, { a: nested(31) }, { a: nested(31) }],
    ['a list of text', texts, ['a', 'b'], ['a', 'b']],
    ['an empty list', texts, [], []],
    ['a list of maps', taints, [{ key: 'a', effect: 'NoSchedule' }], [{ key: 'a', effect: 'NoSchedule' }]],
  ])('%s', (_case, type, value, expected) => {
    expect(parse(type, value)).toStrictEqual(expected);
  });

  test.each(['1', 't', 'true', 'on', 'y', 'yes', 'TRUE', 'Yes', ' on '])('the word %j means true', (word) => {
    expect(parse(boolean, word)).toBe(true);
  });

  test.each(['0', 'f', 'false', 'off', 'n', 'no', 'FALSE', 'No', ' off '])(
    'the word %j means false',
    (word) => {
      expect(parse(boolean, word)).toBe(false);
    },
  );

  test('the numbers one and zero mean true and false', () => {
    expect([parse(boolean, 1), parse(boolean, 0)]).toStrictEqual([true, false]);
  });

  test.each([strictString, text, uuid, port, boolean, choice, labels, nodeLabels, reasons, texts])(
    'null stands for "not given" for the kind $kind',
    (type) => {
      expect(parse(type, null)).toBeNull();
    },
  );
});

describe('what is refused is refused in words that name the field, the value and the reason', () => {
  const unstorable = 'Value should not contain NUL or malformed characters';
  const scalars =
    "Wrong type. Expected '(<class 'str'>, <class 'int'>, <class 'bool'>, <class 'float'>)', got";
  test.each<[string, AttributeType, unknown, string, string]>([
    ['too short a string', strictString, '', '', 'Value should have a minimum character requirement of 1'],
    [
      'too long a string',
      strictString,
      'abcdef',
      'abcdef',
      'Value should have a maximum character requirement of 5',
    ],
    ['a string off the pattern', strictString, 'Ab', 'Ab', 'Value should match the pattern ^[a-z]*$'],
    [
      'a string off the pattern by its last line',
      strictString,
      'ab\n',
      'ab\n',
      'Value should match the pattern ^[a-z]*$',
    ],
    ['a number for a string', strictString, 1, '1', 'Value should be string'],
    ['a list for a string', strictString, ['a'], "['a']", 'Value should be string'],
    ['a map for a string', strictString, {}, '{}', 'Value should be string'],
    ['NUL in a string', anyString, 'a\0b', 'a\0b', unstorable],
    ['half a character in a string', anyString, 'a\ud800', 'a\ufffd', unstorable],
    ['a number for text', text, 1, '1', "Wrong type. Expected '<class 'str'>', got '<class 'int'>'"],
    ['a fraction for text', text, 1.5, '1.5', "Wrong type. Expected '<class 'str'>', got '<class 'float'>'"],
    ['true for text', text, true, 'True', "Wrong type. Expected '<class 'str'>', got '<class 'bool'>'"],
    [
      'a map for text',
      text,
      { a: 'b' },
      "{'a': 'b'}",
      "Wrong type. Expected '<class 'str'>', got '<class 'dict'>'",
    ],
    ['NUL in text', text, '\0', '\0', unstorable],
    ['half a character in text', text, '\udfff', '\ufffd', unstorable],
    ['too small an integer', port, 80, '80', 'Value should be greater or equal to 1024'],
    ['too great an integer', port, 65536, '65536', 'Value should be lower or equal to 65535'],
    [
      'a fraction, judged and shown as it was cut off',
      port,
      1.5,
      '1',
      'Value should be greater or equal to 1024',
    ],
    [
      'text, judged and shown as the number it is',
      port,
      ' 080 ',
      '80',
      'Value should be greater or equal to 1024',
    ],
    ['true where one is too small', port, true, '1', 'Value should be greater or equal to 1024'],
    ['a negative number', count, -1, '-1', 'Value should be greater or equal to 0'],
    [
      'an integer the store cannot keep',
      count,
      2_147_483_648,
      '2147483648',
      'Value should be lower or equal to 2147483647',
    ],
    [
      'a negative integer the store cannot keep',
      number,
      -2_147_483_648,
      '-2147483648',
      'Value should be greater or equal to -2147483647',
    ],
    ['a number without end', count, Infinity, 'inf', 'Value should be lower or equal to 2147483647'],
    [
      'more digits than a number has',
      count,
      '9'.repeat(400),
      '9'.repeat(400),
      'Value should be lower or equal to 2147483647',
    ],
    ['a word for an integer', count, 'x', 'x', "invalid literal for int() with base 10: 'x'"],
    [
      'a number and a letter for an integer',
      count,
      '2x',
      '2x',
      "invalid literal for int() with base 10: '2x'",
    ],
    [
      'a fraction as text for an integer',
      count,
      '1.5',
      '1.5',
      "invalid literal for int() with base 10: '1.5'",
    ],
    ['empty text for an integer', count, '', '', "invalid literal for int() with base 10: ''"],
    ['a list for an integer', count, [], '[]', "Value should be an integer, not 'list'"],
    ['a map for an integer', count, {}, '{}', "Value should be an integer, not 'dict'"],
    ['a word for a boolean', boolean, 'maybe', 'maybe', 'Value should be a boolean: true or false'],
    ['a number for a boolean', boolean, 2, '2', 'Value should be a boolean: true or false'],
    ['a list for a boolean', boolean, [true], '[True]', 'Value should be a boolean: true or false'],
    [
      'a name of every object for a boolean',
      boolean,
      'constructor',
      'constructor',
      'Value should be a boolean: true or false',
    ],
    ['no choice', choice, 'lxc', 'lxc', 'Value should be one of: vm, bm'],
    ['an empty choice', choice, '', '', 'Value should be one of: vm, bm'],
    ['a number for a choice', choice, 1, '1', 'Value should be one of: vm, bm'],
    ['a list that reads like a choice', choice, ['vm'], "['vm']", 'Value should be one of: vm, bm'],
    ['text for a map', labels, 'a=b', 'a=b', 'Value not a valid dict: a=b'],
    ['a list for a map', labels, [], '[]', 'Value not a valid dict: []'],
    ['a number for a map', labels, 1, '1', 'Value not a valid dict: 1'],
    ['a map within labels', labels, { a: {} }, "{'a': {}}", `${scalars} '<class 'dict'>'`],
    ['a list within labels', labels, { a: [] }, "{'a': []}", `${scalars} '<class 'list'>'`],
    ['null within labels', labels, { a: null }, "{'a': None}", "The value of key 'a' should not be null"],
    ['NUL within labels', labels, { a: '\0' }, "{'a': '\\x00'}", unstorable],
    ['NUL in a key of labels', labels, { '\0': 'a' }, "{'\\x00': 'a'}", unstorable],
    ['half a character in a key of labels', labels, { '\ud800': 'a' }, "{'\\ud800': 'a'}", unstorable],
    [
      'a number within a map of text',
      nodeLabels,
      { a: 1 },
      "{'a': 1}",
      "Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
    [
      'null within a map of text',
      nodeLabels,
      { a: null },
      "{'a': None}",
      "The value of key 'a' should not be null",
    ],
    ['NUL deep within a free map', reasons, { a: [{ b: '\0' }] }, "{'a': [{'b': '\\x00'}]}", unstorable],
    [
      'NUL in a key deep within a free map',
      reasons,
      { a: [{ '\0': 1 }] },
      "{'a': [{'\\x00': 1}]}",
      unstorable,
    ],
    [
      'a number without end within a free map',
      reasons,
      { a: [Infinity] },
      "{'a': [inf]}",
      'Value should not contain numbers without end',
    ],
    ['text for a list', texts, 'abc', 'abc', 'Value not a valid list: abc'],
    ['a map for a list', texts, {}, '{}', 'Value not a valid list: {}'],
    [
      'a number within a list of text',
      texts,
      [1],
      '[1]',
      "Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
    ['null within a list', texts, [null], '[None]', 'An element should not be null'],
    ['text within a list of maps', taints, ['x'], "['x']", 'Value not a valid dict: x'],
    [
      'a number deep within a list of maps',
      taints,
      [{ key: 'a', effect: 'NoSchedule', z: 1 }],
      "[{'key': 'a', 'effect': 'NoSchedule', 'z': 1}]",
      "Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
  ])('%s', (_case, type, value, shown, reason) => {
    const fault = faultOf(() => parse(type, value));
    expect(fault.message).toBe(words(shown, reason));
    expect([fault.status, fault.field]).toStrictEqual([400, 'field']);
  });

  test.each([
    'x',
    '',
    '99999999-9999-4999-8999-99999999999',
    'g9999999-9999-4999-8999-999999999999',
    1,
    ['a'],
  ])('what is no uuid is quoted in a sentence of its own: %j', (value) => {
    const fault = faultOf(() => parse(uuid, value));
    expect(fault.message).toMatch(/^Expected a uuid but received .*\.$/);
    expect([fault.status, fault.field]).toStrictEqual([400, 'field']);
  });

  test('a free map nested too deep is refused however deep it is', () => {
    for (const depth of [33, 200, 100_000]) {
      const fault = faultOf(() => parse(reasons, { a: nested(depth) }));
      expect(fault.message).toMatch(/Value should not be nested deeper than 32 levels$/);
    }
  });

  test('a huge value is shown by its beginning', () => {
    const fault = faultOf(() => parse(strictString, 'x'.repeat(1_000_000)));
    expect(fault.message.length).toBeLessThan(1200);
  });

  test('a huge key is shown by its beginning', () => {
    const fault = faultOf(() => parse(labels, { ['k'.repeat(1_000_000)]: null }));
    expect(fault.message.length).toBeLessThan(2400);
  });
});

describe('whatever the value', () => {
  const types = [strictString, text, uuid, port, boolean, choice, labels, nodeLabels, reasons, texts, taints];
  const kindAndValue = [fc.constantFrom(...types), anyJson] as const;

  const storableThroughout = (value: unknown): boolean => {
    if (typeof value === 'string') return isStorableText(value);
    if (typeof value === 'number') return Number.isFinite(value);
    if (typeof value !== 'object' || value === null) return true;
    return Object.entries(value).every(([key, item]) => isStorableText(key) && storableThroughout(item));
  };

  test('the outcome is a value the store can keep, or a refusal with status 400', () => {
    fc.assert(
      fc.property(...kindAndValue, (type, value) => {
        expect(holds(() => parse(type, value), storableThroughout)).toBe(true);
      }),
    );
  });

  test('what was accepted once is accepted again', () => {
    fc.assert(
      fc.property(...kindAndValue, (type, value) => {
        const outcome = outcomeOf(() => parse(type, value));
        fc.pre('value' in outcome);
        expect(JSON.stringify(parse(type, outcome.value))).toBe(JSON.stringify(outcome.value));
      }),
    );
  });

  test('the text of a refusal is well-formed and of bounded length', () => {
    fc.assert(
      fc.property(...kindAndValue, (type, value) => {
        const outcome = outcomeOf(() => parse(type, value));
        fc.pre('fault' in outcome);
        expect(outcome.fault.message.isWellFormed()).toBe(true);
        expect(outcome.fault.message.length).toBeLessThan(2500);
      }),
    );
  });
});

test('text can be stored unless it holds NUL or half a character', () => {
  expect(['', 'a', 'ü', '😀', '\n'].every(isStorableText)).toBe(true);
  expect(['\0', 'a\0b', '\ud800', '\udc00a', '\udc00\ud800'].some(isStorableText)).toBe(false);
});
