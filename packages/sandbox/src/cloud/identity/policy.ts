import type { FastifyRequest } from 'fastify';

import { forbidden } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import type { Caller } from '../http/caller.ts';
import type { Session } from './tokens/session.ts';

/** The session of a request behind a token. */
export function sessionOf(request: FastifyRequest): Session {
  const caller = callerOf(request);
  if (!isSession(caller)) throw new Error('this caller did not come from the token office');
  return caller;
}

function isSession(caller: Caller): caller is Session {
  return 'claims' in caller;
}

/** Administrators change things. */
export function requireAdmin(session: Session, action: string): void {
  if (!session.isAdmin) throw refused(action);
}

/** Administrators look at everything, and so do readers of the whole system. */
export function mayReadAll(session: Session): boolean {
  return session.isAdmin || (session.systemScoped && session.roles.has('reader'));
}

export function refused(action: string): Error {
  return forbidden(`You are not authorized to perform the requested action: identity:${action}.`);
}
