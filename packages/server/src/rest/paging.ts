import { Fault, invalidField, isStorableText, parseAttribute, pythonRepr } from '@jeroboam/domain';
import { isUuid, type Page } from '../store/index.ts';
import type { QueryArgument, RequestContext } from './operation.ts';

export const pagingArguments: readonly QueryArgument[] = [
  {
    name: 'limit',
    type: 'integer',
    description: 'At most so many items; the service has a maximum of its own.',
  },
  {
    name: 'marker',
    type: 'string',
    description: 'The last item of the page before: the next page starts after it.',
  },
  {
    name: 'sort_key',
    type: 'string',
    description: 'The attribute to sort by; `id`, the order of creation, when absent.',
  },
  { name: 'sort_dir', type: 'string', description: '`asc` (default) or `desc`.' },
];

type Query = RequestContext['query'];

/** An integer argument of the query. */
export function integerArgument(query: Query, name: string): number | null {
  const value = query[name];
  if (value === undefined) return null;
  if (Array.isArray(value)) {
    const reason =
      "unable to convert to int. Error: int() argument must be a string, a bytes-like object or a real number, not 'list'";
    throw invalidField(name, value, reason);
  }
  if (!/^\s*[+-]?\d+\s*$/.test(value)) {
    throw invalidField(
      name,
      value,
      `unable to convert to int. Error: invalid literal for int() with base 10: ${pythonRepr(value)}`,
    );
  }
  return Number(value);
}

/** A text argument of the query; repeating it makes no sense. */
export function textArgument(query: Query, name: string): string | null {
  const value = query[name];
  if (value === undefined) return null;
  if (Array.isArray(value)) throw invalidField(name, value, 'Value should be given once');
  // What the store cannot hold it cannot be asked for either.
  if (!isStorableText(value))
    throw invalidField(name, value, 'Value should not contain NUL or malformed characters');
  return value;
}

/** A boolean argument of the query, in any of the spellings that bodies take. */
export function booleanArgument(query: Query, name: string): boolean | null {
  const value = textArgument(query, name);
  if (value === null) return null;
  return parseAttribute({ name, type: { kind: 'boolean' }, description: '' }, value) as boolean;
}

/** What a list request asks for, before the marker's row is looked up. */
export interface PageRequest {
  limit: number;
  marker: string | null;
  sortKey: string;
  descending: boolean;
}

export function parsePage(
  context: RequestContext,
  sortKeys: ReadonlySet<string>,
  options: { integerMarker?: boolean } = {},
): PageRequest {
  const { query } = context;
  const { maxLimit } = context.services.options.api;
  const limit = integerArgument(query, 'limit');
  const marker =
    options.integerMarker === true
      ? (integerArgument(query, 'marker')?.toString() ?? null)
      : uuidArgument(query, 'marker');
  const sortKey = textArgument(query, 'sort_key');
  const sortDir = textArgument(query, 'sort_dir') ?? 'asc';
  if (limit !== null && limit <= 0)
    throw new Fault('invalid_input', 'Limit must be positive', { field: 'limit' });
  if (sortDir !== 'asc' && sortDir !== 'desc') {
    throw new Fault(
      'invalid_input',
      `Invalid sort direction: ${sortDir}. Acceptable values are 'asc' or 'desc'`,
      { field: 'sort_dir' },
    );
  }
  const key = sortKey === null || sortKey === '' ? 'id' : sortKey;
  if (!sortKeys.has(key)) {
    throw new Fault('invalid_input', `The sort_key value "${key}" is an invalid field for sorting`, {
      field: 'sort_key',
    });
  }
  return {
    limit: Math.min(limit ?? maxLimit, maxLimit),
    marker,
    sortKey: key,
    descending: sortDir === 'desc',
  };
}

function uuidArgument(query: Query, name: string): string | null {
  const value = textArgument(query, name);
  if (value === null || isUuid(value)) return value;
  const compact = /^[0-9a-f]{32}$/i.test(value.replaceAll('-', ''));
  if (compact) return value.toLowerCase();
  throw invalidField(name, value, `unable to convert to uuid. Error: Expected a uuid but received ${value}.`);
}

/** The page in terms of the store: the marker's row must exist where the list can see it. */
export async function resolvePage(
  request: PageRequest,
  find: (marker: string, sortKey: string) => Promise<Page['marker']>,
  missing: (marker: string) => Fault,
): Promise<Page> {
  const { limit, sortKey, descending } = request;
  if (request.marker === null) return { limit, sortKey, descending, marker: null };
  const marker = await find(request.marker, sortKey);
  if (marker === null) throw missing(request.marker);
  return { limit, sortKey, descending, marker };
}

/** The address of the next page, whenever this one is full. */
export function nextLink(
  base: string,
  path: string,
  request: PageRequest,
  markers: readonly (string | number)[],
): { next?: string } {
  const last = markers.at(-1);
  if (last === undefined || markers.length < request.limit) return {};
  const direction = request.descending ? 'desc' : 'asc';
  return {
    next: `${base}/v1/${path}?sort_key=${request.sortKey}&sort_dir=${direction}&limit=${request.limit}&marker=${last}`,
  };
}
