import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyPatch,
  changedAttributes,
  clusterAttributes,
  clusterTemplateAttributes,
  isStorableText,
  nodeGroupAttributes,
  parsePatch,
  patchRules,
} from '@jeroboam/domain';
import { anyJson, anyText } from './support/arbitraries.ts';
import { faultOf, holds } from './support/faults.ts';

const rules = patchRules({ literals: ['labels', 'node_labels', 'node_taints'] });
const template = {
  name: 'ct-a',
  server_type: 'vm',
  docker_volume_size: 5,
  apiserver_port: null,
  http_proxy: null,
  tls_disabled: false,
  labels: { a: 'b', c: '1' },
  driver_only_column: 'x',
};
const change = (body: unknown) =>
  changedAttributes(
    clusterTemplateAttributes,
    template,
    applyPatch(template, parsePatch(body, rules), rules),
  );
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];

describe('what a patch changes', () => {
  test.each<[string, unknown, Record<string, unknown>]>([
    ['nothing, when it is empty', [], {}],
    ['an attribute', replace('/name', 'x'), { name: 'x' }],
    ['a number', replace('/docker_volume_size', 9), { docker_volume_size: 9 }],
    ['a boolean, in any of its spellings', replace('/tls_disabled', 'True'), { tls_disabled: true }],
    [
      'a map, its values kept as text',
      replace('/labels', "{'a': 1, 'b': True}"),
      { labels: { a: '1', b: 'True' } },
    ],
    ['a member of a map', replace('/labels/a', 2), { labels: { a: '2', c: '1' } }],
    ['an attribute that was removed', [{ op: 'remove', path: '/name' }], { name: undefined }],
    ['nothing, where what is removed was not set', [{ op: 'remove', path: '/http_proxy' }], {}],
    ['nothing, where the value is the same', replace('/name', 'ct-a'), {}],
    ['nothing, where the value is the same in another spelling', replace('/tls_disabled', 'off'), {}],
    ['nothing, where a map says the same in another order', replace('/labels', "{'c': 1, 'a': 'b'}"), {}],
    ['nothing of what no table has', replace('/driver_only_column', 'y'), {}],
    ['true as one, as in Python', replace('/docker_volume_size', true), { docker_volume_size: 1 }],
  ])('%s', (_case, body, expected) => {
    expect(change(body)).toStrictEqual(expected);
  });

  test('is seen in lists of maps too', () => {
    const group = { node_taints: [{ key: 'a', effect: 'NoSchedule' }] };
    const with_ = (value: string) =>
      changedAttributes(
        nodeGroupAttributes,
        group,
        applyPatch(group, parsePatch(replace('/node_taints', value), rules), rules),
      );
    expect(with_("[{'effect': 'NoSchedule', 'key': 'a'}]")).toStrictEqual({});
    expect(with_("[{'key': 'a', 'effect': 'NoExecute'}]")).toStrictEqual({
      node_taints: [{ key: 'a', effect: 'NoExecute' }],
    });
    expect(with_('[]')).toStrictEqual({ node_taints: [] });
  });

  test('includes attributes only the service sets, so that the resource can name them in its refusal', () => {
    const cluster = { coe_version: 'v1.31.4' };
    expect(changedAttributes(clusterAttributes, cluster, { coe_version: 'x' })).toStrictEqual({
      coe_version: 'x',
    });
  });
});

describe('a changed value is refused in Magnum’s words', () => {
  test.each<[string, unknown, string]>([
    [
      'a number as text',
      replace('/docker_volume_size', '9'),
      "Invalid input for field/attribute docker_volume_size. Value: '9'. '<' not supported between instances of 'str' and 'int'",
    ],
    [
      'a word for a number',
      replace('/docker_volume_size', 'x'),
      "Invalid input for field/attribute docker_volume_size. Value: 'x'. '<' not supported between instances of 'str' and 'int'",
    ],
    [
      'too small a number',
      replace('/docker_volume_size', 0),
      "Invalid input for field/attribute docker_volume_size. Value: '0'. Value should be greater or equal to 1",
    ],
    [
      'too small a port',
      replace('/apiserver_port', 80),
      "Invalid input for field/attribute apiserver_port. Value: '80'. Value should be greater or equal to 1024",
    ],
    [
      'no choice',
      replace('/server_type', 'x'),
      "Invalid input for field/attribute server_type. Value: 'x'. Value should be one of: vm, bm",
    ],
    [
      'no boolean',
      replace('/tls_disabled', 'maybe'),
      "Invalid input for field/attribute tls_disabled. Value: 'maybe'. Value should be a boolean: true or false",
    ],
    [
      'a list for a map',
      replace('/labels', '[]'),
      "Invalid input for field/attribute labels. Value: '[]'. Value not a valid dict: []",
    ],
    [
      'NUL in a map',
      replace('/labels', String.raw`{'a': '\x00'}`),
      "Invalid input for field/attribute labels. Value: '{'a': '\\x00'}'. Value should not contain NUL or malformed characters",
    ],
  ])('%s', (_case, body, message) => {
    expect(faultOf(() => change(body))).toMatchObject({ message, status: 400 });
  });
});

describe('whatever a document becomes', () => {
  const acceptable = fc.record(
    {
      name: anyText.filter((text) => text !== '' && text.length < 256 && isStorableText(text)),
      docker_volume_size: fc.integer({ min: 1, max: 1000 }),
      tls_disabled: fc.constantFrom(true, false, 'yes', 'off', 1),
      labels: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
        noNullPrototype: true,
      }),
      server_type: fc.constantFrom('vm', 'bm'),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  const anything = fc.record(
    {
      name: anyJson,
      docker_volume_size: anyJson,
      tls_disabled: anyJson,
      labels: anyJson,
      server_type: anyJson,
    },
    { requiredKeys: [] },
  );

  test('the outcome is changes or a refusal with status 400', () => {
    fc.assert(
      fc.property(fc.oneof(anything, acceptable), (after) => {
        const known = (changed: object) =>
          Object.keys(changed).every((name) => Object.hasOwn(template, name));
        const change = () => changedAttributes(clusterTemplateAttributes, template, after);
        expect(holds(change, known)).toBe(true);
      }),
    );
  });

  test('once the changes are made there are none left', () => {
    fc.assert(
      fc.property(acceptable, (change) => {
        const after = { ...template, ...change };
        const changed = { ...template, ...changedAttributes(clusterTemplateAttributes, template, after) };
        expect(changedAttributes(clusterTemplateAttributes, changed, after)).toStrictEqual({});
      }),
    );
  });
});
