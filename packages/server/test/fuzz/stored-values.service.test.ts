import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { settled } from '../support/clusters.ts';
import { openArena, type Arena } from './support/arena.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

describe('what is taken', () => {
  const make = async (name: string, attributes: string): Promise<string> => {
    const { service, own } = arena;
    const body = `{"name":"${name}","cluster_template_id":"${own.template}",${attributes}}`;
    const answer = await service.request('bob', 'POST', '/v1/clusters', body);
    return answer.status === 202 ? (answer.body.uuid as string) : `${answer.status} ${answer.text}`;
  };

  it('can be shown and listed, however large its numbers are together', async () => {
    const largest = 2_147_483_647;
    const cluster = await make('large', `"node_count":${largest},"docker_volume_size":${largest}`);
    await settled(arena.service, 'bob', cluster);
    const group = { name: 'as-large', node_count: largest };
    const path = `/v1/clusters/${cluster}`;
    expect((await arena.service.request('bob', 'POST', `${path}/nodegroups`, group)).status).toBe(202);
    const shown = await settled(arena.service, 'bob', cluster);
    expect(shown.body.node_count).toBe(2 * largest);
    expect(await arena.damage()).toBeNull();
  });

  it('comes back as it was sent, with keys that mean something to the language of the service', async () => {
    const labels =
      '{"__proto__":"p","constructor":"c","toString":"t","hasOwnProperty":"h","length":"l","":"empty","é🦄":"\\u202e"}';
    const cluster = await make('odd-labels', `"labels":${labels}`);
    const shown = await settled(arena.service, 'bob', cluster);
    expect(new Map(Object.entries(shown.body.labels as object))).toEqual(
      new Map(Object.entries(JSON.parse(labels) as object)),
    );
    expect(Object.hasOwn(shown.body.labels as object, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['p']).toBeUndefined();
    expect(await arena.damage()).toBeNull();
  });
});
