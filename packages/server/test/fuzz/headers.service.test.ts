import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { gather, openArena, type Arena, type Reply } from './support/arena.ts';
import { head, sendBytes } from './support/raw-http.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

const ask = (headers: readonly string[], target = '/v1/clusters'): Promise<Reply> =>
  sendBytes(
    arena.service.url,
    Buffer.from(head('GET', target, [`x-auth-token: ${arena.service.tokens.bob}`, ...headers]), 'latin1'),
  );

/** Headers as bytes may make them; each is sent beside a good token. */
const odd: readonly string[] = [
  'openstack-api-version:',
  'openstack-api-version: ',
  'openstack-api-version: container-infra',
  'openstack-api-version: container-infra 1',
  'openstack-api-version: container-infra 1.1.1',
  'openstack-api-version: container-infra 1.-1',
  'openstack-api-version: container-infra 99999999999999999999.99999999999999999999',
  'openstack-api-version: container-infra 1.1e1',
  'openstack-api-version: container-infra 0x1.0x1',
  'openstack-api-version: container-infra \xa01.1',
  'openstack-api-version: __proto__ latest',
  'openstack-api-version: container-infra constructor',
  `openstack-api-version: container-infra 1.${'1'.repeat(4000)}`,
  `openstack-api-version: ${'a '.repeat(4000)}`,
  'openstack-api-version: container-infra 1.1\r\nopenstack-api-version: container-infra 1.2',
  'accept:',
  'accept: ;;;,,,',
  'accept: */*;q=x',
  'accept: \xff\xfe',
  `accept: ${'application/json,'.repeat(500)}`,
  `accept: ${'a/'.repeat(3000)}`,
  'accept-encoding: gzip;q=nope',
  'content-length:',
  'if-none-match: *',
  'if-modified-since: yesterday',
  'range: bytes=0-',
  'expect: 100-continue',
  'expect: the unexpected',
  'cookie: a=b; c',
  'authorization: Bearer x',
  'x-forwarded-for: 127.0.0.1, ::1, nonsense',
  'x-forwarded-host: evil.example/path"><script>',
  'x-forwarded-proto: javascript',
  'forwarded: for=_x;host=evil.example',
  'x-http-method-override: DELETE',
  'x-original-url: /v1/quotas',
  'x-rewrite-url: /v1/mservices',
  'x-roles: admin',
  'x-project-id: anything',
  'x-is-admin-project: True',
  'x-identity-status: Confirmed',
  'x-user-id: admin',
  'x-service-token: garbage',
  'x-openstack-request-id: req-forged\tvalue',
  'x-auth-token: second',
  '__proto__: x',
  'constructor: x',
  'upgrade: websocket\r\nconnection: upgrade',
  'upgrade: h2c',
  'te: trailers, chunked',
  'transfer-encoding: identity',
  `x-long: ${'x'.repeat(10_000)}`,
];

describe('headers of all kinds beside a good token', () => {
  it('are taken, refused or ignored, and never break anything', async () => {
    const attacks = odd.map((header) => async () => arena.fault(await ask([header]), header));
    expect(await gather(attacks)).toEqual([]);
    expect(await arena.damage()).toBeNull();
  });

  it('make nobody an administrator and no other project visible', async () => {
    const forged = ['x-roles: admin', 'x-project-id: ', 'x-is-admin: True', 'x-identity-status: Confirmed'];
    const reply = await ask(forged, '/v1/quotas');
    expect(reply.status).toBe(403);
    expect(arena.fault(await ask(forged, '/v1/clusters/detail'), '')).toBeNull();
  });

  it.each(['evil.example/x', 'a b', '"><script>', 'x'.repeat(5000), '@evil.example', '127.0.0.1:99999999'])(
    'put nothing into links that is no host (%#)',
    async (host) => {
      const request = `GET /v1 HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
      const reply = await sendBytes(arena.service.url, request);
      expect(reply.text).not.toContain(host);
      expect(arena.fault(reply, '')).toBeNull();
    },
  );

  it('are answered whatever their bytes are', async () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'X', '-', '_', '0', '~', '!'),
      minLength: 1,
      maxLength: 20,
    });
    const value = fc.string({
      unit: fc.nat({ max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), async (pairs) => {
        const lines = pairs.map(([key, text]) => `${key}: ${text.replaceAll(/[\r\n]/g, ' ')}`);
        expect(arena.fault(await ask(lines), '')).toBeNull();
      }),
      { numRuns: 150 },
    );
    expect(await arena.damage()).toBeNull();
  });

  it('and any version that is asked for is served or refused with 406', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        'container-infra',
        'container-infrastructure-management',
        'latest',
        '1.1',
        '1.14',
        '1.15',
        '2.0',
      ),
      fc.string({ unit: fc.constantFrom('1', '.', '-', '+', 'a', '\t', ' ', '\xa0', '9'), maxLength: 10 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 4 }), async (words) => {
        const reply = await ask([`openstack-api-version: ${words.join(' ')}`]);
        expect([200, 406]).toContain(reply.status);
        expect(arena.fault(reply, '')).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});
