import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestCloud } from './support/test-cloud.ts';
import type { TestCloud } from './support/test-cloud.ts';

let test: TestCloud;
let admin: string;
const failures: string[] = [];

beforeAll(async () => {
  const logger = {
    info: () => undefined,
    warn: () => undefined,
    error: (line: string) => void failures.push(line),
  };
  test = await startTestCloud({ logger });
  admin = await test.token('admin');
});
afterAll(() => test.cloud.close());

/** Every route that takes a body, with the name of the object it looks for. */
const BODIES = [
  ['POST', '/identity/v3/auth/tokens', 'auth'],
  ['POST', '/identity/v3/users', 'user'],
  ['POST', '/identity/v3/projects', 'project'],
  ['POST', '/identity/v3/domains', 'domain'],
  ['POST', '/identity/v3/roles', 'role'],
  ['POST', '/identity/v3/services', 'service'],
  ['POST', '/identity/v3/endpoints', 'endpoint'],
  ['POST', '/identity/v3/regions', 'region'],
  ['POST', '/identity/v3/users/OWN/application_credentials', 'application_credential'],
  ['POST', '/compute/v2.1/flavors', 'flavor'],
  ['POST', '/compute/v2.1/os-keypairs', 'keypair'],
  ['POST', '/image/v2/images', ''],
  ['POST', '/network/v2.0/networks', 'network'],
  ['POST', '/network/v2.0/subnets', 'subnet'],
] as const;

const send = async (method: string, path: string, raw: string): Promise<number> => {
  const answer = await test.call(method, path.replace('OWN', test.cloud.users.admin), { token: admin, raw });
  return answer.status;
};

describe('a malformed body', () => {
  it.each(BODIES)('%s %s is answered with 400', async (method, path, name) => {
    const wrong = ['{', '"text"', '[]', '17', 'null', '{"__proto__": {"admin": true}}', '\u0000'];
    if (name !== '') wrong.push('{}', `{"${name}": null}`, `{"${name}": []}`, `{"${name}": "text"}`);
    const statuses = await Promise.all(wrong.map((raw) => send(method, path, raw)));
    expect(statuses).toEqual(wrong.map(() => 400));
  });

  it('larger than 1 MiB is answered with 413', async () => {
    expect(
      await send('POST', '/identity/v3/users', JSON.stringify({ user: { name: 'x'.repeat(1_100_000) } })),
    ).toBe(413);
  });

  it('never brings a 5xx, whatever the fields hold', async () => {
    const names = [
      'id',
      'name',
      'type',
      'identity',
      'methods',
      'password',
      'roles',
      'expires_at',
      'domain_id',
      'tags',
    ];
    const more = [
      'cidr',
      'network_id',
      'gateway_ip',
      'public_key',
      'vcpus',
      'ram',
      'disk',
      'visibility',
      'interface',
    ];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: 'binary' }),
      fc.constant('\u0000\ud800'),
    );
    const fields = fc.dictionary(fc.constantFrom(...names, ...more, 'constructor', 'toString'), value, {
      maxKeys: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...BODIES), fields, async ([method, path, name], content) => {
        const status = await send(method, path, JSON.stringify(name === '' ? content : { [name]: content }));
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 300 },
    );
    expect(failures).toEqual([]);
  });
});

describe('a malformed request', () => {
  it.each([
    '/compute/v2.1/flavors?limit=x',
    '/compute/v2.1/flavors?limit=-1',
    '/compute/v2.1/flavors?marker=unknown',
    '/compute/v2.1/flavors?sort_key=__proto__',
    '/compute/v2.1/flavors/detail?is_public=perhaps',
    '/image/v2/images?limit=-1',
    '/image/v2/images?marker=unknown',
    '/image/v2/images?sort=constructor:asc',
    '/network/v2.0/networks?unknown=1',
    '/network/v2.0/networks?limit=1e9',
  ])('%s is answered with 400', async (path) => {
    expect((await test.call('GET', path, { token: admin })).status).toBe(400);
  });

  it.each([
    ['compute 2.9999', 406],
    ['compute 3.1', 406],
    ['compute two', 400],
    ['compute', 200],
    ['volume 3.0', 200],
  ])('version header «%s» is answered with %i', async (version, status) => {
    const headers = { 'OpenStack-API-Version': version };
    expect((await test.call('GET', '/compute/v2.1/flavors', { token: admin, headers })).status).toBe(status);
  });

  it('to a path that does not exist is 404 in the words of its service', async () => {
    const paths = [
      '/identity/v3/nope',
      '/compute/v2.1/nope',
      '/image/v2/nope',
      '/network/v2.0/nope',
      '/volume/v3/a/nope',
    ];
    const answers = await Promise.all(paths.map((path) => test.call('GET', path, { token: admin })));
    expect(answers.map((answer) => answer.status)).toEqual(paths.map(() => 404));
    expect(answers.map((answer) => Object.keys(answer.body as object)[0])).toEqual([
      'error',
      'itemNotFound',
      'message',
      'NeutronError',
      'itemNotFound',
    ]);
  });

  it('with text of any kind in the path never brings a 5xx', async () => {
    const prefixes = [
      '/identity/v3/users/',
      '/compute/v2.1/os-keypairs/',
      '/image/v2/images/',
      '/network/v2.0/networks/',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...prefixes), fc.string({ unit: 'binary' }), async (prefix, text) => {
        const path = prefix + encodeURIComponent(text.toWellFormed());
        expect((await test.call('GET', path, { token: admin })).status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });
});
