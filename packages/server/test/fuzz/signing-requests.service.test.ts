import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildRequest, csrPem, derOf } from '../certificates/support/requests.ts';
import { gather, openArena, type Arena } from './support/arena.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

const sign = (csr: unknown, kind?: unknown): Promise<string | null> =>
  arena.attack({
    method: 'POST',
    path: '/v1/certificates',
    body: { cluster_uuid: arena.own.cluster, csr, ...(kind === undefined ? {} : { ca_cert_type: kind }) },
  });

const good = buildRequest();
const der = derOf(good);
const lines = good.trim().split('\n');

describe('a signing request', () => {
  it.each<[string, unknown]>([
    ['that is empty', ''],
    ['that is a word', 'garbage'],
    ['of only a frame', '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----'],
    ['without an end', lines.slice(0, -1).join('\n')],
    ['without a beginning', lines.slice(1).join('\n')],
    ['in another frame', good.replaceAll('CERTIFICATE REQUEST', 'PRIVATE KEY')],
    ['with bad base64', good.replace(lines[1] ?? '', '!!!!')],
    ['with NUL', `${good}\0`],
    ['with half a character', `${good}\ud800`],
    ['of two hundred kilobytes', csrPem(Buffer.alloc(200_000, 0x30))],
    ['of nested sequences', csrPem(Buffer.alloc(20_000, Buffer.from([0x30, 0x80])))],
    ['whose length lies', csrPem(Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0x00]))],
    ['whose length is endless', csrPem(Buffer.from([0x30, 0x8f, ...Array.from({ length: 15 }, () => 0xff)]))],
    ['that is an object', { pem: good }],
    ['that is a list', [good]],
    ['that is a number', 7],
  ])('%s is refused with 400 and the name of the field', async (_words, csr) => {
    const body = { cluster_uuid: arena.own.cluster, csr };
    const answer = await arena.service.request('bob', 'POST', '/v1/certificates', body);
    expect([answer.status, answer.body.errors?.[0].detail]).toEqual([
      400,
      expect.stringMatching(/csr|certificate/),
    ]);
    expect(arena.fault(answer, JSON.stringify(body))).toBeNull();
  });

  it.each([
    ['twice', good + good],
    ['with text around it', `hello\n${good}\nbye`],
    ['with other line ends', good.replaceAll('\n', '\r\n')],
  ])('%s is signed once', async (_words, csr) => {
    const body = { cluster_uuid: arena.own.cluster, csr };
    const answer = await arena.service.request('bob', 'POST', '/v1/certificates', body);
    expect(answer.status).toBe(201);
    expect(answer.body.pem.match(/BEGIN CERTIFICATE-/g)).toHaveLength(1);
  });

  it('of which any byte is changed, taken away or added is signed or refused, never more', async () => {
    const mutation = fc.record({
      at: fc.nat({ max: der.length - 1 }),
      remove: fc.nat({ max: 8 }),
      insert: fc.uint8Array({ maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(mutation, async ({ at, remove, insert }) => {
        const bytes = Buffer.concat([der.subarray(0, at), insert, der.subarray(at + remove)]);
        expect(await sign(csrPem(bytes))).toBeNull();
      }),
      { numRuns: 250 },
    );
    expect(await arena.damage()).toBeNull();
  });

  it('of any bytes at all is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await sign(csrPem(Buffer.from(bytes)))).toBeNull();
      }),
      { numRuns: 100 },
    );
  });

  it('is signed or refused for any kind of authority that is asked for', async () => {
    const kinds = [
      '',
      ' ',
      'etcd',
      'front_proxy',
      'ETCD',
      '__proto__',
      'constructor',
      '\0',
      '\ud800',
      'x'.repeat(9000),
    ];
    const attacks = [...kinds, 1, true, null, [], {}].map((kind) => () => sign(good, kind));
    expect(await gather(attacks)).toEqual([]);
    expect(await arena.damage()).toBeNull();
  });
});
