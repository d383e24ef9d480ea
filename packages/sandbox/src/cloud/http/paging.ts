import { badRequest } from './api-error.ts';
import type { Query } from './query.ts';

export interface Page<T> {
  items: T[];
  /** The id to pass as `marker` for what follows; absent on the last page. */
  nextMarker: string | undefined;
}

export interface PagingRules {
  /** What a request without `limit` gets. */
  defaultLimit?: number;
  /** What no request gets more of. */
  maximum?: number;
  /** Nova and Glance give a next link whenever a page is full; so do we, unless it is known to be the last. */
  markerNotFound?: (marker: string) => Error;
}

/** Cuts the page that `limit` and `marker` ask for out of a sorted list. */
export function page<T>(
  sorted: readonly T[],
  idOf: (item: T) => string,
  query: Query,
  rules: PagingRules = {},
): Page<T> {
  const marker = query.one('marker');
  let start = 0;
  if (marker !== undefined && marker !== '') {
    const at = sorted.findIndex((item) => idOf(item) === marker);
    if (at === -1) throw rules.markerNotFound?.(marker) ?? badRequest(`marker [${marker}] not found`);
    start = at + 1;
  }
  const maximum = rules.maximum ?? 1000;
  const limit = Math.min(query.integer('limit') ?? rules.defaultLimit ?? maximum, maximum);
  const items = sorted.slice(start, start + limit);
  const last = items.at(-1);
  const more = last !== undefined && start + limit < sorted.length;
  return { items, nextMarker: more ? idOf(last) : undefined };
}
