import http from 'node:http';
import type { AddressInfo } from 'node:net';

import type { KubeObject } from '../../src/index.ts';

export interface FakeApi {
  url: string;
  /** Every request so far, as method and URL. */
  requests: string[];
  close(): Promise<void>;
}

export type Answer = (response: http.ServerResponse, request: http.IncomingMessage, url: URL) => void;

/** A server that misbehaves as it is told: `answers` in turn, the last one for ever. */
export async function startFakeApi(...answers: [Answer, ...Answer[]]): Promise<FakeApi> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(`${request.method} ${request.url}`);
    answer?.(response, request, new URL(request.url ?? '', 'http://fake'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export const status = (code: number, reason: string, message: string): Answer =>
  json({ kind: 'Status', code, reason, message }, code);

/** Says nothing, and goes on saying nothing. */
export const silence: Answer = () => undefined;

export const configMap = (name: string, resourceVersion: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', resourceVersion },
});

export const listOf = (resourceVersion: string, ...items: KubeObject[]): Answer =>
  json({ items, metadata: { resourceVersion } });

export const event = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;

/** Sends pieces of a watch as they are given, and then ends it, or leaves it open. */
export const stream =
  (pieces: readonly (string | Buffer)[], end: 'ends' | 'stays' | 'breaks' = 'stays'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const next = (index: number): void => {
      const piece = pieces[index];
      if (piece !== undefined) {
        response.write(piece);
        setImmediate(() => next(index + 1));
      } else if (end === 'ends') response.end();
      else if (end === 'breaks') setImmediate(() => response.destroy());
    };
    next(0);
  };
