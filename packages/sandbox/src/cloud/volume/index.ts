import type { FastifyInstance, FastifyRequest } from 'fastify';

import { badRequest, reasonPhrase } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import { isObject } from '../http/fields.ts';
import type { Cloud, CloudService } from '../http/service.ts';
import { negotiate } from './microversion.ts';
import { seedTypes, typeRoutes } from './types.ts';
import type { VolumeType } from './types.ts';
import { volumeRoutes } from './volumes.ts';
import { versionRoutes } from './versions.ts';

/** Cinder answers with and without the project in its paths. */
const PREFIXES = ['/v3', '/v3/:project'];

/** Cinder: volume types and limits. */
export function volumeService(cloud: Cloud): CloudService {
  const types = cloud.objects.collection<VolumeType>('volume.type');
  const url = '$(sandbox_url)s/volume/v3/$(project_id)s';
  return {
    path: '/volume',
    catalog: [
      { type: 'volumev3', name: 'cinderv3', url },
      { type: 'block-storage', name: 'cinder', url },
    ],
    seed: () => seedTypes(cloud, types),
    publicRoutes: (app) => versionRoutes(app, cloud),
    routes(app: FastifyInstance) {
      app.addHook('onRequest', async (request, reply) => {
        negotiate(request, reply);
        refuseOtherProject(request);
      });
      for (const prefix of PREFIXES) {
        typeRoutes(app, prefix, types);
        volumeRoutes(app, prefix);
      }
    },
    errorBody(status, message) {
      if (status === 401) return { error: { code: 401, title: reasonPhrase(401), message } };
      return { [FAULT_NAMES[status] ?? 'computeFault']: { code: status, message } };
    },
  };
}

/** A project in the path says nothing that the token does not say: it must be the same. */
function refuseOtherProject(request: FastifyRequest): void {
  const { params } = request;
  const named = isObject(params) ? params['project'] : undefined;
  if (named !== undefined && named !== callerOf(request).projectId) throw badRequest('Malformed request url');
}

/** Cinder kept the words it had as a part of Nova. */
const FAULT_NAMES: Readonly<Record<number, string>> = {
  400: 'badRequest',
  403: 'forbidden',
  404: 'itemNotFound',
  409: 'conflictingRequest',
  413: 'overLimit',
};
