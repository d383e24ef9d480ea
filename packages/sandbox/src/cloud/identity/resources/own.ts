import type { FastifyInstance } from 'fastify';

import { notFound } from '../../http/api-error.ts';
import type { Identity } from '../identity.ts';
import { listBody } from '../listing.ts';
import type { Target } from '../model.ts';
import { sessionOf } from '../policy.ts';
import { projectView } from './projects.ts';

/** The projects a user has a role in. */
export function projectsOf(userId: string, identity: Identity): object[] {
  return targetsOf(userId, identity).flatMap((target) => {
    const project = 'project' in target ? identity.directory.projects.get(target.project) : undefined;
    return project?.enabled === true ? [projectView(project, identity)] : [];
  });
}

/** Each place once, however many roles the user has there. */
function targetsOf(userId: string, { directory }: Identity): Target[] {
  const targets = directory.assignments.filter((item) => item.userId === userId).map((item) => item.target);
  return [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()];
}

/** What a token's owner can do with it: where they may go, and what is where. Open to everyone with a token. */
export function ownRoutes(app: FastifyInstance, identity: Identity): void {
  app.get('/v3/auth/projects', async (request, reply) =>
    reply.send(listBody('projects', projectsOf(sessionOf(request).userId, identity), request, identity)),
  );

  app.get('/v3/auth/domains', async (request, reply) => {
    const { domains } = identity.directory;
    const own = targetsOf(sessionOf(request).userId, identity).flatMap((target) =>
      'domain' in target ? (domains.get(target.domain) ?? []) : [],
    );
    const views = own.map((domain) => ({
      ...domain,
      links: { self: `${identity.url}/domains/${domain.id}` },
    }));
    return reply.send(listBody('domains', views, request, identity));
  });

  app.get('/v3/auth/system', async (request, reply) => {
    const anywhere = targetsOf(sessionOf(request).userId, identity).some((target) => 'system' in target);
    return reply.send({
      system: anywhere ? [{ all: true }] : [],
      links: { self: `${identity.url}/auth/system` },
    });
  });

  app.get('/v3/auth/catalog', async (request, reply) => {
    const { claims, projectId } = sessionOf(request);
    if (claims.scope.kind === 'unscoped') throw notFound('Could not find catalog: the token is not scoped.');
    return reply.send({
      catalog: identity.catalogFor(projectId),
      links: { self: `${identity.url}/auth/catalog` },
    });
  });
}
