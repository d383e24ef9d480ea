import type { FastifyReply, FastifyRequest } from 'fastify';

import { ApiError, badRequest } from '../http/api-error.ts';
import { header } from '../http/caller.ts';

export const LATEST_MINOR = 71;

/** Says on the answer which version of the API it is in; nothing served here differs between them. */
export function negotiate(request: FastifyRequest, reply: FastifyReply): void {
  const minor = parseMinor(requestedVersion(request));
  void reply
    .header('x-compute-request-id', request.id)
    .header('openstack-api-version', `volume 3.${minor}`)
    .header('vary', 'OpenStack-API-Version');
}

function requestedVersion(request: FastifyRequest): string | undefined {
  for (const entry of header(request, 'openstack-api-version')?.split(',') ?? []) {
    const [service, version] = entry.trim().split(/\s+/);
    if (service === 'volume') return version;
  }
  return undefined;
}

function parseMinor(version: string | undefined): number {
  if (version === undefined) return 0;
  if (version === 'latest') return LATEST_MINOR;
  const match = /^(\d{1,4})\.(\d{1,4})$/.exec(version);
  if (match === null) {
    throw badRequest(
      `API Version String ${version} is of invalid format. Must be of format MajorNum.MinorNum.`,
    );
  }
  const minor = Number(match[2]);
  if (match[1] === '3' && minor <= LATEST_MINOR) return minor;
  throw new ApiError(
    406,
    `Version ${version} is not supported by the API. Minimum is 3.0 and maximum is 3.${LATEST_MINOR}.`,
  );
}
