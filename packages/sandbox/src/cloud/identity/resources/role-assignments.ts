import type { FastifyInstance } from 'fastify';

import { Query } from '../../http/query.ts';
import type { Identity } from '../identity.ts';
import { listBody } from '../listing.ts';
import type { Assignment } from '../model.ts';
import { mayReadAll, refused, sessionOf } from '../policy.ts';

/** All grants at once, narrowed by user, role or place. */
export function roleAssignmentRoutes(app: FastifyInstance, identity: Identity): void {
  app.get('/v3/role_assignments', async (request, reply) => {
    const query = new Query(request);
    const session = sessionOf(request);
    // Everyone may look at what they were given themselves.
    if (!mayReadAll(session) && query.one('user.id') !== session.userId) {
      throw refused('list_role_assignments');
    }
    const assignments = query.flag('effective') ? effective(identity) : identity.directory.assignments.all();
    const views = assignments
      .filter((assignment) => matches(assignment, query))
      .map((assignment) => view(assignment, identity, query.flag('include_names')));
    return reply.send(listBody('role_assignments', views, request, identity));
  });
}

function effective({ directory }: Identity): Assignment[] {
  return directory.assignments.all().flatMap((assignment) => {
    const role = directory.roles.get(assignment.roleId);
    return role === undefined
      ? []
      : directory.expand([role]).map(({ id }) => ({ ...assignment, roleId: id }));
  });
}

function matches({ userId, roleId, target }: Assignment, query: Query): boolean {
  const place = (name: string, id: string | undefined): boolean => !query.has(name) || query.one(name) === id;
  return (
    place('user.id', userId) &&
    place('role.id', roleId) &&
    place('scope.project.id', 'project' in target ? target.project : undefined) &&
    place('scope.domain.id', 'domain' in target ? target.domain : undefined) &&
    (!query.has('scope.system') || 'system' in target)
  );
}

function view({ userId, roleId, target }: Assignment, identity: Identity, names: boolean): object {
  const { directory, url } = identity;
  const domain = (id: string): object => ({ id, name: directory.domains.get(id)?.name });
  const named = (id: string, item: { name: string; domain_id?: string } | undefined): object =>
    names && item !== undefined
      ? { id, name: item.name, ...(item.domain_id === undefined ? {} : { domain: domain(item.domain_id) }) }
      : { id };
  const user = named(userId, directory.users.get(userId));
  const role = named(roleId, directory.roles.get(roleId));
  if ('project' in target) {
    const scope = { project: named(target.project, directory.projects.get(target.project)) };
    return { scope, user, role, links: link(`${url}/projects/${target.project}`) };
  }
  if ('domain' in target) {
    const scope = { domain: named(target.domain, directory.domains.get(target.domain)) };
    return { scope, user, role, links: link(`${url}/domains/${target.domain}`) };
  }
  return { scope: { system: { all: true } }, user, role, links: link(`${url}/system`) };

  function link(place: string): object {
    return { assignment: `${place}/users/${userId}/roles/${roleId}` };
  }
}
