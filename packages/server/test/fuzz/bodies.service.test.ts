import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Operation } from '../../src/rest/operation.ts';
import { operations } from '../../src/rest/operations.ts';
import { askFor, nameOf } from '../access/support/requests.ts';
import { gather, openArena, type Arena } from './support/arena.ts';
import { head, sendBytes } from './support/raw-http.ts';
import { anyJson, nastyValues } from './support/values.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

const named = (kinds: readonly string[]): [string, Operation][] =>
  operations
    .filter(({ body }) => body !== undefined && kinds.includes(body.kind))
    .map((operation) => [nameOf(operation), operation]);
const reading = named(['object', 'patch']);
const everything: [string, Operation][] = operations.map((operation) => [nameOf(operation), operation]);

/** Texts that are no JSON, or not what a body is. */
const malformed = [
  '{',
  '}',
  '{"a":}',
  '{"a" 1}',
  "{'a':1}",
  '{"a":1,}',
  '[1,]',
  'undefined',
  'NaN',
  'Infinity',
  '01',
  '+1',
  '"unfinished',
  '"\\x"',
  '"\\u12"',
  '{"a":1}{"b":2}',
  '// comment\n{}',
  '<xml/>',
  '\ufeff{}',
  '\0',
  ' ',
  'a=b&c=d',
  '"text"',
  '42',
  'true',
  'null',
  '[]',
  '[[]]',
  '{}',
  '{"__proto__":{}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  '['.repeat(100_000),
];

describe.each(reading)('%s', (_name, operation) => {
  it('refuses whatever is not its body with a 4xx', async () => {
    const { method, path } = askFor(operation, arena.own);
    const attacks = [...malformed, ...nastyValues].map(
      (body) => () => arena.attack({ method, path, body, headers: { 'content-type': 'application/json' } }),
    );
    expect(await gather(attacks)).toEqual([]);
    expect(await arena.damage()).toBeNull();
  });

  it('takes any JSON value for a body without breaking', async () => {
    const { method, path } = askFor(operation, arena.own);
    await fc.assert(
      fc.asyncProperty(anyJson, async (body) => {
        expect(await arena.attack({ method, path, body: JSON.stringify(body) })).toBeNull();
      }),
      { numRuns: 20 },
    );
  });

  it('answers 400 to malformed JSON and to bytes that are no text, 415 to other types', async () => {
    const { method, path, body } = askFor(operation, arena.own);
    const { service } = arena;
    const broken = await service.request('bob', method, path, '{"a":');
    expect([broken.status, broken.body.errors[0].detail]).toEqual([
      400,
      'Request is not in valid JSON format',
    ]);
    for (const type of ['text/plain', 'application/json-patch+json', 'application/x-www-form-urlencoded']) {
      const answer = await service.request('bob', method, path, body, { 'content-type': type });
      const expected = [415, `Unknown mimetype: ${type}`];
      expect([answer.status, answer.body.errors[0].detail]).toEqual(expected);
    }
    const nonsense = await service.request('bob', method, path, body, { 'content-type': 'x' });
    expect(nonsense.status).toBe(415);
  });
});

describe.each(everything)('%s', (_name, operation) => {
  it('answers 413 to a body over the limit, announced or not', async () => {
    const { method, path } = askFor(operation, arena.own);
    const { service } = arena;
    const size = service.options.api.bodyLimit + 1;
    const headers = [`x-auth-token: ${service.tokens.bob}`, 'content-type: application/json'];
    const announced = head(method, path, [...headers, `content-length: ${size}`]);
    const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n0\r\n\r\n`;
    const chunked = head(method, path, [...headers, 'transfer-encoding: chunked']);
    for (const parts of [
      [announced, Buffer.alloc(size, 0x20)],
      [chunked, chunk],
    ]) {
      const reply = await sendBytes(service.url, ...parts);
      // A GET has no body that anyone would read.
      expect(method === 'GET' ? [200, 400, 403, 404, 406, 413] : [413]).toContain(reply.status);
      expect(arena.fault(reply, path)).toBeNull();
    }
  });
});

describe('encodings of a body', () => {
  const operation = operations.find((known) => nameOf(known) === 'POST /v1/clustertemplates');
  const post = (body: Buffer, ...headers: string[]) =>
    sendBytes(
      arena.service.url,
      head('POST', operation?.path ?? '', [
        `x-auth-token: ${arena.service.tokens.bob}`,
        `content-length: ${body.length}`,
        ...headers,
      ]),
      body,
    );
  const good = Buffer.from('{"name":"x","coe":"kubernetes","image_id":"ubuntu-kube-v1.31"}');

  it.each<[string, Buffer, string[]]>([
    ['UTF-16', Buffer.from(good.toString(), 'utf16le'), ['content-type: application/json; charset=utf-16']],
    [
      'bytes that are no UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80]),
      ['content-type: application/json'],
    ],
    ['an overlong slash', Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), ['content-type: application/json']],
    ['gzip', gzipSync(good), ['content-type: application/json', 'content-encoding: gzip']],
    ['gzip without a word', gzipSync(good), ['content-type: application/json']],
    ['a type with quotes and parameters', good, ['content-type: application/json; q="']],
    ['two types', good, ['content-type: text/plain', 'content-type: application/json']],
    ['no type', good, []],
    ['an empty type', good, ['content-type:']],
    ['multipart without an end', good, ['content-type: multipart/form-data; boundary=x']],
  ])('%s: taken or refused, never broken', async (_words, body, headers) => {
    const reply = await post(body, ...headers);
    expect(reply.status).toBeGreaterThanOrEqual(200);
    expect(arena.fault(reply, '')).toBeNull();
    expect(await arena.damage()).toBeNull();
  });
});
