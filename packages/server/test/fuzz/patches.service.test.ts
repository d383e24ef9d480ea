import type { AttributeTable } from '@jeroboam/domain';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Operation } from '../../src/rest/operation.ts';
import { operations } from '../../src/rest/operations.ts';
import { askFor, nameOf } from '../access/support/requests.ts';
import { gather, openArena, type Arena } from './support/arena.ts';
import { anyJson, nastyValuesFor } from './support/values.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

const patching = operations.flatMap((operation): [string, Operation, AttributeTable][] =>
  operation.body?.kind === 'patch' ? [[nameOf(operation), operation, operation.body.table]] : [],
);

const paths = [
  '""',
  '"/"',
  '"//"',
  '"name"',
  '"/__proto__"',
  '"/__proto__/polluted"',
  '"/constructor/prototype/x"',
  '"/labels/__proto__"',
  '"/labels/a/b/c"',
  '"/labels/-"',
  '"/labels/0"',
  '"/node_taints/0/key"',
  '"/faults/x"',
  '"/é"',
  '"/a\\u0000"',
  '"/\\ud800"',
  '"/~0~1"',
  `"${'/a'.repeat(5000)}"`,
  '1',
  'null',
  '[]',
  '{}',
];
const ops = ['"add"', '"replace"', '"remove"', '"move"', '"test"', '"ADD"', '""', 'null', '1', '[]', '{}'];

/** Texts that are read as literals of Python where an attribute is a map or a list. */
const literals = [
  '"{"',
  `"{'a':"`,
  `"{'a': {'b': [1, (2,), {3}]}}"`,
  `"{'__proto__': 'x'}"`,
  `"{'a': None, 'b': True}"`,
  `"{'a': '\\\\x00'}"`,
  `"{'a': '\\\\ud800'}"`,
  '"__import__(\'os\')"',
  '"[1e999]"',
  '"1"',
  '"None"',
  `"${'['.repeat(5000)}"`,
  `"${'('.repeat(5000)}${')'.repeat(5000)}"`,
  `"${"{'a':".repeat(3000)}1${'}'.repeat(3000)}"`,
];

const operationText = (op: string, path: string, value?: string): string =>
  `[{"op":${op},"path":${path}${value === undefined ? '' : `,"value":${value}`}}]`;

describe.each(patching)('%s', (_name, operation, table) => {
  const attack = (body: string) => () => {
    const { method, path } = askFor(operation, arena.own);
    return arena.attack({ method, path, body });
  };

  it('takes or refuses every value for each attribute', async () => {
    const attacks = table.attributes.flatMap((attribute) => {
      const isLiteral = attribute.type.kind === 'map' || attribute.type.kind === 'list';
      return [...nastyValuesFor(attribute), ...(isLiteral ? literals : [])].map((value) =>
        attack(operationText('"replace"', `"/${attribute.name}"`, value)),
      );
    });
    expect(await gather(attacks)).toEqual([]);
    expect(await arena.damage()).toBeNull();
  });

  it('takes or refuses every operation on each attribute and its members', async () => {
    const attacks = table.attributes.flatMap(({ name }) => [
      ...ops.map((op) => attack(operationText(op, `"/${name}"`, '"x"'))),
      attack(operationText('"add"', `"/${name}"`)),
      attack(operationText('"remove"', `"/${name}/x"`)),
      attack(operationText('"add"', `"/${name}/x"`, '"y"')),
      attack(operationText('"replace"', `"/${name}/x/y"`, '1')),
    ]);
    expect(await gather(attacks)).toEqual([]);
    expect(await arena.damage()).toBeNull();
  });

  it('takes or refuses every path', async () => {
    const attacks = paths.flatMap((path) =>
      ops.slice(0, 3).map((op) => attack(operationText(op, path, '"x"'))),
    );
    expect(await gather(attacks)).toEqual([]);
    expect(await arena.damage()).toBeNull();
  });

  it('takes or refuses patches that are long, mixed or no patches', async () => {
    const one = '{"op":"replace","path":"/name","value":"x"}';
    const bodies = [
      `[${Array.from({ length: 5000 }, () => one).join()}]`,
      `[${one},null]`,
      `[${one},[]]`,
      `[[${one}]]`,
      `{"0":${one},"length":1}`,
      '[{"op":"replace","op":"remove","path":"/name"}]',
      '[{"op":"replace","path":"/name","value":"x","from":"/y","__proto__":{}}]',
    ];
    expect(await gather(bodies.map(attack))).toEqual([]);
  });

  it('takes or refuses anything that looks like a patch', async () => {
    const names = table.attributes.map(({ name }) => `/${name}`);
    const item = fc.record(
      {
        op: fc.oneof(fc.constantFrom('add', 'replace', 'remove'), anyJson),
        path: fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'binary' }), anyJson),
        value: anyJson,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 4 }), async (patch) => {
        expect(await attack(JSON.stringify(patch))()).toBeNull();
      }),
      { numRuns: 60 },
    );
    expect(await arena.damage()).toBeNull();
  });
});
