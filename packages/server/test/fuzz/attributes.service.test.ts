import type { AttributeTable } from '@jeroboam/domain';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Operation } from '../../src/rest/operation.ts';
import { operations } from '../../src/rest/operations.ts';
import { askFor, nameOf } from '../access/support/requests.ts';
import { gather, openArena, type Arena } from './support/arena.ts';
import { anyJson, largeValues, nastyValuesFor } from './support/values.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

const withTable = operations.flatMap((operation): [string, Operation, AttributeTable][] =>
  operation.body?.kind === 'object' ? [[nameOf(operation), operation, operation.body.table]] : [],
);

/** Policy refuses others before their values are looked at. */
const personFor = ({ tag }: Operation): 'admin' | 'bob' => (tag === 'quotas' ? 'admin' : 'bob');

const namesInCloud = new Set(['keypair', 'flavor_id', 'master_flavor_id', 'fixed_network', 'fixed_subnet']);

/** The text of a good body with one attribute replaced. */
function bodyWith(operation: Operation, attribute: string, value: string): string {
  const good = { ...(askFor(operation, arena.own).body as Record<string, unknown>) };
  // Hundreds of clusters would only cost time: a later check stops each. Other tests make some.
  if (nameOf(operation) === 'POST /v1/clusters') {
    if (namesInCloud.has(attribute)) good['keypair'] = 'nobody-has-this';
    else good['master_count'] = 2;
  }
  const others = Object.entries(good).filter(([name]) => name !== attribute);
  const members = others.map(([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(item)}`);
  return `{${[...members, `${JSON.stringify(attribute)}:${value}`].join()}}`;
}

describe.each(withTable)('%s', (_name, operation, table) => {
  it('takes or refuses every kind of value for each of its attributes, and never breaks', async () => {
    const { method, path } = askFor(operation, arena.own);
    const attacks = table.attributes.flatMap((attribute) =>
      nastyValuesFor(attribute).map((value) => () => {
        const body = bodyWith(operation, attribute.name, value);
        return arena.attack({ person: personFor(operation), method, path, body });
      }),
    );
    expect(await gather(attacks)).toEqual([]);
    expect(await arena.damage()).toBeNull();
  });

  it('takes or refuses what is only large', async () => {
    const { method, path } = askFor(operation, arena.own);
    const [first, ...others] = table.attributes.filter(({ readOnly }) => readOnly !== true);
    const [map] = others.filter(({ type }) => type.kind === 'map');
    const attacks = [first, others[0], map].flatMap((attribute) =>
      largeValues.map((value) => () => {
        const body = bodyWith(operation, attribute?.name ?? '', value);
        return arena.attack({ person: personFor(operation), method, path, body });
      }),
    );
    expect(await gather(attacks)).toEqual([]);
    expect(await arena.damage()).toBeNull();
  });

  it('takes or refuses any mixture of values', async () => {
    const { method, path } = askFor(operation, arena.own);
    const names = table.attributes.map(({ name }) => name);
    const mixture = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), anyJson, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(mixture, async (body) => {
        expect(await arena.attack({ person: personFor(operation), method, path, body })).toBeNull();
      }),
      { numRuns: 30 },
    );
    expect(await arena.damage()).toBeNull();
  });

  it('names the attribute whose value is of a wrong type', async () => {
    const { method, path } = askFor(operation, arena.own);
    const integers = table.attributes.filter(({ type, readOnly }) => type.kind === 'integer' && !readOnly);
    for (const { name } of integers) {
      const body = bodyWith(operation, name, '{"x":[]}');
      const answer = await arena.service.request(personFor(operation), method, path, body);
      expect([answer.status, answer.body.errors[0].detail]).toEqual([
        400,
        expect.stringMatching(new RegExp(`${name}|${table.argument}`)),
      ]);
    }
  });
});
