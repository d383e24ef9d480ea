import type { Caller } from '../identity/caller.ts';
import type { PolicyCredentials } from './compile-check.ts';

/** What rules can ask about a caller, under the names that policy files of OpenStack services use. */
export function policyCredentials(caller: Caller): PolicyCredentials {
  return {
    roles: caller.roles,
    user_id: caller.userId,
    user_name: caller.userName,
    user_domain_id: caller.userDomainId,
    project_id: caller.projectId,
    project_name: caller.projectName,
    project_domain_id: caller.projectDomainId,
    domain_id: caller.domainId,
    system_scope: caller.systemScope ? 'all' : null,
    is_admin: caller.isAdmin,
  };
}
