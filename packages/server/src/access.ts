import { Fault } from '@jeroboam/domain';
import type { Caller } from './identity/index.ts';
import { policyCredentials, type Policy } from './policy/index.ts';
import type { Scope } from './store/index.ts';

/** What a policy check is about: a resource of a project and a user. */
export interface PolicyTarget {
  project_id: string | null;
  user_id: string | null;
}

export const allows = (policy: Policy, caller: Caller, rule: string, target: PolicyTarget): boolean =>
  policy.allows(rule, policyCredentials(caller), { project_id: target.project_id, user_id: target.user_id });

/** Refuses what policy does not allow. Without a target the caller's own project and user are meant. */
export function enforce(policy: Policy, caller: Caller, rule: string, target?: PolicyTarget): void {
  const meant = target ?? { project_id: caller.projectId, user_id: caller.userId };
  if (allows(policy, caller, rule, meant)) return;
  throw new Fault('forbidden', `Policy doesn't allow ${rule} to be performed.`);
}

/** The caller's own things; a token without a project sees what its user made. */
export const ownScope = (caller: Caller): Scope =>
  caller.projectId === null ? { userId: caller.userId } : { projectId: caller.projectId };

/** An administrator's view over all projects, where policy lets them; everybody else's own. */
export function wideScope(policy: Policy, caller: Caller, rule: string): Scope {
  if (!caller.isAdmin) return ownScope(caller);
  enforce(policy, caller, rule);
  return { everything: true };
}

/** Where new resources go; a token for no project cannot own any. */
export function owningProject(caller: Caller): string {
  if (caller.projectId !== null) return caller.projectId;
  throw new Fault('forbidden', 'The token is not scoped to a project: ask for one that is.');
}
