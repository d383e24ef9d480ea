import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Difference } from './differences.ts';
import { account, isFailure, unmet } from './replay/account.ts';
import { compare, diff, shape } from './replay/compare.ts';
import { makeCsr } from './replay/csr.ts';
import { expandHeaders } from './replay/fixture.ts';
import type { Answer, Scenario, Step } from './replay/fixture.ts';
import { dig } from './replay/json.ts';
import type { Json } from './replay/json.ts';
import { levelOut, normalise } from './replay/normalise.ts';
import { poll } from './replay/pace.ts';
import { play } from './replay/play.ts';
import { RECORDED_TARGET } from './replay/recorded-magnum.ts';
import { Session } from './replay/session.ts';
import { substitute } from './replay/substitute.ts';

// There and back through text, as a document over HTTP: JSON has no negative zero.
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json);
const UUID = '99999999-9999-4999-8999-999999999999';
const answer = (status: number, body: Json, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body,
});

describe('placeholders', () => {
  it('are replaced in texts, keys and lists, and stay where nothing was saved', () => {
    const variables = new Map([['ct', 'abc']]);
    const request = { '{{ct}}': ['x/{{ct}}/y', 1, null], other: '{{ct6}}' };
    expect(substitute(request, variables)).toEqual({ abc: ['x/abc/y', 1, null], other: '{{ct6}}' });
  });

  it('take their values from any depth of an answer', () => {
    expect(dig({ nodegroups: [{ uuid: 'a' }, { uuid: 'b' }] }, 'nodegroups.1.uuid')).toBe('b');
    expect(dig({ nodegroups: [] }, 'nodegroups.1.uuid')).toBeUndefined();
    expect(dig('text', 'uuid')).toBeUndefined();
  });
});

describe('normalisation', () => {
  const naming = {
    baseUrl: 'http://here:1',
    variables: new Map([
      ['c', UUID],
      ['short', 'demo'],
    ]),
  };

  it('names saved values before it makes every other id anonymous', () => {
    const text = `http://here:1/v1/clusters/${UUID} of demo, not ${UUID.replace('9', '8')}`;
    expect(normalise(text, naming)).toBe('<base>/v1/clusters/{{c}} of demo, not <uuid>');
  });

  it.each<[string, Json, Json]>([
    ['dates', '2026-11-15T18:19:03.193698+00:00', '<date>'],
    ['keys and certificates', '-----BEGIN CERTIFICATE-----\nQQ==\n-----END CERTIFICATE-----', '<pem>'],
    ['request ids', `req-${UUID.replace('9', '8')}`, '<reqid>'],
    ['project ids', 'a'.repeat(32), '<hex32>'],
    ['the place of Keystone', 'Keystone uri="http://10.0.0.1/v3"', 'Keystone uri="<keystone>"'],
    ['stack names', { stack_id: 'c-a-0123456789ab' }, { stack_id: 'c-a-<rand12>' }],
    ['names that were made up', { name: 'rho-6-cluster' }, { name: '<generated>-cluster' }],
  ])('replaces %s', (_what, original, expected) => {
    expect(normalise(original, naming)).toEqual(expected);
  });

  it('leaves numbers, booleans and nulls as they are', () => {
    const plain = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(plain, (value) => {
        expect(normalise(value, naming)).toBe(value);
      }),
    );
  });

  it('evens out what depends on the moment, on counters and on the order of a set', () => {
    const value = {
      id: 7,
      health_status: null,
      updated_at: '<date>',
      detail: 'Value should be one of: vm, bm',
    };
    expect(levelOut(value)).toEqual({
      id: 0,
      health_status: '<volatile>',
      updated_at: '<volatile>',
      detail: 'Value should be one of: bm, vm',
    });
  });
});

describe('the comparison of two answers', () => {
  it('finds no difference between equal documents and one between any others', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(diff(a, structuredClone(a))).toEqual([]);
        expect(diff(a, b).length === 0).toBe(isDeepStrictEqual(a, b));
      }),
    );
  });

  it('tells null from a text and an empty list from a full one', () => {
    expect(shape({ a: null, b: 'x', c: [], d: [1, 'x'], e: true })).toEqual({
      a: 'null',
      b: 'string',
      c: [],
      d: ['number'],
      e: 'bool',
    });
  });

  it.each<[string, Answer, Answer]>([
    ['status', answer(404, { a: 1 }), answer(400, { a: 1 })],
    ['shape', answer(200, { a: 1 }), answer(200, { a: '1' })],
    ['shape', answer(200, { a: 1 }), answer(200, { a: 1, b: 1 })],
    ['header', answer(200, { a: 1 }, { vary: 'x' }), answer(200, { a: 2 })],
    ['value', answer(200, { a: 1 }), answer(200, { a: 2 })],
    ['ok', answer(200, { id: 1 }), answer(200, { id: 2 })],
  ])('speaks of the gravest difference: %s', (verdict, golden, actual) => {
    expect(compare(golden, actual).verdict).toBe(verdict);
  });

  it('reads the short form of the usual headers', () => {
    const headers = expandHeaders({ api: '1.9', 'content-type': null, allow: 'GET' });
    expect(headers['openstack-api-version']).toBe('container-infrastructure-management 1.9');
    expect(headers).not.toHaveProperty('content-type');
    expect(headers).toMatchObject({ allow: 'GET', vary: 'OpenStack-API-Version' });
  });
});

describe('the account of a replay', () => {
  const golden = answer(500, { errors: [{ code: 'server' }] });
  const step: Step = {
    kind: 'request',
    title: 'no csr',
    request: { as: 'demo', method: 'POST', path: '/v1/certificates' },
    normalised: golden,
  };
  const scenario: Scenario = { name: '50', description: '', steps: [step] };
  const listed: Difference[] = [
    {
      id: 'better',
      reason: 'ours is better',
      steps: [{ scenario: '50', titles: ['no csr'], expect: { status: 400, error: { names: 'csr' } } }],
    },
  ];
  const refusal = (detail: string): Answer =>
    answer(400, { errors: [{ request_id: '', code: 'client', status: 400, title: '', detail, links: [] }] });
  const result = (actual: Answer, differences: Difference[]) =>
    account(scenario, [{ index: 0, step, answer: actual }], differences).map((entry) => [
      entry.result,
      isFailure(entry),
    ]);

  it('accepts a listed difference that is as the list says', () => {
    expect(result(refusal('Mandatory field csr missing.'), listed)).toEqual([['listed', false]]);
  });

  it('fails a difference that nobody listed', () => {
    expect(result(refusal('Mandatory field csr missing.'), [])).toEqual([['status', true]]);
  });

  it('fails a listed difference that turned out otherwise', () => {
    expect(result(refusal('Something is missing.'), listed)).toEqual([['wrong', true]]);
    expect(result(answer(400, { message: 'csr' }), listed)).toEqual([['wrong', true]]);
    expect(result(answer(0, null), listed)).toEqual([['wrong', true]]);
  });

  it('fails a listed difference that no longer is one', () => {
    expect(result(golden, listed)).toEqual([['stale', true]]);
  });

  it('reports other values without failing', () => {
    const other = answer(500, { errors: [{ code: 'other' }] });
    expect(result(other, [])).toEqual([['value', false]]);
  });

  it('fails a wait that was in vain', () => {
    const [entry] = account(scenario, [{ index: 0, step, answer: golden, timedOut: true }], []);
    expect(entry?.result).toBe('timeout');
  });

  it('says which promised values of a body are missing and which are too many', () => {
    const expectation = { status: 200, body: { 'a.0': 1 }, without: ['b'] };
    expect(unmet(expectation, answer(200, { a: [1] }))).toEqual([]);
    expect(unmet(expectation, answer(200, { a: [2], b: null }))).toHaveLength(3);
  });
});

describe('the player', () => {
  const request = (method: string, path: string) => ({ as: 'demo' as const, method, path });
  const playing = async (steps: Step[], reply: (path: string) => Answer) => {
    const asked: string[] = [];
    const session = new Session(RECORDED_TARGET, async ({ path }) => {
      asked.push(path);
      return reply(path);
    });
    const scenario = { name: 'x', description: '', steps };
    const played = await play(scenario, session, { pollMs: 1, waitLimitMs: 20, sleepFactor: 0 });
    return { asked, played };
  };

  it('cleans up and waits for what was created, under the id that the answer gave', async () => {
    const { asked } = await playing(
      [
        { kind: 'request', title: 'create', request: request('POST', '/v1/clusters'), save: { c: 'uuid' } },
        {
          kind: 'wait',
          title: 'wait',
          request: request('GET', '/v1/clusters/{{c}}'),
          until: { status: 404 },
        },
      ],
      (path) => (path === '/v1/clusters' ? answer(202, { uuid: UUID }) : answer(404, null)),
    );
    expect(asked).toEqual(['/v1/clusters', `/v1/clusters/${UUID}`]);
  });

  it('neither waits for nor cleans up what was refused', async () => {
    const until = { field: 'status', matches: 'COMPLETE' };
    const { asked } = await playing(
      [
        { kind: 'request', title: 'create', request: request('POST', '/v1/clusters'), save: { c: 'uuid' } },
        { kind: 'sleep', title: 'sleep', seconds: 5 },
        { kind: 'wait', title: 'wait', request: request('GET', '/v1/clusters/old'), until },
        { kind: 'request', title: 'clean', aux: true, request: request('DELETE', '/v1/clusters/{{c}}') },
      ],
      () => answer(400, { errors: [] }),
    );
    expect(asked).toEqual(['/v1/clusters']);
  });

  it('gives up a wait at its limit and says so', async () => {
    const until = { field: 'status', matches: 'COMPLETE' };
    const { played } = await playing(
      [{ kind: 'wait', title: 'wait', request: request('GET', '/v1/clusters/a'), until }],
      () => answer(200, { status: 'CREATE_IN_PROGRESS' }),
    );
    expect(played[0]).toMatchObject({ timedOut: true });
  });

  it('looks at least once, however short the limit', async () => {
    await expect(
      poll(
        async () => 7,
        (seen) => seen === 7,
        0,
        1,
      ),
    ).resolves.toEqual({ seen: 7, timedOut: false });
  });

  it('makes certificate requests in PEM for subjects it knows how to write', () => {
    const csr = makeCsr('/CN=admin/O=ops');
    expect(csr).toMatch(
      /^-----BEGIN CERTIFICATE REQUEST-----\n[\w+/=\n]+\n-----END CERTIFICATE REQUEST-----\n$/,
    );
    expect(() => makeCsr('/XX=1')).toThrow(/CN, O, OU/);
  });
});
