import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './fixture.ts';
import type { Json } from './json.ts';

/** Headers that are part of the API; the others belong to the web server of the day. */
const KEPT_HEADERS = [
  'content-type',
  'openstack-api-version',
  'openstack-api-minimum-version',
  'openstack-api-maximum-version',
  'vary',
  'www-authenticate',
  'location',
  'allow',
  'x-openstack-request-id',
];
const REQUEST_LIMIT_MS = 30_000;
const LONGEST_TEXT = 4000;

export interface HttpRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Carries one request to the service. A fake one makes the runner testable without a network. */
export type Transport = (request: HttpRequest) => Promise<Answer>;

/**
 * A transport over real HTTP. Not `fetch`, which would escape the odd paths, add an Accept header and refuse some
 * of the requests that the recordings make on purpose. One connection a request: a reused one that the service
 * closes meanwhile would look like a service that hangs up.
 */
export function httpTransport(baseUrl: string): Transport {
  const base = new URL(baseUrl);
  const send = base.protocol === 'https:' ? requestHttps : requestHttp;
  return ({ method, path, headers, body }) =>
    new Promise((resolve) => {
      const options = {
        hostname: base.hostname,
        port: base.port,
        path: base.pathname.replace(/\/$/, '') + path,
        method,
        headers: body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      };
      const refused = (error: Error): void => resolve({ status: 0, headers: {}, error: error.message });
      const outgoing = send(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', refused);
        response.on('end', () => {
          const headers = keptHeaders(response.headers);
          resolve({ status: response.statusCode ?? 0, headers, ...readBody(Buffer.concat(chunks)) });
        });
      });
      outgoing.on('error', refused);
      outgoing.end(body);
    });
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]];
    }),
  );
}

function readBody(data: Buffer): Pick<Answer, 'body' | 'text'> {
  if (data.length === 0) return { body: null };
  const text = data.toString('utf8');
  try {
    return { body: JSON.parse(text) as Json };
  } catch {
    return { text: text.slice(0, LONGEST_TEXT) };
  }
}
