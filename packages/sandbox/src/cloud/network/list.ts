import type { FastifyRequest } from 'fastify';

import { badRequest } from '../http/api-error.ts';
import { textOf } from '../http/fields.ts';
import { page } from '../http/paging.ts';
import { asBoolean, Query } from '../http/query.ts';
import type { Cloud } from '../http/service.ts';
import { sortBy } from '../http/sorting.ts';
import type { View } from './model.ts';

const TAG_FILTERS = ['tags', 'tags-any', 'not-tags', 'not-tags-any'];
const NOT_FILTERS = new Set([
  ...TAG_FILTERS,
  'fields',
  'limit',
  'marker',
  'sort_key',
  'sort_dir',
  'page_reverse',
]);

/** A list as the query wants it: narrowed by any attribute, sorted, paged, and with chosen fields only. */
export function listBody(
  name: string,
  views: readonly View[],
  attributes: ReadonlySet<string>,
  request: FastifyRequest,
  cloud: Cloud,
): object {
  const query = new Query(request);
  const filters = query.names().filter((filter) => !NOT_FILTERS.has(filter));
  const unknown = filters.filter((filter) => !attributes.has(filter));
  if (unknown.length > 0) {
    throw badRequest(
      `[${unknown.map((filter) => `'${filter}'`).join(', ')}] is invalid attribute for filtering`,
    );
  }
  const kept = views.filter(
    (view) =>
      filters.every((filter) => matches(view[filter], query.many(filter))) &&
      matchesTags(view['tags'], query),
  );
  const { items, nextMarker } = page(sorted(kept, query), (view) => textOf(view['id']), query);
  const path = request.url.split('?', 1)[0] ?? '';
  const href = `${cloud.url}${path}?${query.with({ marker: nextMarker ?? '' })}`;
  return {
    [name]: items.map((view) => chosenFields(view, request)),
    ...(nextMarker !== undefined && { [`${name}_links`]: [{ rel: 'next', href }] }),
  };
}

/** `fields=id&fields=name` leaves only those. */
export function chosenFields(view: View, request: FastifyRequest): View {
  const fields = new Query(request).many('fields');
  if (fields.length === 0) return view;
  return Object.fromEntries(Object.entries(view).filter(([name]) => fields.includes(name)));
}

/** A name that comes several times asks for any of its values. */
function matches(value: unknown, wanted: readonly string[]): boolean {
  return wanted.some((text) => {
    if (typeof value === 'boolean') return asBoolean(text) === value;
    if (Array.isArray(value)) return value.includes(text);
    return textOf(value) === text;
  });
}

function matchesTags(value: unknown, query: Query): boolean {
  const tags = new Set(Array.isArray(value) ? value : []);
  const wanted = (name: string): string[] => query.many(name).flatMap((text) => text.split(','));
  const has = (tag: string): boolean => tags.has(tag);
  return (
    wanted('tags').every(has) &&
    (!query.has('tags-any') || wanted('tags-any').some(has)) &&
    !(query.has('not-tags') && wanted('not-tags').every(has)) &&
    !wanted('not-tags-any').some(has)
  );
}

function sorted(views: readonly View[], query: Query): View[] {
  const directions = query.many('sort_dir');
  const keys = query.many('sort_key').map((key, at) => ({ key, descending: directions[at] === 'desc' }));
  return keys.length === 0 ? [...views] : sortBy(views, keys);
}
