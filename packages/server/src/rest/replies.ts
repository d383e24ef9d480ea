import { maxMinor, minMinor, serviceType } from '@jeroboam/domain';
import type { FastifyReply } from 'fastify';
import { extensionType } from './extension.ts';

/** Exactly Magnum's content type; Fastify would add a character set, see `app.ts`. */
export const jsonType = 'application/json';

/** Answers in JSON. A text rather than bytes: head and body then leave in one piece. */
export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply.code(status).header('content-type', jsonType).send(JSON.stringify(body));
}

/** Answers in the media type of the extensions; what a client accepts decides what it is told. */
export function sendExtended(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': extensionType, vary: 'OpenStack-API-Version, Accept' })
    .send(JSON.stringify(body));
}

const made = new Map<string, Readonly<Record<string, string>>>();

/** The headers that tell which microversion was used and which there are. */
export function versionHeaders(minor: number | string): Readonly<Record<string, string>> {
  const version = typeof minor === 'number' ? `1.${minor}` : minor;
  let headers = made.get(version);
  if (headers === undefined) {
    headers = {
      'openstack-api-version': `${serviceType} ${version}`,
      'openstack-api-minimum-version': `${serviceType} 1.${minMinor}`,
      'openstack-api-maximum-version': `${serviceType} 1.${maxMinor}`,
      vary: 'OpenStack-API-Version',
    };
    // Only versions we serve are kept: a client could ask for any number.
    if (typeof minor === 'number') made.set(version, headers);
  }
  return headers;
}
