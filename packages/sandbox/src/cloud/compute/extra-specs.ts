import type { FastifyInstance, FastifyRequest } from 'fastify';

import { badRequest, notFound } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import { bodyObject, isObject } from '../http/fields.ts';
import type { Fields } from '../http/fields.ts';
import type { Collection } from '../store/collection.ts';
import type { Flavor } from './flavors.ts';
import { requireAdmin } from './policy.ts';

interface OfFlavor {
  Params: { id: string; key: string };
}

const COLLECTION = '/v2.1/flavors/:id/os-extra_specs';

/** What administrators say about a flavor beyond its size: `hw:cpu_policy` and the like. */
export function extraSpecRoutes(app: FastifyInstance, flavors: Collection<Flavor>): void {
  const find = (request: FastifyRequest<OfFlavor>): Flavor => {
    const flavor = flavors.get(request.params.id);
    if (flavor !== undefined && (flavor.isPublic || callerOf(request).isAdmin)) return flavor;
    throw notFound(`Flavor ${request.params.id} could not be found.`);
  };

  const findSpec = (request: FastifyRequest<OfFlavor>): string => {
    const { id, key } = request.params;
    const specs = find(request).extraSpecs;
    const value = Object.hasOwn(specs, key) ? specs[key] : undefined;
    if (value === undefined) throw notFound(`Flavor ${id} has no extra specs with key ${key}.`);
    return value;
  };

  app.get<OfFlavor>(COLLECTION, async (request, reply) =>
    reply.send({ extra_specs: find(request).extraSpecs }),
  );

  app.get<OfFlavor>(`${COLLECTION}/:key`, async (request, reply) =>
    reply.send({ [request.params.key]: findSpec(request) }),
  );

  app.post<OfFlavor>(COLLECTION, async (request, reply) => {
    requireAdmin(callerOf(request), 'os-flavor-extra-specs:create');
    const flavor = find(request);
    const added = readSpecs(bodyObject(request.body, 'extra_specs'));
    await flavors.put(flavor.id, { ...flavor, extraSpecs: { ...flavor.extraSpecs, ...added } });
    return reply.send({ extra_specs: added });
  });

  app.put<OfFlavor>(`${COLLECTION}/:key`, async (request, reply) => {
    requireAdmin(callerOf(request), 'os-flavor-extra-specs:update');
    const flavor = find(request);
    const changed = readSpecs(isObject(request.body) ? request.body : {});
    if (Object.keys(changed).join() !== request.params.key) throw badRequest('Request body and URI mismatch');
    await flavors.put(flavor.id, { ...flavor, extraSpecs: { ...flavor.extraSpecs, ...changed } });
    return reply.send(changed);
  });

  app.delete<OfFlavor>(`${COLLECTION}/:key`, async (request, reply) => {
    requireAdmin(callerOf(request), 'os-flavor-extra-specs:delete');
    const flavor = find(request);
    findSpec(request);
    const kept = Object.entries(flavor.extraSpecs).filter(([key]) => key !== request.params.key);
    await flavors.put(flavor.id, { ...flavor, extraSpecs: Object.fromEntries(kept) });
    return reply.code(200).send();
  });
}

const KEY = /^[\w.: -]{1,255}$/;

function readSpecs(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (!KEY.test(key)) throw badRequest(`'${key}' is not the name of an extra spec.`);
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw badRequest(`'${key}' must be a string.`);
      }
      return [key, String(value)];
    }),
  );
}
