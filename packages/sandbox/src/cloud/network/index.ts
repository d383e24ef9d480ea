import type { FastifyInstance } from 'fastify';

import { reasonPhrase } from '../http/api-error.ts';
import type { Cloud, CloudService } from '../http/service.ts';
import type { SeededIdentity } from '../identity/seed.ts';
import { extensionRoutes } from './extensions.ts';
import { networkRoutes } from './networks.ts';
import { quotaRoutes } from './quotas.ts';
import { seedNetworks } from './seed.ts';
import { NetworkState } from './state.ts';
import { subnetRoutes } from './subnets.ts';
import { tagRoutes } from './tags.ts';

/** Neutron: networks and subnets, with what clients look up around them. */
export function networkService(cloud: Cloud, people: SeededIdentity): CloudService {
  const state = new NetworkState(cloud.objects);
  return {
    path: '/network',
    catalog: [{ type: 'network', name: 'neutron', url: '$(sandbox_url)s/network' }],
    seed: () => seedNetworks(cloud, state, people),
    publicRoutes: (app) => versionRoutes(app, cloud),
    routes(app) {
      networkRoutes(app, cloud, state);
      subnetRoutes(app, cloud, state);
      tagRoutes(app, cloud, 'networks', state.networks);
      tagRoutes(app, cloud, 'subnets', state.subnets);
      extensionRoutes(app);
      quotaRoutes(app, state);
      emptyRoutes(app);
    },
    errorBody(status, message, type) {
      if (status === 401) return { error: { code: 401, title: reasonPhrase(401), message } };
      return { NeutronError: { type: type ?? ERROR_TYPES[status] ?? 'HTTPError', message, detail: '' } };
    },
  };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'HTTPBadRequest',
  403: 'PolicyNotAuthorized',
  404: 'HTTPNotFound',
  409: 'Conflict',
};

function versionRoutes(app: FastifyInstance, cloud: Cloud): void {
  const links = [{ rel: 'self', href: '' }];
  const self = (path: string) => links.map((link) => ({ ...link, href: `${cloud.url}/network/${path}` }));
  app.get('/', async () => ({ versions: [{ id: 'v2.0', status: 'CURRENT', links: self('v2.0/') }] }));
  app.get('/v2.0', async () => ({
    resources: ['network', 'subnet'].map((name) => ({
      links: self(`v2.0/${name}s`),
      name,
      collection: `${name}s`,
    })),
  }));
}

/** What nobody can make here yet: clients that look around find none of it. */
function emptyRoutes(app: FastifyInstance): void {
  for (const plural of [
    'ports',
    'routers',
    'floatingips',
    'security-groups',
    'security-group-rules',
    'availability_zones',
  ]) {
    app.get(`/v2.0/${plural}`, async () => ({ [plural.replaceAll('-', '_')]: [] }));
  }
}
