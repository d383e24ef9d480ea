import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePatch, patchRules } from '@jeroboam/domain';
import { anyJson, anyText, nested } from './support/arbitraries.ts';
import { faultOf, holds, outcomeOf } from './support/faults.ts';

const rules = patchRules({ internal: ['stack_id'], notRemovable: ['image_id'], literals: ['labels'] });
const parse = (body: unknown) => parsePatch(body, rules);

describe('a patch is read as', () => {
  test('a list of operations, each with path, operation and value in Magnum’s order', () => {
    const operations = parse([
      { value: 'x', op: 'replace', path: '/name' },
      { op: 'add', path: '/labels/k_1-a', value: 3 },
      { op: 'replace', path: '/tls_disabled', value: false },
      { op: 'remove', path: '/http_proxy' },
    ]);
    expect(JSON.stringify(operations)).toBe(
      '[{"path":"/name","op":"replace","value":"x"},{"path":"/labels/k_1-a","op":"add","value":3},' +
        '{"path":"/tls_disabled","op":"replace","value":false},{"path":"/http_proxy","op":"remove"}]',
    );
  });

  test('nothing to do when the list is empty', () => {
    expect(parse([])).toStrictEqual([]);
  });

  test('a removal whether or not a value comes with it', () => {
    expect(parse([{ op: 'remove', path: '/name', value: 'x' }])).toStrictEqual([
      { path: '/name', op: 'remove' },
    ]);
  });

  test.each([0, false, ''])('a value even when it is %j', (value) => {
    expect(parse([{ op: 'replace', path: '/name', value }])).toStrictEqual([
      { path: '/name', op: 'replace', value },
    ]);
  });
});

describe('a patch is refused in Magnum’s words', () => {
  const wrongType = "Wrong type. Expected '(<class 'str'>, <class 'int'>)', got";
  const badPath = String.raw`Value should match the pattern ^(/[\w-]+)+$`;
  test.each<[string, unknown, string]>([
    [
      'an object for the list',
      { op: 'replace' },
      "Invalid input for field/attribute patch. Value: '{'op': 'replace'}'. Value not a valid list: {'op': 'replace'}",
    ],
    [
      'an empty object',
      {},
      "Invalid input for field/attribute patch. Value: '{}'. Value not a valid list: {}",
    ],
    [
      'an operation from another place',
      [{ op: 'move', from: '/name', path: '/tags' }],
      'Unknown attribute for argument patch: from',
    ],
    [
      'an operation Magnum does not know',
      [{ op: 'test', path: '/name', value: 'a' }],
      "Invalid input for field/attribute op. Value: 'test'. Value should be one of: add, replace, remove",
    ],
    [
      'no operation',
      [{ path: '/name', value: 'x' }],
      "Invalid input for field/attribute op. Value: 'None'. Mandatory field missing.",
    ],
    [
      'no path',
      [{ op: 'replace', value: 'x' }],
      "Invalid input for field/attribute path. Value: 'None'. Mandatory field missing.",
    ],
    [
      'null for the path',
      [{ op: 'replace', path: null, value: 'x' }],
      "Invalid input for field/attribute path. Value: 'None'. Mandatory field missing.",
    ],
    [
      'a path without a slash',
      [{ op: 'replace', path: 'name', value: 'x' }],
      `Invalid input for field/attribute path. Value: 'name'. ${badPath}`,
    ],
    [
      'a path of a slash',
      [{ op: 'replace', path: '/', value: 'x' }],
      `Invalid input for field/attribute path. Value: '/'. ${badPath}`,
    ],
    [
      'a path with a dot',
      [{ op: 'add', path: '/labels/a.b', value: 'x' }],
      `Invalid input for field/attribute path. Value: '/labels/a.b'. ${badPath}`,
    ],
    [
      'a path of two lines',
      [{ op: 'add', path: '/name\n', value: 'x' }],
      `Invalid input for field/attribute path. Value: '/name\n'. ${badPath}`,
    ],
    [
      'a number for a path',
      [{ op: 'add', path: 1, value: 'x' }],
      "Invalid input for field/attribute path. Value: '1'. Value should be string",
    ],
    [
      'a map as value',
      [{ op: 'replace', path: '/labels', value: { x: 'y' } }],
      `Invalid input for field/attribute value. Value: '{'x': 'y'}'. ${wrongType} '<class 'dict'>'`,
    ],
    [
      'a list as value',
      [{ op: 'replace', path: '/name', value: ['a'] }],
      `Invalid input for field/attribute value. Value: '['a']'. ${wrongType} '<class 'list'>'`,
    ],
    [
      'a fraction as value',
      [{ op: 'replace', path: '/name', value: 1.5 }],
      `Invalid input for field/attribute value. Value: '1.5'. ${wrongType} '<class 'float'>'`,
    ],
    ['no value', [{ op: 'replace', path: '/name' }], "'add' and 'replace' operations needs value"],
    [
      'null as value',
      [{ op: 'add', path: '/name', value: null }],
      "'add' and 'replace' operations needs value",
    ],
    [
      'an attribute of the resource’s that is internal',
      [{ op: 'replace', path: '/stack_id', value: 'x' }],
      "'/stack_id' is an internal attribute and can not be updated",
    ],
    [
      'something within an internal attribute',
      [{ op: 'add', path: '/links/x', value: 'x' }],
      "'/links/x' is an internal attribute and can not be updated",
    ],
    [
      'removing what must be there',
      [{ op: 'remove', path: '/image_id' }],
      "'/image_id' is a mandatory attribute and can not be removed",
    ],
  ])('%s', (_case, body, message) => {
    expect(faultOf(() => parse(body))).toMatchObject({ message, status: 400 });
  });

  test.each(['created_at', 'id', 'links', 'updated_at', 'uuid', 'project_id', 'user_id'])(
    '%s is internal in every resource',
    (name) => {
      for (const operation of [{ op: 'replace', value: 'x' }, { op: 'add', value: 'x' }, { op: 'remove' }]) {
        const body = [{ ...operation, path: `/${name}` }];
        const { message } = faultOf(() => parsePatch(body, patchRules({})));
        expect(message).toBe(`'/${name}' is an internal attribute and can not be updated`);
      }
    },
  );

  test.each([null, 1, 'x', [], true])('an operation that is no object: %j', (item) => {
    const { message } = faultOf(() => parse([item]));
    expect(message).toMatch(/Value should be a list of objects with op, path and value$/);
  });

  test.each(['__proto__', 'constructor', 'toString'])('an operation with the key %s', (key) => {
    const operation = Object.fromEntries([
      ['op', 'remove'],
      ['path', '/name'],
      [key, 'x'],
    ]);
    expect(faultOf(() => parse([operation])).message).toBe(`Unknown attribute for argument patch: ${key}`);
  });

  test('an endless path, key or body, in a text of bounded length', () => {
    const long = 'x'.repeat(1_000_000);
    for (const body of [
      [{ op: 'remove', path: `/${long}` }],
      [{ [long]: 1 }],
      { [long]: 1 },
      nested(100_000),
    ]) {
      expect(faultOf(() => parse(body)).message.length).toBeLessThan(2500);
    }
  });
});

describe('whatever the body', () => {
  const likely = fc.record(
    {
      op: fc.oneof(fc.constantFrom('add', 'replace', 'remove'), anyJson),
      path: fc.oneof(fc.constantFrom('/name', '/labels/a', '/stack_id', '/links/x', '/__proto__'), anyText),
      value: anyJson,
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(fc.array(fc.oneof({ weight: 5, arbitrary: likely }, anyJson)), anyJson);

  test('the outcome is operations or a refusal with status 400', () => {
    fc.assert(
      fc.property(body, (given) => {
        const whole = (operations: unknown[]) => operations.length === (given as unknown[]).length;
        expect(holds(() => parse(given), whole)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('no operation on an internal attribute comes through', () => {
    fc.assert(
      fc.property(body, (given) => {
        const outcome = outcomeOf(() => parse(given));
        fc.pre('value' in outcome);
        const roots = outcome.value.map(({ path }) => path.split('/')[1] ?? '');
        expect(roots.filter((root) => rules.internal.has(root))).toStrictEqual([]);
      }),
    );
  });

  test('the body itself is never changed', () => {
    fc.assert(
      fc.property(body, (given) => {
        const before = JSON.stringify(given);
        outcomeOf(() => parse(given));
        expect(JSON.stringify(given)).toBe(before);
      }),
    );
  });
});
