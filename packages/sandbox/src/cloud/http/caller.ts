import type { FastifyRequest } from 'fastify';

/** Who makes a request, as every service behind Keystone sees them. */
export interface Caller {
  readonly userId: string;
  /** Absent for tokens that are not scoped to a project. */
  readonly projectId: string | undefined;
  /** Names, with those that other roles imply. */
  readonly roles: ReadonlySet<string>;
  readonly isAdmin: boolean;
}

// Beside the request instead of on it: fastify's types stay as they are for every other package.
const callers = new WeakMap<FastifyRequest, Caller>();

export function rememberCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** The caller of a route that stands behind a token. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) {
    throw new Error(`${request.method} ${request.routeOptions.url} is served without a token`);
  }
  return caller;
}

/** A header as one string; clients that repeat it get the first. */
export function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
