import type { FastifyInstance } from 'fastify';

import type { Cloud } from '../http/service.ts';
import { LATEST_MINOR, negotiate } from './microversion.ts';

export function versionRoutes(app: FastifyInstance, cloud: Cloud): void {
  const body = (): object => ({
    versions: [
      {
        id: 'v3.0',
        status: 'CURRENT',
        version: `3.${LATEST_MINOR}`,
        min_version: '3.0',
        updated: '2023-08-31T00:00:00Z',
        links: [
          { rel: 'describedby', type: 'text/html', href: 'https://docs.openstack.org/' },
          { rel: 'self', href: `${cloud.url}/volume/v3/` },
        ],
        'media-types': [
          { base: 'application/json', type: 'application/vnd.openstack.volume+json;version=3' },
        ],
      },
    ],
  });

  app.get('/', async (request, reply) => {
    negotiate(request, reply);
    return reply.code(300).send(body());
  });
  app.get('/v3', async (request, reply) => {
    negotiate(request, reply);
    return body();
  });
}
