import type { FastifyInstance } from 'fastify';

import { notFound } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import { requireAdmin } from './policy.ts';

const ZONES = ['az1', 'az2'];

/** The availability zones, and the servers that nobody can make here yet: lists that are empty, ids that are unknown. */
export function zoneAndServerRoutes(app: FastifyInstance): void {
  app.get('/v2.1/os-availability-zone', async () => ({
    availabilityZoneInfo: ZONES.map((zoneName) => ({
      zoneName,
      zoneState: { available: true },
      hosts: null,
    })),
  }));

  // With the hosts of each zone, which are the administrators' business.
  app.get('/v2.1/os-availability-zone/detail', async (request, reply) => {
    requireAdmin(callerOf(request), 'os-availability-zone:detail');
    return reply.send({
      availabilityZoneInfo: ZONES.map((zoneName) => ({
        zoneName,
        zoneState: { available: true },
        hosts: {},
      })),
    });
  });

  app.get('/v2.1/servers', async () => ({ servers: [] }));
  app.get('/v2.1/servers/detail', async () => ({ servers: [] }));
  app.get<{ Params: { id: string } }>('/v2.1/servers/:id', (request) => {
    throw notFound(`Instance ${request.params.id} could not be found.`);
  });
}
