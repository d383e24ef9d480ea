import type { Caller } from '../../http/caller.ts';
import type { Directory } from '../directory.ts';
import type { ApplicationCredential, Role, User } from '../model.ts';
import { targetOf } from './scope.ts';
import type { TokenClaims } from './seal.ts';

/** A token in use: its claims, and what the directory says about them at this moment. */
export interface Session extends Caller {
  readonly claims: TokenClaims;
  readonly user: User;
  readonly roleRecords: readonly Role[];
  /** Present when the token came from an application credential. */
  readonly credential: ApplicationCredential | undefined;
  readonly systemScoped: boolean;
}

/**
 * Looks the claims up: the user, the scope and the roles must still be there.
 * Undefined when one of them is gone or disabled, which makes the token void at once.
 */
export function openSession(claims: TokenClaims, directory: Directory): Session | undefined {
  const user = directory.users.get(claims.userId);
  if (user === undefined || !user.enabled || directory.domains.get(user.domain_id)?.enabled !== true) {
    return undefined;
  }
  if (claims.issuedAt < (user.tokensValidFrom ?? 0)) return undefined;
  if (!scopeIsOpen(claims, directory)) return undefined;
  const credential =
    claims.credentialId === undefined ? undefined : directory.credentials.get(claims.credentialId);
  if (claims.credentialId !== undefined && credential === undefined) return undefined;

  const roleRecords = rolesOf(claims, credential, directory);
  if (claims.scope.kind !== 'unscoped' && roleRecords.length === 0) return undefined;
  const roles = new Set(roleRecords.map((role) => role.name));
  return {
    claims,
    user,
    roleRecords,
    credential,
    userId: user.id,
    projectId: claims.scope.kind === 'project' ? claims.scope.id : undefined,
    roles,
    isAdmin: roles.has('admin'),
    systemScoped: claims.scope.kind === 'system',
  };
}

function scopeIsOpen({ scope }: TokenClaims, directory: Directory): boolean {
  if (scope.kind === 'project') return directory.projects.get(scope.id)?.enabled === true;
  if (scope.kind === 'domain') return directory.domains.get(scope.id)?.enabled === true;
  return true;
}

/** An application credential never gives more than its owner still has. */
function rolesOf(
  claims: TokenClaims,
  credential: ApplicationCredential | undefined,
  directory: Directory,
): Role[] {
  const target = targetOf(claims.scope);
  if (target === undefined) return [];
  const held = directory.effectiveRoles(claims.userId, target);
  if (credential === undefined) return held;
  const granted = new Set(
    directory.expand(credential.roleIds.flatMap((id) => directory.roles.get(id) ?? [])),
  );
  return held.filter((role) => granted.has(role));
}
