import { badRequest, conflict, forbidden, notFound } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';

export function networkNotFound(id: string): Error {
  return notFound(`Network ${id} could not be found.`, 'NetworkNotFound');
}

export function subnetNotFound(id: string): Error {
  return notFound(`Subnet ${id} could not be found.`, 'SubnetNotFound');
}

export function invalidInput(what: string): Error {
  return badRequest(`Invalid input for operation: ${what}`, 'InvalidInput');
}

export function flatNetworkInUse(physical: string): Error {
  return conflict(
    `Unable to create the flat network. Physical network ${physical} is in use.`,
    'FlatNetworkInUse',
  );
}

export function refused(rule: string): Error {
  return forbidden(`rule:${rule} is disallowed by policy`, 'PolicyNotAuthorized');
}

/** The project that something new belongs to: the caller's, or another one an administrator names. */
export function ownerFor(caller: Caller, wanted: string | undefined, rule: string): string {
  const project = wanted ?? caller.projectId;
  if (project === undefined || !caller.roles.has('member')) throw refused(rule);
  if (project !== caller.projectId && !caller.isAdmin) throw refused(rule);
  return project;
}
