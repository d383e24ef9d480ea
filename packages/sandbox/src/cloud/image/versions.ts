import type { FastifyInstance } from 'fastify';

import type { Cloud } from '../http/service.ts';

/** Minors of API 2, with the current one where Glance itself puts it. */
const MINORS = [15, 13, 12, 11, 10, 9, 8, 17, 7, 6, 5, 4, 3, 2, 1, 0];
const CURRENT = 17;

export function versionRoutes(app: FastifyInstance, cloud: Cloud): void {
  const versions = (): object => ({
    versions: MINORS.map((minor) => ({
      id: `v2.${minor}`,
      status: minor === CURRENT ? 'CURRENT' : 'SUPPORTED',
      links: [{ rel: 'self', href: `${cloud.url}/image/v2/` }],
    })),
  });

  app.get('/', async (_request, reply) => reply.code(300).send(versions()));
  app.get('/v2', async (_request, reply) => reply.code(300).send(versions()));
  app.get('/versions', async () => versions());
}
