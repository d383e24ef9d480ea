import { connect } from 'node:net';

import type { Reply } from './arena.ts';

const limitMs = 15_000;

/**
 * Sends bytes as they are and reads until the other side closes; for requests that no client library would
 * send. The status is 0 where no HTTP came back, which is an answer too.
 */
export function sendBytes(url: string, ...parts: (string | Buffer)[]): Promise<Reply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end of the answer within ${limitMs} ms to ${String(parts[0]).slice(0, 200)}`));
    }, limitMs);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A service that closes while we still write gives a reset: what it said before counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(parseReply(Buffer.concat(chunks).toString('utf8')));
    });
    socket.on('connect', () => {
      for (const part of parts) socket.write(part);
    });
  });
}

function parseReply(text: string): Reply {
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  const rest = end < 0 ? '' : text.slice(end + 4);
  const chunked = /transfer-encoding: chunked/i.test(head);
  const body = chunked ? rest.replaceAll(/(^|\r\n)[0-9a-f]+\r\n|\r\n$/gi, '') : rest;
  return { status: Number(status), text: body };
}

/** The head of a request that closes the connection behind it. */
export const head = (method: string, target: string, headers: readonly string[]): string =>
  [`${method} ${target} HTTP/1.1`, 'host: 127.0.0.1', 'connection: close', ...headers, '', ''].join('\r\n');
