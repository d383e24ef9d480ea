import type { FastifyInstance, FastifyRequest } from 'fastify';

import { callerOf } from '../http/caller.ts';
import { refused } from './errors.ts';
import type { NetworkState } from './state.ts';

/** Neutron's defaults. */
const QUOTAS = {
  network: 100,
  subnet: 100,
  subnetpool: -1,
  port: 500,
  router_route: 30,
  router: 10,
  floatingip: 50,
  rbac_policy: 10,
  security_group: 10,
  security_group_rule: 100,
};

interface OfProject {
  Params: { project: string };
}

export function quotaRoutes(app: FastifyInstance, state: NetworkState): void {
  const projectOf = (request: FastifyRequest<OfProject>): string => {
    const caller = callerOf(request);
    const { project } = request.params;
    if (!caller.isAdmin && caller.projectId !== project) throw refused('get_quota');
    return project;
  };

  const used = (name: string, project: string): number => {
    if (name === 'network') return state.networks.filter((item) => item.project_id === project).length;
    return name === 'subnet' ? state.subnets.filter((item) => item.project_id === project).length : 0;
  };

  for (const path of ['/v2.0/quotas/:project', '/v2.0/quotas/:project/default']) {
    app.get<OfProject>(path, async (request, reply) => {
      projectOf(request);
      return reply.send({ quota: QUOTAS });
    });
  }

  app.get<OfProject>('/v2.0/quotas/:project/details', async (request, reply) => {
    const project = projectOf(request);
    const details = Object.entries(QUOTAS).map(([name, limit]) => [
      name,
      { limit, used: used(name, project), reserved: 0 },
    ]);
    return reply.send({ quota: Object.fromEntries(details) });
  });
}
