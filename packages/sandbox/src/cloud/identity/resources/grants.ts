import type { FastifyInstance, FastifyReply } from 'fastify';

import { notFound } from '../../http/api-error.ts';
import { assignmentId } from '../directory.ts';
import type { Identity } from '../identity.ts';
import { listBody } from '../listing.ts';
import type { Assignment, Target } from '../model.ts';
import { mayReadAll, refused, requireAdmin, sessionOf } from '../policy.ts';
import { missing } from './resource.ts';
import { roleView } from './roles.ts';

interface GrantParams {
  Params: { place: string; user: string; role: string };
}

interface Place {
  path: string;
  target: (identity: Identity, id: string) => Target;
}

const PLACES: readonly Place[] = [
  {
    path: '/v3/projects/:place/users/:user/roles',
    target: ({ directory }, id) =>
      directory.projects.get(id) === undefined ? missing('project', id) : { project: id },
  },
  {
    path: '/v3/domains/:place/users/:user/roles',
    target: ({ directory }, id) =>
      directory.domains.get(id) === undefined ? missing('domain', id) : { domain: id },
  },
  { path: '/v3/system/users/:user/roles', target: () => ({ system: 'all' }) },
];

/** Giving a user a role in a project, in a domain or in the whole system. */
export function grantRoutes(app: FastifyInstance, identity: Identity): void {
  for (const place of PLACES) placeRoutes(app, identity, place);
}

function placeRoutes(app: FastifyInstance, identity: Identity, { path, target }: Place): void {
  const { directory } = identity;

  const grantOf = ({ place, user, role }: GrantParams['Params']): Assignment => ({
    target: target(identity, place),
    userId: (directory.users.get(user) ?? missing('user', user)).id,
    roleId: (directory.roles.get(role) ?? missing('role', role)).id,
  });

  const existingGrant = (params: GrantParams['Params']): Assignment => {
    const grant = grantOf(params);
    if (directory.assignments.get(assignmentId(grant)) !== undefined) return grant;
    throw notFound(
      `Could not find role assignment with role: ${grant.roleId}, user or group: ${grant.userId}.`,
    );
  };

  app.get<GrantParams>(path, async (request, reply) => {
    if (!mayReadAll(sessionOf(request))) throw refused('list_grants');
    const { place, user } = request.params;
    if (directory.users.get(user) === undefined) missing('user', user);
    const roles = directory.assignedRoles(user, target(identity, place));
    return reply.send(
      listBody(
        'roles',
        roles.map((role) => roleView(role, identity)),
        request,
        identity,
      ),
    );
  });

  app.put<GrantParams>(`${path}/:role`, async (request, reply) => {
    requireAdmin(sessionOf(request), 'create_grant');
    await directory.assign(grantOf(request.params));
    return noContent(reply);
  });

  // HEAD comes with GET.
  app.get<GrantParams>(`${path}/:role`, async (request, reply) => {
    if (!mayReadAll(sessionOf(request))) throw refused('check_grant');
    existingGrant(request.params);
    return noContent(reply);
  });

  app.delete<GrantParams>(`${path}/:role`, async (request, reply) => {
    requireAdmin(sessionOf(request), 'revoke_grant');
    const gone = assignmentId(existingGrant(request.params));
    await directory.unassign((assignment) => assignmentId(assignment) === gone);
    return noContent(reply);
  });
}

function noContent(reply: FastifyReply): FastifyReply {
  return reply.code(204).send();
}
