import { reasonPhrase } from '../http/api-error.ts';
import type { Cloud, CloudService } from '../http/service.ts';
import type { SeededIdentity } from '../identity/seed.ts';
import { extraSpecRoutes } from './extra-specs.ts';
import { flavorRoutes } from './flavors.ts';
import type { Flavor } from './flavors.ts';
import { keypairRoutes } from './keypairs.ts';
import type { Keypair } from './keypairs.ts';
import { negotiate } from './microversion.ts';
import { quotaRoutes } from './quotas.ts';
import { seedCompute } from './seed.ts';
import { versionRoutes } from './versions.ts';
import { zoneAndServerRoutes } from './zones-and-servers.ts';

/** Nova: flavors, key pairs, limits and quotas. */
export function computeService(cloud: Cloud, people: SeededIdentity): CloudService {
  const flavors = cloud.objects.collection<Flavor>('compute.flavor');
  const keypairs = cloud.objects.collection<Keypair>('compute.keypair');
  return {
    path: '/compute',
    catalog: [{ type: 'compute', name: 'nova', url: '$(sandbox_url)s/compute/v2.1' }],
    seed: () => seedCompute(cloud, flavors, keypairs, people),
    publicRoutes: (app) => versionRoutes(app, cloud),
    routes(app) {
      app.addHook('onRequest', async (request, reply) => negotiate(request, reply));
      flavorRoutes(app, cloud, flavors);
      extraSpecRoutes(app, flavors);
      keypairRoutes(app, cloud, keypairs);
      quotaRoutes(app);
      zoneAndServerRoutes(app);
    },
    errorBody(status, message) {
      if (status === 401) return { error: { code: 401, title: reasonPhrase(401), message } };
      return { [FAULT_NAMES[status] ?? 'computeFault']: { code: status, message } };
    },
    onRequest(request, reply) {
      void reply.header('x-compute-request-id', request.id);
    },
  };
}

/** Nova wraps a refusal in a word for its status. */
const FAULT_NAMES: Readonly<Record<number, string>> = {
  400: 'badRequest',
  403: 'forbidden',
  404: 'itemNotFound',
  405: 'badMethod',
  409: 'conflictingRequest',
  413: 'overLimit',
  415: 'badMediaType',
  429: 'overLimit',
  501: 'notImplemented',
  503: 'serviceUnavailable',
};
