import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Operation } from '../../src/rest/operation.ts';
import { operations } from '../../src/rest/operations.ts';
import { askFor, nameOf } from '../access/support/requests.ts';
import type { Scene } from '../access/support/scene.ts';
import { gather, openArena, type Arena } from './support/arena.ts';
import { head, sendBytes } from './support/raw-http.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

/** Asks for an address byte for byte; deleting is left to other tests, since some garbage names real things. */
async function fetchRaw(method: string, target: string): Promise<string | null> {
  const headers = [
    `x-auth-token: ${arena.service.tokens.bob}`,
    'openstack-api-version: container-infra latest',
    'content-type: application/json',
    'content-length: 2',
  ];
  const reply = await sendBytes(arena.service.url, head(method, target, headers), '[]');
  return reply.status === 0
    ? `no answer to ${method} ${target.slice(0, 200)}`
    : arena.fault(reply, decoded(target));
}

/** Answers quote what was asked in plain characters. */
const decoded = (target: string): string => {
  try {
    return `${target} ${decodeURIComponent(target)}`;
  } catch {
    return target;
  }
};

const segments = [
  '%00',
  'a%00b',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..',
  '../..',
  '.',
  '%2F',
  '%5c..%5c',
  '%',
  '%zz',
  '%c0%af',
  '%ff%fe',
  '%ed%a0%80',
  '%F0%9F%A6%84',
  '%20',
  "'%20or%201=1--",
  '%22%3E%3Cscript%3E',
  '__proto__',
  'constructor',
  'toString',
  '*',
  ':cluster',
  '{cluster}',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  '2147483648',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'x'.repeat(255),
  'x'.repeat(999),
  'x'.repeat(1001),
  'x'.repeat(10_000),
  '%61'.repeat(900),
  ';jsessionid=1',
  'a;b',
  'a?b',
  'a%3Fb',
  'a#b',
  'detail',
  '',
];

const withParameters = operations.filter(({ path, method }) => path.includes(':') && method !== 'DELETE');

describe.each(withParameters.map((operation): [string, Operation] => [nameOf(operation), operation]))(
  '%s',
  (_name, { method, path }) => {
    it('takes any path segment for what it asks for, and never breaks', async () => {
      const attacks = segments.flatMap((segment) => {
        const names = [...path.matchAll(/:\w+/g)].map(([name]) => name);
        return names.map((name) => () => {
          const good = path.replace(name, segment).replace(':cluster', arena.own.cluster);
          return fetchRaw(method, good.replaceAll(/:\w+/g, 'x'));
        });
      });
      expect(await gather(attacks)).toEqual([]);
      expect(await arena.damage()).toBeNull();
    });
  },
);

const queries = [
  '?',
  '?&',
  '?=',
  '?=x',
  '?&&&=&',
  '?limit',
  '?limit=',
  '?limit=-1',
  '?limit=1e3',
  '?limit=0x10',
  '?limit=99999999999999999999',
  '?limit=1&limit=2',
  '?limit[]=1',
  '?limit[a]=1',
  '?limit=%00',
  '?limit=%',
  '?limit=%zz',
  '?limit=%ff',
  '?marker=',
  '?marker=x',
  '?marker=%00',
  '?marker=00000000-0000-0000-0000-000000000000',
  '?marker=00000000000000000000000000000000',
  '?marker=0000000000000000-0000000000000000',
  '?marker=-1',
  '?marker=99999999999999999999',
  '?marker=a&marker=b',
  '?sort_key=',
  '?sort_key=__proto__',
  '?sort_key=id"%20desc--',
  '?sort_key=id;drop%20table%20cluster',
  '?sort_key=%00',
  '?sort_key=a&sort_key=b',
  '?sort_dir=',
  '?sort_dir=ASC',
  '?sort_dir=asc;--',
  '?sort_dir=a&sort_dir=b',
  '?__proto__=x',
  '?__proto__[x]=y',
  '?constructor=x',
  '?toString=1',
  '?hasOwnProperty=1',
  '?role=%00',
  '?role=a&role=b',
  '?rollback=maybe',
  '?rollback=1&rollback=0',
  '?ca_cert_type=%00',
  '?ca_cert_type=__proto__',
  '?ca_cert_type=a&ca_cert_type=b',
  '?all_tenants=x',
  '?all_tenants=1&all_tenants=1',
  '?project_id=%00',
  '?project_id=%ed%a0%80',
  '?project_id=a&project_id=b',
  '?type=%00',
  '?type=__proto__',
  `?${'a=b&'.repeat(3000)}`,
  `?limit=${'9'.repeat(8000)}`,
  `?${'x'.repeat(8000)}=1`,
  '?a=b?c=d#e',
  '?🦄=1',
];

describe.each(operations.map((operation): [string, Operation] => [nameOf(operation), operation]))(
  '%s',
  (_name, operation) => {
    it('takes or refuses any query, and never breaks', async () => {
      // Whatever would delete is aimed at nothing.
      const target =
        operation.method === 'DELETE'
          ? { ...arena.own, cluster: 'x', template: 'x', nodeGroupTemplate: 'x' }
          : arena.own;
      const { method, path } = askFor(operation, target);
      expect(await gather(queries.map((query) => () => fetchRaw(method, path + query)))).toEqual([]);
    });
  },
);

/** An item of each list to start a page after. */
const markers: Readonly<Record<string, (own: Scene) => string>> = {
  '/v1/clusters': ({ cluster }) => cluster,
  '/v1/clusters/detail': ({ cluster }) => cluster,
  '/v1/clustertemplates': ({ template }) => template,
  '/v1/nodegrouptemplates': ({ nodeGroupTemplate }) => nodeGroupTemplate,
};

describe('every column that a list can be sorted by', () => {
  it.each([...Object.keys(markers), '/v1/quotas'])('of %s sorts, with and without a marker', async (path) => {
    const person = path === '/v1/quotas' ? 'admin' : 'bob';
    const { service, own } = arena;
    const resources = [...operations].flatMap(({ answers: { schema } }) =>
      schema.kind === 'list' ? schema.table.attributes.map(({ name }) => name) : [],
    );
    const marker = markers[path]?.(own);
    for (const key of new Set(['id', ...resources])) {
      for (const more of ['', '&sort_dir=desc', `&marker=${path === '/v1/quotas' ? 1 : marker}&limit=1`]) {
        const answer = await service.request(person, 'GET', `${path}?sort_key=${key}${more}`);
        expect(arena.fault(answer, person === 'admin' ? answer.text : '')).toBeNull();
      }
    }
  });
});

describe('any address at all', () => {
  it('is answered', async () => {
    const piece = fc.oneof(
      fc.constantFrom('v1', 'clusters', 'detail', 'nodegroups', 'actions', '..', '%2e', '%00', ''),
      fc.webSegment(),
      fc.string({ unit: fc.constantFrom('%', '0', '/', '.', ';', '?', '&', '=', '[', ']', '~', 'a') }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'),
        fc.array(piece, { maxLength: 6 }),
        async (method, pieces) => {
          expect(await fetchRaw(method, `/${pieces.join('/')}`)).toBeNull();
        },
      ),
      { numRuns: 300 },
    );
    expect(await arena.damage()).toBeNull();
  });
});
