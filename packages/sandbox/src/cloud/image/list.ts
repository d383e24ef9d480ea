import { badRequest } from '../http/api-error.ts';
import type { Caller } from '../http/caller.ts';
import { textOf } from '../http/fields.ts';
import { page } from '../http/paging.ts';
import { asBoolean } from '../http/query.ts';
import type { Query } from '../http/query.ts';
import { sortBy } from '../http/sorting.ts';
import type { SortKey } from '../http/sorting.ts';
import { imageView, mayChange } from './model.ts';
import type { Image } from './model.ts';

type View = Record<string, unknown>;

// Glance's own limits for a page.
const DEFAULT_LIMIT = 25;
const MAXIMUM = 1000;

/** Query names that say how to list, and not which images. */
const NOT_FILTERS = new Set([
  'limit',
  'marker',
  'sort',
  'sort_key',
  'sort_dir',
  'visibility',
  'tag',
  'member_status',
]);

/** `GET /v2/images`: what the caller may see and the query asks for, a page at a time. */
export function listImages(images: readonly Image[], caller: Caller, query: Query): object {
  const entries = images
    .filter((image) => isListed(image, caller, query) && hasTags(image, query))
    .map((image) => ({ image, view: imageView(image) }))
    .filter(({ view }) => matchesFilters(view, query));
  // Times as they are kept: those in the view say nothing about two images of the same second.
  const sortable = entries.map(({ image, view }) => ({
    ...view,
    created_at: image.createdAt,
    updated_at: image.updatedAt,
    view,
  }));
  const sorted = sortBy(sortable, sortKeys(query)).map(({ view }) => view);
  const { items, nextMarker } = page(sorted, (view) => textOf(view['id']), query, {
    defaultLimit: DEFAULT_LIMIT,
    maximum: MAXIMUM,
    markerNotFound: () => badRequest('Invalid marker. Image could not be found.'),
  });
  const first = query.without('marker');
  return {
    images: items,
    first: first === '' ? '/v2/images' : `/v2/images?${first}`,
    schema: '/v2/schemas/images',
    ...(nextMarker !== undefined && { next: `/v2/images?${query.with({ marker: nextMarker })}` }),
  };
}

function isListed(image: Image, caller: Caller, query: Query): boolean {
  const wanted = query.one('visibility');
  if (wanted !== undefined && wanted !== 'all' && image.visibility !== wanted) return false;
  if (mayChange(image, caller) || image.visibility === 'public') return true;
  return image.visibility === 'community' && (wanted === 'community' || wanted === 'all');
}

function hasTags(image: Image, query: Query): boolean {
  return query.many('tag').every((tag) => image.tags.includes(tag));
}

function matchesFilters(view: View, query: Query): boolean {
  // Hidden images show up only for those who ask for them.
  if (!query.has('os_hidden') && view['os_hidden'] === true) return false;
  return query.names().every((name) => {
    if (NOT_FILTERS.has(name)) return true;
    const wanted = query.one(name) ?? '';
    if (name === 'size_min') return Number(view['size'] ?? 0) >= Number(wanted);
    if (name === 'size_max') return Number(view['size'] ?? 0) <= Number(wanted);
    const value = Object.hasOwn(view, name) ? view[name] : undefined;
    if (typeof value === 'boolean') return asBoolean(wanted) === value;
    return oneOf(wanted).includes(textOf(value));
  });
}

/** `in:a,"b,c"` lists several values. */
function oneOf(wanted: string): string[] {
  if (!wanted.startsWith('in:')) return [wanted];
  return [...wanted.slice(3).matchAll(/"([^"]*)"|([^,]+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

const SORTABLE = new Set([
  'name',
  'status',
  'container_format',
  'disk_format',
  'size',
  'id',
  'created_at',
  'updated_at',
]);

/** `sort=name:asc,size` or pairs of sort_key and sort_dir; the newest first when nothing is said. */
function sortKeys(query: Query): SortKey[] {
  const sort = query.one('sort');
  const pairs =
    sort === undefined
      ? query.many('sort_key').map((key, at) => [key, query.many('sort_dir')[at] ?? query.one('sort_dir')])
      : sort.split(',').map((item) => item.trim().split(':'));
  const keys = pairs.map(([key = '', direction = 'desc']) => {
    if (!SORTABLE.has(key)) {
      throw badRequest(`Invalid sort key: ${key}. It must be one of: ${[...SORTABLE].join(', ')}.`);
    }
    if (direction !== 'asc' && direction !== 'desc') throw badRequest(`Invalid sort direction: ${direction}`);
    return { key, descending: direction === 'desc' };
  });
  const named = new Set(keys.map(({ key }) => key));
  const rest = ['created_at', 'id'].filter((key) => !named.has(key));
  return [...keys, ...rest.map((key) => ({ key, descending: true }))];
}
