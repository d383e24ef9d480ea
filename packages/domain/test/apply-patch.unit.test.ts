import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyPatch, parsePatch, patchRules } from '@jeroboam/domain';
import { anyJson, anyText } from './support/arbitraries.ts';
import { faultOf, holds, outcomeOf } from './support/faults.ts';

const rules = patchRules({ internal: ['stack_id'], notRemovable: ['image_id'], literals: ['labels'] });
const document = {
  uuid: '99999999-9999-4999-8999-999999999999',
  name: 'ct-a',
  image_id: 'ubuntu',
  http_proxy: null,
  https_proxy: 'http://p:1',
  docker_volume_size: 5,
  labels: { a: 'b', c: 'd' },
  stack_id: 'stack',
};
const apply = (body: unknown) => applyPatch(document, parsePatch(body, rules), rules);

describe('a patch', () => {
  test.each<[string, unknown, Record<string, unknown>]>([
    ['that is empty leaves everything as it is', [], {}],
    ['replaces an attribute', [{ op: 'replace', path: '/name', value: 'x' }], { name: 'x' }],
    [
      'adds an attribute that is null',
      [{ op: 'add', path: '/http_proxy', value: 'http://p' }],
      { http_proxy: 'http://p' },
    ],
    [
      'reads a map from a Python literal',
      [{ op: 'replace', path: '/labels', value: "{'q': 'r', 'n': 1}" }],
      { labels: { q: 'r', n: 1 } },
    ],
    [
      'reads a map from JSON',
      [{ op: 'replace', path: '/labels', value: '{"q": true}' }],
      { labels: { q: true } },
    ],
    [
      'adds a member of a map',
      [{ op: 'add', path: '/labels/k', value: 'v' }],
      { labels: { a: 'b', c: 'd', k: 'v' } },
    ],
    [
      'adds over a member of a map',
      [{ op: 'add', path: '/labels/a', value: 'v' }],
      { labels: { a: 'v', c: 'd' } },
    ],
    [
      'replaces a member of a map',
      [{ op: 'replace', path: '/labels/a', value: 1 }],
      { labels: { a: 1, c: 'd' } },
    ],
    ['removes a member of a map', [{ op: 'remove', path: '/labels/a' }], { labels: { c: 'd' } }],
    [
      'works on what the operation before it left',
      [
        { op: 'replace', path: '/labels', value: '{}' },
        { op: 'add', path: '/labels/z', value: 1 },
        { op: 'add', path: '/labels/y', value: 2 },
        { op: 'remove', path: '/labels/z' },
      ],
      { labels: { y: 2 } },
    ],
  ])('%s', (_case, body, changes) => {
    expect(apply(body)).toStrictEqual({ ...document, ...changes });
  });

  test('takes a removed attribute out of the document', () => {
    const { https_proxy: _removed, ...rest } = document;
    expect(apply([{ op: 'remove', path: '/https_proxy' }])).toStrictEqual(rest);
  });

  test('takes a member named like one of every object for a member like any other', () => {
    const result = apply(
      ['__proto__', 'constructor'].map((key) => ({ op: 'add', path: `/labels/${key}`, value: 'x' })),
    );
    expect(Object.entries(result['labels'] as object)).toStrictEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['__proto__', 'x'],
      ['constructor', 'x'],
    ]);
  });
});

describe('a patch that cannot be applied is refused in Magnum’s words', () => {
  test.each<[string, unknown, string]>([
    [
      'adding what is there',
      [{ op: 'add', path: '/https_proxy', value: 'x' }],
      "The attribute /https_proxy has existed, please use 'replace' operation instead.",
    ],
    [
      'adding what was there before the patch',
      [
        { op: 'remove', path: '/https_proxy' },
        { op: 'add', path: '/https_proxy', value: 'x' },
      ],
      "The attribute /https_proxy has existed, please use 'replace' operation instead.",
    ],
    [
      'adding what no resource has',
      [{ op: 'add', path: '/bogus', value: '1' }],
      'Adding a new attribute /bogus to the root of the resource is not allowed.',
    ],
    [
      'adding a member of every object',
      [{ op: 'add', path: '/__proto__', value: '1' }],
      'Adding a new attribute /__proto__ to the root of the resource is not allowed.',
    ],
    [
      'replacing what is not there',
      [{ op: 'replace', path: '/bogus', value: '1' }],
      "Couldn't apply patch '[{'path': '/bogus', 'op': 'replace', 'value': '1'}]'. Reason: can't replace a non-existent object 'bogus'",
    ],
    [
      'removing what is not there',
      [{ op: 'remove', path: '/bogus' }],
      "Couldn't apply patch '[{'path': '/bogus', 'op': 'remove'}]'. Reason: can't remove a non-existent object 'bogus'",
    ],
    [
      'replacing a member of every object',
      [{ op: 'replace', path: '/constructor', value: true }],
      "Couldn't apply patch '[{'path': '/constructor', 'op': 'replace', 'value': True}]'. Reason: can't replace a non-existent object 'constructor'",
    ],
    [
      'the second of two operations, both quoted',
      [
        { op: 'replace', path: '/name', value: 'x' },
        { op: 'remove', path: '/bogus' },
      ],
      "Couldn't apply patch '[{'path': '/name', 'op': 'replace', 'value': 'x'}, {'path': '/bogus', 'op': 'remove'}]'. Reason: can't remove a non-existent object 'bogus'",
    ],
    [
      'removing twice',
      [
        { op: 'remove', path: '/name' },
        { op: 'remove', path: '/name' },
      ],
      "Couldn't apply patch '[{'path': '/name', 'op': 'remove'}, {'path': '/name', 'op': 'remove'}]'. Reason: can't remove a non-existent object 'name'",
    ],
    [
      'a map that is no literal',
      [{ op: 'replace', path: '/labels', value: 'a=b' }],
      "Couldn't apply patch '[{'path': '/labels', 'op': 'replace', 'value': 'a=b'}]'. Reason: invalid syntax (<unknown>, line 1)",
    ],
    [
      'replacing a member that is not there',
      [{ op: 'replace', path: '/labels/x', value: 'y' }],
      "Couldn't apply patch '[{'path': '/labels/x', 'op': 'replace', 'value': 'y'}]'. Reason: can't replace a non-existent object 'x'",
    ],
    [
      'removing a member of every object',
      [{ op: 'remove', path: '/labels/toString' }],
      "Couldn't apply patch '[{'path': '/labels/toString', 'op': 'remove'}]'. Reason: can't remove a non-existent object 'toString'",
    ],
    [
      'a member of what has none',
      [{ op: 'add', path: '/name/x', value: 'y' }],
      "Couldn't apply patch '[{'path': '/name/x', 'op': 'add', 'value': 'y'}]'. Reason: member 'x' not found in ct-a",
    ],
    [
      'a member of what is not there',
      [{ op: 'add', path: '/__proto__/x', value: 'y' }],
      "Couldn't apply patch '[{'path': '/__proto__/x', 'op': 'add', 'value': 'y'}]'. Reason: member 'x' not found in None",
    ],
    [
      'a member of a member',
      [{ op: 'add', path: '/labels/a/b', value: 'y' }],
      "Couldn't apply patch '[{'path': '/labels/a/b', 'op': 'add', 'value': 'y'}]'. Reason: member 'a/b' not found in {'a': 'b', 'c': 'd'}",
    ],
  ])('%s', (_case, body, message) => {
    expect(faultOf(() => apply(body))).toMatchObject({ message, status: 400 });
  });

  test('a long patch is quoted by its beginning', () => {
    const body = Array.from({ length: 5000 }, () => ({ op: 'replace', path: '/name', value: 'x' }));
    const { message } = faultOf(() => apply([...body, { op: 'remove', path: '/bogus' }]));
    expect(message.length).toBeLessThan(1200);
  });
});

describe('whatever the patch', () => {
  const key = fc.constantFrom('a', 'c', 'k', '__proto__', 'constructor');
  const path = fc.oneof(
    fc.constantFrom(
      ...Object.keys(document).map((name) => `/${name}`),
      '/bogus',
      '/__proto__',
      '/name/x',
      '/labels/a/b',
    ),
    key.map((name) => `/labels/${name}`),
  );
  const value = fc.oneof(
    fc.constantFrom("{'a': 'b'}", '[]', 'None', '{"__proto__": {"x": 1}}'),
    anyText,
    anyJson,
  );
  const patch = fc.array(fc.record({ op: fc.constantFrom('add', 'replace', 'remove'), path, value }), {
    maxLength: 4,
  });

  test('the outcome is a document or a refusal with status 400, and the given document stays as it was', () => {
    const before = structuredClone(document);
    fc.assert(
      fc.property(patch, (body) => {
        expect(holds(() => apply(body))).toBe(true);
        expect(document).toStrictEqual(before);
      }),
      { numRuns: 1000 },
    );
  });

  test('no attribute comes to be, and internal ones never change', () => {
    fc.assert(
      fc.property(patch, (body) => {
        const outcome = outcomeOf(() => apply(body));
        fc.pre('value' in outcome);
        expect(Object.keys(document)).toEqual(expect.arrayContaining(Object.keys(outcome.value)));
        expect(outcome.value).toMatchObject({ uuid: document.uuid, stack_id: document.stack_id });
      }),
    );
  });

  test('no other object ever changes with it', () => {
    const members = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(patch, (body) => {
        outcomeOf(() => apply(body));
        expect(Object.getOwnPropertyNames(Object.prototype)).toStrictEqual(members);
      }),
    );
  });

  test('replacing and replacing back gives the document as it was', () => {
    const attributes = fc.constantFrom(
      'name',
      'image_id',
      'https_proxy',
      'docker_volume_size',
      'labels/a',
    ) as fc.Arbitrary<string>;
    const scalar = fc.oneof(anyText, fc.integer(), fc.boolean());
    fc.assert(
      fc.property(attributes, scalar, (at, other) => {
        const [root = '', member] = at.split('/');
        const original = member === undefined ? document[root as 'name'] : document.labels.a;
        const once = applyPatch(
          document,
          parsePatch([{ op: 'replace', path: `/${at}`, value: other }], rules),
          rules,
        );
        const back = parsePatch([{ op: 'replace', path: `/${at}`, value: original }], rules);
        expect(applyPatch(once, back, rules)).toStrictEqual(document);
      }),
    );
  });

  test('adding a member and removing it gives the map as it was', () => {
    fc.assert(
      fc.property(fc.constantFrom('k', '__proto__', 'constructor'), (name) => {
        const body = [
          { op: 'add', path: `/labels/${name}`, value: 'v' },
          { op: 'remove', path: `/labels/${name}` },
        ];
        expect(apply(body)).toStrictEqual(document);
      }),
    );
  });
});
