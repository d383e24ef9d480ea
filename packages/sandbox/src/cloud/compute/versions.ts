import type { FastifyInstance } from 'fastify';

import type { Cloud } from '../http/service.ts';
import { LATEST_MINOR } from './microversion.ts';

/** Discovery: which versions there are, and how far the current one goes. */
export function versionRoutes(app: FastifyInstance, cloud: Cloud): void {
  const link = (version: string): object => ({ rel: 'self', href: `${cloud.url}/compute/${version}/` });
  const current = () => ({
    id: 'v2.1',
    status: 'CURRENT',
    version: `2.${LATEST_MINOR}`,
    min_version: '2.1',
    updated: '2013-07-23T11:33:21Z',
    links: [link('v2.1')],
  });

  app.get('/', async () => ({
    versions: [
      {
        id: 'v2.0',
        status: 'DEPRECATED',
        version: '',
        min_version: '',
        updated: '2025-07-04T12:00:00Z',
        links: [link('v2')],
      },
      current(),
    ],
  }));

  app.get('/v2.1', async () => ({
    version: {
      ...current(),
      links: [link('v2.1'), { rel: 'describedby', type: 'text/html', href: 'http://docs.openstack.org/' }],
      'media-types': [
        { base: 'application/json', type: 'application/vnd.openstack.compute+json;version=2.1' },
      ],
    },
  }));
}
