import type { FastifyInstance, FastifyRequest } from 'fastify';

import { badRequest, notFound } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import { isObject, optionalStrings } from '../http/fields.ts';
import type { Cloud } from '../http/service.ts';
import type { Collection } from '../store/collection.ts';
import { mayChange, touched } from './model.ts';
import type { Standard } from './model.ts';

interface OfParent {
  Params: { id: string; tag: string };
}

const TAG_LIMIT = 60;

/** Tags of one kind of resource: read, replace, add one, remove one or all. */
export function tagRoutes<T extends Standard>(
  app: FastifyInstance,
  cloud: Cloud,
  plural: string,
  items: Collection<T>,
): void {
  const path = `/v2.0/${plural}/:id/tags`;

  const find = (request: FastifyRequest<OfParent>): T => {
    const item = items.get(request.params.id);
    if (item !== undefined && mayChange(item, callerOf(request))) return item;
    throw notFound(
      `Resource ${plural.slice(0, -1)} ${request.params.id} could not be found.`,
      'TagResourceNotFound',
    );
  };

  const save = async (item: T, tags: string[]): Promise<void> => {
    if (tags.some((tag) => tag === '' || tag.length > TAG_LIMIT)) {
      throw badRequest(`Tags must have between 1 and ${TAG_LIMIT} characters.`);
    }
    await items.put(item.id, { ...touched(item, cloud.now()), tags: [...new Set(tags)] });
  };

  app.get<OfParent>(path, async (request, reply) => reply.send({ tags: find(request).tags }));

  app.put<OfParent>(path, async (request, reply) => {
    const item = find(request);
    const tags = isObject(request.body) ? optionalStrings(request.body, 'tags') : undefined;
    if (tags === undefined) throw badRequest("The request body must hold a list named 'tags'.");
    await save(item, tags);
    return reply.send({ tags });
  });

  app.delete<OfParent>(path, async (request, reply) => {
    await save(find(request), []);
    return reply.code(204).send();
  });

  app.get<OfParent>(`${path}/:tag`, async (request, reply) => {
    requireTag(find(request), request.params.tag);
    return reply.code(204).send();
  });

  app.put<OfParent>(`${path}/:tag`, async (request, reply) => {
    const item = find(request);
    await save(item, [...item.tags, request.params.tag]);
    return reply.code(201).send();
  });

  app.delete<OfParent>(`${path}/:tag`, async (request, reply) => {
    const item = find(request);
    const { tag } = request.params;
    requireTag(item, tag);
    await save(
      item,
      item.tags.filter((other) => other !== tag),
    );
    return reply.code(204).send();
  });
}

function requireTag(item: Standard, tag: string): void {
  if (!item.tags.includes(tag)) throw notFound(`Tag ${tag} could not be found.`, 'TagNotFound');
}
