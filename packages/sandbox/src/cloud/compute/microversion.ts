import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiError, badRequest } from '../http/api-error.ts';
import { header } from '../http/caller.ts';

/** The highest minor of API 2.x that is answered, and the one that requests without a header get. */
export const LATEST_MINOR = 104;
const OLDEST_MINOR = 1;

const minors = new WeakMap<FastifyRequest, number>();

/** Reads which version of the API a request speaks and says on the answer that it was understood. */
export function negotiate(request: FastifyRequest, reply: FastifyReply): void {
  const minor = parseMinor(requestedVersion(request));
  minors.set(request, minor);
  void reply
    .header('openstack-api-version', `compute 2.${minor}`)
    .header('x-openstack-nova-api-version', `2.${minor}`)
    .header('vary', 'OpenStack-API-Version, X-OpenStack-Nova-API-Version');
}

/** The minor of API 2.x that this request speaks. */
export function minorOf(request: FastifyRequest): number {
  return minors.get(request) ?? OLDEST_MINOR;
}

/** The newer header names a service, the older one is Nova's alone. */
function requestedVersion(request: FastifyRequest): string | undefined {
  const entries = header(request, 'openstack-api-version')?.split(',') ?? [];
  for (const entry of entries) {
    const [service, version] = entry.trim().split(/\s+/);
    if (service === 'compute') return version;
  }
  return header(request, 'x-openstack-nova-api-version');
}

function parseMinor(version: string | undefined): number {
  if (version === undefined) return OLDEST_MINOR;
  if (version === 'latest') return LATEST_MINOR;
  const match = /^([1-9]\d{0,3})\.(0|[1-9]\d{0,3})$/.exec(version);
  if (match === null) {
    throw badRequest(
      `API Version String ${version} is of invalid format. Must be of format MajorNum.MinorNum.`,
    );
  }
  const minor = Number(match[2]);
  if (match[1] !== '2' || minor < OLDEST_MINOR || minor > LATEST_MINOR) {
    throw new ApiError(
      406,
      `Version ${version} is not supported by the API. Minimum is 2.${OLDEST_MINOR} and maximum is 2.${LATEST_MINOR}.`,
    );
  }
  return minor;
}
