import type { FastifyInstance } from 'fastify';

import { badRequest, notFound } from '../../http/api-error.ts';
import { bodyObject } from '../../http/fields.ts';
import type { Fields } from '../../http/fields.ts';
import { Query } from '../../http/query.ts';
import type { Collection } from '../../store/collection.ts';
import type { Identity } from '../identity.ts';
import { filterViews, listBody } from '../listing.ts';
import { mayReadAll, refused, requireAdmin, sessionOf } from '../policy.ts';
import type { Session } from '../tokens/session.ts';

/** One of the things an administrator of Keystone keeps: how to show, make, change and remove it. */
export interface Resource<T extends { id: string }> {
  singular: string;
  plural: string;
  objects: Collection<T>;
  view(item: T): object;
  /** Query names that narrow the list. */
  filters: readonly string[];
  create(fields: Fields): T | Promise<T>;
  update(item: T, fields: Fields): T | Promise<T>;
  /** Called before the object itself goes: refuses, or removes what hangs on it. */
  beforeRemove?(item: T): void | Promise<void>;
  /** Who else than an administrator may look at one of them. */
  mayRead?(session: Session, item: T): boolean;
  /** Lists that everyone may see, such as regions. */
  openList?: boolean;
}

/** How long the name of a project or a domain may be. */
export const PLACE_NAME_LIMIT = 64;

interface ById {
  Params: { id: string };
}

/** List, create, show, change and delete, with the policy every such resource shares. */
export function resourceRoutes<T extends { id: string }>(
  app: FastifyInstance,
  identity: Identity,
  resource: Resource<T>,
): void {
  const { singular, plural, objects } = resource;
  const collection = `/v3/${plural}`;
  const member = `${collection}/:id`;

  app.get(collection, async (request, reply) => {
    if (resource.openList !== true && !mayReadAll(sessionOf(request))) throw refused(`list_${plural}`);
    const views = objects.all().map((item) => resource.view(item));
    return reply.send(
      listBody(plural, filterViews(views, new Query(request), resource.filters), request, identity),
    );
  });

  app.post(collection, async (request, reply) => {
    requireAdmin(sessionOf(request), `create_${singular}`);
    const item = await resource.create(bodyObject(request.body, singular));
    await objects.put(item.id, item);
    return reply.code(201).send({ [singular]: resource.view(item) });
  });

  app.get<ById>(member, async (request, reply) => {
    const session = sessionOf(request);
    const item = objects.get(request.params.id);
    const readable =
      mayReadAll(session) || (item !== undefined && resource.mayRead?.(session, item) === true);
    if (!readable) throw refused(`get_${singular}`);
    return reply.send({ [singular]: resource.view(item ?? missing(singular, request.params.id)) });
  });

  app.patch<ById>(member, async (request, reply) => {
    requireAdmin(sessionOf(request), `update_${singular}`);
    const item = objects.get(request.params.id) ?? missing(singular, request.params.id);
    const changed = await resource.update(item, bodyObject(request.body, singular));
    await objects.put(changed.id, changed);
    return reply.send({ [singular]: resource.view(changed) });
  });

  app.delete<ById>(member, async (request, reply) => {
    requireAdmin(sessionOf(request), `delete_${singular}`);
    const item = objects.get(request.params.id) ?? missing(singular, request.params.id);
    await resource.beforeRemove?.(item);
    await objects.delete(item.id);
    return reply.code(204).send();
  });
}

export function missing(what: string, id: string): never {
  throw notFound(`Could not find ${what}: ${id}.`);
}

/** Refuses what Keystone decides itself and a body may repeat but not change. */
export function refuseChange(fields: Fields, name: string, current: string): void {
  const value = fields[name];
  if (value !== undefined && value !== current) throw badRequest(`'${name}' cannot be changed.`);
}
