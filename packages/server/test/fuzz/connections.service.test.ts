import { connect, type Socket } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openArena, type Arena } from './support/arena.ts';
import { sendBytes } from './support/raw-http.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

const token = (): string => `X-Auth-Token: ${arena.service.tokens.bob}`;
const post = (...headers: string[]): string =>
  ['POST /v1/clusters HTTP/1.1', 'Host: x', 'Connection: close', token(), ...headers, '', ''].join('\r\n');
const json = 'Content-Type: application/json';

describe('bytes that are no request', () => {
  it.each<[string, () => (string | Buffer)[]]>([
    ['binary', () => [Buffer.from([0, 1, 2, 3, 255, 254, 10, 13, 10])]],
    ['a TLS greeting', () => [Buffer.from('16030100f4010000f0030300', 'hex'), '\r\n\r\n']],
    ['HTTP/2', () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
    ['an unknown method', () => ['BREW /v1 HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['a version from the future', () => ['GET /v1 HTTP/9.9\r\nHost: x\r\n\r\n']],
    ['no version', () => ['GET /v1\r\n\r\n']],
    [
      'a whole address for another host',
      () => ['GET http://evil.example/v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ],
    ['a star', () => ['OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n']],
    ['CONNECT', () => ['CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['no host', () => ['GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n']],
    ['two hosts', () => ['GET /v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n']],
    ['a header without a colon', () => ['GET /v1 HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n']],
    ['a header with a blank in its name', () => ['GET /v1 HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n']],
    ['a NUL in a header', () => ['GET /v1 HTTP/1.1\r\nHost: x\r\na: b\0c\r\n\r\n']],
    ['a folded header', () => ['GET /v1 HTTP/1.1\r\nHost: x\r\na: b\r\n c\r\nConnection: close\r\n\r\n']],
    ['a flood of headers', () => [`GET /v1 HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(5000)}\r\n`]],
    ['one endless header', () => [`GET /v1 HTTP/1.1\r\nHost: x\r\na: ${'b'.repeat(200_000)}\r\n\r\n`]],
    ['an endless address', () => [`GET /${'a'.repeat(200_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]],
    ['a negative length', () => [post(json, 'Content-Length: -1'), '{}']],
    ['a length that is no number', () => [post(json, 'Content-Length: two'), '{}']],
    ['two lengths', () => [post(json, 'Content-Length: 2', 'Content-Length: 3'), '{}']],
    [
      'length and chunks at once',
      () => [post(json, 'Content-Length: 2', 'Transfer-Encoding: chunked'), '0\r\n\r\n'],
    ],
    ['chunks of garbage', () => [post(json, 'Transfer-Encoding: chunked'), 'zz\r\n{}\r\n0\r\n\r\n']],
    ['chunks without an end of line', () => [post(json, 'Transfer-Encoding: chunked'), '2\r\n{}0\r\n\r\n']],
    ['a chunk of endless size', () => [post(json, 'Transfer-Encoding: chunked'), `${'f'.repeat(20)}\r\n{}`]],
    ['chunks twice', () => [post(json, 'Transfer-Encoding: chunked, chunked'), '0\r\n\r\n']],
    ['an unknown coding', () => [post(json, 'Transfer-Encoding: nonsense'), '0\r\n\r\n']],
    ['more body than announced', () => [post(json, 'Content-Length: 2'), '{}{"and":"more"}']],
  ])('%s: refused or answered, never broken', async (_words, parts) => {
    const reply = await sendBytes(arena.service.url, ...parts());
    expect(reply.status).toBeLessThan(500);
    expect(arena.fault({ status: reply.status, text: reply.text }, '')).toBeNull();
    expect(await arena.damage()).toBeNull();
  });

  it('of any kind', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'GET ',
        '/v1 ',
        'HTTP/1.1',
        '\r\n',
        'Host: x',
        ': ',
        '\0',
        '\n',
        'Content-Length: ',
        '5',
      ),
      fc.string({ unit: 'binary', maxLength: 10 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        // The end makes sure that even what looks like the start of a request is finished.
        const reply = await sendBytes(arena.service.url, `${pieces.join('')}\r\nbroken\r\n\r\n\r\n`);
        expect(reply.status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
    expect(await arena.damage()).toBeNull();
  });
});

describe('two requests in one', () => {
  it('the second one hidden in a body is taken for the body it is', async () => {
    const hidden = `DELETE /v1/clusters/${arena.own.cluster} HTTP/1.1\r\nHost: x\r\n${token()}\r\n\r\n`;
    const { text } = await sendBytes(
      arena.service.url,
      post(json, `Content-Length: ${hidden.length}`),
      hidden,
    );
    expect(text).toContain('Request is not in valid JSON format');
    const shown = await arena.service.request('bob', 'GET', `/v1/clusters/${arena.own.cluster}`);
    expect(shown.body.status).not.toContain('DELETE');
  });
});

describe('connections that are left hanging', () => {
  const open = (bytes: string): Promise<Socket> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(arena.service.url);
      const socket = connect(Number(port), hostname, () => socket.write(bytes, () => resolve(socket)));
      socket.on('error', () => undefined);
    });

  it('with half a request each keep nobody else from being answered, and go without a trace', async () => {
    const halves = [
      '',
      '\r\n\r\n\r\n',
      'GET',
      'GET /v1/clus',
      'GET /v1 HTTP/1.1\r\nHost: x\r\n',
      post(json, 'Content-Length: 1000'),
      `${post(json, 'Content-Length: 1000')}{"name":`,
      `${post(json, 'Transfer-Encoding: chunked')}5\r\n{"n`,
    ];
    const sockets = await Promise.all(halves.flatMap((half) => Array.from({ length: 20 }, () => open(half))));
    expect(await arena.damage()).toBeNull();
    for (const socket of sockets) socket.destroy();
    expect(await arena.damage()).toBeNull();
  });

  it('by clients that go away before the answer', async () => {
    const request = `GET /v1/clusters/detail HTTP/1.1\r\nHost: x\r\n${token()}\r\n\r\n`;
    const sockets = await Promise.all(Array.from({ length: 50 }, () => open(request)));
    for (const socket of sockets) socket.destroy();
    expect(await arena.damage()).toBeNull();
  });
});
