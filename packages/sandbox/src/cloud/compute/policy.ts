import { forbidden } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';

export function requireAdmin(caller: Caller, rule: string): void {
  if (!caller.isAdmin) throw refused(rule);
}

/** The project a request is about; the compute API is of no use to tokens without one. */
export function projectOf(caller: Caller, rule: string): string {
  if (caller.projectId === undefined) throw refused(rule);
  return caller.projectId;
}

export function refused(rule: string): Error {
  return forbidden(`Policy doesn't allow os_compute_api:${rule} to be performed.`);
}
