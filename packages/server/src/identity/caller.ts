import { inspect } from 'node:util';
import type { CatalogEntry, Token } from '@jeroboam/openstack';

/** Whoever sent a request, as Keystone vouches for them. */
export interface Caller {
  token: string;
  userId: string;
  userName: string;
  userDomainId: string | null;
  projectId: string | null;
  projectName: string | null;
  projectDomainId: string | null;
  /** Set for a token scoped to a domain instead of a project. */
  domainId: string | null;
  /** True for a token scoped to the whole system. */
  systemScope: boolean;
  roles: string[];
  isAdmin: boolean;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  catalog: readonly CatalogEntry[];
}

/** Says who it is and nothing that could be misused: what a log line or an error dump shows of a caller. */
function redacted(this: Caller): unknown {
  const { userId, userName, projectId, roles, isAdmin } = this;
  return { userId, userName, projectId, roles, isAdmin };
}

export function callerFromToken(token: Token, catalog: readonly CatalogEntry[]): Caller {
  const caller: Caller = {
    token: token.id,
    userId: token.user.id,
    userName: token.user.name,
    userDomainId: token.user.domainId,
    projectId: token.project?.id ?? null,
    projectName: token.project?.name ?? null,
    projectDomainId: token.project?.domainId ?? null,
    domainId: token.domainId,
    systemScope: token.system,
    roles: [...token.roles],
    isAdmin: false,
    expiresAt: token.expiresAt,
    catalog,
  };
  // Hidden members: they guard the caller itself in logs and dumps, and do not travel with a copy.
  const hidden = { value: redacted, enumerable: false };
  return Object.defineProperties(caller, { toJSON: hidden, [inspect.custom]: hidden });
}
