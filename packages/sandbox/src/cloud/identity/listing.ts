import type { FastifyRequest } from 'fastify';

import { asBoolean } from '../http/query.ts';
import type { Query } from '../http/query.ts';
import type { Identity } from './identity.ts';

/** `{"users": […], "links": {…}}`: Keystone lists everything on one page. */
export function listBody(
  name: string,
  items: readonly unknown[],
  request: FastifyRequest,
  identity: Identity,
): object {
  return {
    [name]: items,
    links: { next: null, self: `${identity.cloud.url}${request.url}`, previous: null },
  };
}

/** Keeps the views whose fields equal what the query says about them. */
export function filterViews<V extends object>(
  views: readonly V[],
  query: Query,
  names: readonly string[],
): V[] {
  return views.filter((view) =>
    names.every((name) => {
      const wanted = query.one(name);
      if (wanted === undefined) return true;
      const value: unknown = Reflect.get(view, name);
      return typeof value === 'boolean' ? asBoolean(wanted) === value : value === wanted;
    }),
  );
}
