import { badRequest, unauthorized } from '../../http/api-error.ts';
import { isObject, optionalObject, optionalString } from '../../http/fields.ts';
import type { Fields } from '../../http/fields.ts';
import type { Directory } from '../directory.ts';
import type { Project, Target, User } from '../model.ts';

/** Where a token counts. */
export type Scope = { kind: 'unscoped' } | { kind: 'project' | 'domain'; id: string } | { kind: 'system' };

export function targetOf(scope: Scope): Target | undefined {
  switch (scope.kind) {
    case 'project':
      return { project: scope.id };
    case 'domain':
      return { domain: scope.id };
    case 'system':
      return { system: 'all' };
    default:
      return undefined;
  }
}

/** The scope that a request for a token asks for; without one, the user's default project. */
export function requestedScope(auth: Fields, user: User, directory: Directory): Scope {
  const scope = auth['scope'];
  if (scope === undefined || scope === null) return defaultScope(user, directory);
  if (scope === 'unscoped') return { kind: 'unscoped' };
  if (!isObject(scope)) throw badRequest("'scope' must be an object or the word 'unscoped'.");
  const project = optionalObject(scope, 'project');
  if (project !== undefined) return { kind: 'project', id: findProject(project, directory).id };
  const domain = optionalObject(scope, 'domain');
  if (domain !== undefined) return { kind: 'domain', id: findDomainId(domain, directory) };
  if (optionalObject(scope, 'system')?.['all'] === true) return { kind: 'system' };
  if (isObject(scope['unscoped'])) return { kind: 'unscoped' };
  throw badRequest(
    '\'scope\' must name a project, a domain, the system ({"system": {"all": true}}) or \'unscoped\'.',
  );
}

/** A default project that is gone, disabled or without a role for the user leaves the token unscoped. */
function defaultScope(user: User, directory: Directory): Scope {
  const project =
    user.default_project_id === undefined ? undefined : directory.projects.get(user.default_project_id);
  const usable =
    project?.enabled === true && directory.assignedRoles(user.id, { project: project.id }).length > 0;
  return usable ? { kind: 'project', id: project.id } : { kind: 'unscoped' };
}

function findProject(reference: Fields, directory: Directory): Project {
  const id = optionalString(reference, 'id');
  const name = optionalString(reference, 'name');
  if (id === undefined && name === undefined) {
    throw badRequest("'project' must have an 'id', or a 'name' and a 'domain'.");
  }
  const project =
    id === undefined
      ? directory.projectByName(name ?? '', findDomainId(domainOf(reference, 'project'), directory))
      : directory.projects.get(id);
  if (project === undefined || !project.enabled) throw unauthorized();
  return project;
}

/** The domain that a user or a project is named in. */
export function domainOf(reference: Fields, what: string): Fields {
  const domain = optionalObject(reference, 'domain');
  if (domain === undefined) throw badRequest(`'${what}' must have a 'domain' when it is given by name.`);
  return domain;
}

export function findDomainId(reference: Fields, directory: Directory): string {
  const id = optionalString(reference, 'id');
  const name = optionalString(reference, 'name');
  if (id === undefined && name === undefined) throw badRequest("'domain' must have an 'id' or a 'name'.");
  const domain = id === undefined ? directory.domainByName(name ?? '') : directory.domains.get(id);
  if (domain === undefined || !domain.enabled) throw unauthorized();
  return domain.id;
}
