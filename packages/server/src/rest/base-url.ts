import type { FastifyRequest } from 'fastify';
import type { ApiOptions } from '../options.ts';

const hostPattern = /^[A-Za-z0-9._-]{1,255}(:\d{1,5})?$|^\[[0-9A-Fa-f:.]{2,45}\](:\d{1,5})?$/;

const first = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();

/** Where the client reached us. */
function ownAddress({ socket }: FastifyRequest): string {
  const address = socket.localAddress ?? 'localhost';
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort ?? 80}`;
}

/** Scheme and host for links: configured, else what a trusted proxy says, else what the client asked for. */
export function baseUrl(request: FastifyRequest, api: ApiOptions): string {
  if (api.publicUrl !== null) return api.publicUrl;
  const { headers } = request;
  const forwarded = api.trustProxyHeaders ? first(headers['x-forwarded-host']) : undefined;
  const scheme = api.trustProxyHeaders && first(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http';
  const host = forwarded ?? headers.host ?? '';
  // A header that is no host must not end up in links that clients follow.
  return `${scheme}://${hostPattern.test(host) ? host : ownAddress(request)}`;
}
