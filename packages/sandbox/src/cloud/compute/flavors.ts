import type { FastifyInstance, FastifyRequest } from 'fastify';

import { badRequest, conflict, notFound } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import type { Caller } from '../http/caller.ts';
import {
  bodyObject,
  lenientBoolean,
  optionalInteger,
  optionalString,
  requiredName,
  textOf,
} from '../http/fields.ts';
import type { Fields } from '../http/fields.ts';
import { page } from '../http/paging.ts';
import { asBoolean, Query } from '../http/query.ts';
import type { Cloud } from '../http/service.ts';
import { sortBy } from '../http/sorting.ts';
import { newUuid } from '../ids.ts';
import type { Collection } from '../store/collection.ts';
import { minorOf } from './microversion.ts';
import { requireAdmin } from './policy.ts';

export interface Flavor {
  id: string;
  name: string;
  vcpus: number;
  ram: number;
  disk: number;
  swap: number;
  ephemeral: number;
  isPublic: boolean;
  description: string | null;
  extraSpecs: Record<string, string>;
}

interface ById {
  Params: { id: string };
}

const COLLECTION = '/v2.1/flavors';

export function flavorRoutes(app: FastifyInstance, cloud: Cloud, flavors: Collection<Flavor>): void {
  const find = (request: FastifyRequest<ById>): Flavor => {
    const flavor = flavors.get(request.params.id);
    if (flavor !== undefined && (flavor.isPublic || callerOf(request).isAdmin)) return flavor;
    throw notFound(`Flavor ${request.params.id} could not be found.`);
  };

  const list = (request: FastifyRequest, view: (flavor: Flavor) => object): object => {
    const query = new Query(request);
    const visible = sortFlavors(visibleFlavors(flavors.all(), callerOf(request), query), query);
    const { items, nextMarker } = page(visible, (flavor) => flavor.id, query, {
      markerNotFound: (marker) => badRequest(`marker [${marker}] not found`),
    });
    const path = request.url.split('?', 1)[0] ?? '';
    const href =
      nextMarker === undefined ? undefined : `${cloud.url}${path}?${query.with({ marker: nextMarker })}`;
    return {
      flavors: items.map(view),
      ...(href !== undefined && { flavors_links: [{ rel: 'next', href }] }),
    };
  };

  app.get(COLLECTION, async (request, reply) =>
    reply.send(list(request, (flavor) => briefView(flavor, minorOf(request), cloud.url))),
  );

  app.get(`${COLLECTION}/detail`, async (request, reply) =>
    reply.send(list(request, (flavor) => flavorView(flavor, minorOf(request), cloud.url))),
  );

  app.get<ById>(`${COLLECTION}/:id`, async (request, reply) =>
    reply.send({
      flavor: flavorView(find(request), minorOf(request), cloud.url),
    }),
  );

  app.post(COLLECTION, async (request, reply) => {
    requireAdmin(callerOf(request), 'os-flavor-manage:create');
    const flavor = newFlavor(bodyObject(request.body, 'flavor'), minorOf(request));
    if (flavors.get(flavor.id) !== undefined) throw conflict(`Flavor with ID ${flavor.id} already exists.`);
    if (flavors.find((other) => other.name === flavor.name) !== undefined) {
      throw conflict(`Flavor with name ${flavor.name} already exists.`);
    }
    await flavors.put(flavor.id, flavor);
    return reply.send({ flavor: flavorView(flavor, minorOf(request), cloud.url) });
  });

  // From 2.55 on the description, and nothing else, can be changed.
  app.put<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    requireAdmin(callerOf(request), 'os-flavor-manage:update');
    if (minorOf(request) < 55) throw notFound('The resource could not be found.');
    const fields = bodyObject(request.body, 'flavor');
    const flavor = { ...find(request), description: optionalString(fields, 'description') ?? null };
    await flavors.put(flavor.id, flavor);
    return reply.send({ flavor: flavorView(flavor, minorOf(request), cloud.url) });
  });

  app.delete<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    requireAdmin(callerOf(request), 'os-flavor-manage:delete');
    await flavors.delete(find(request).id);
    return reply.code(202).send();
  });
}

function visibleFlavors(all: readonly Flavor[], caller: Caller, query: Query): Flavor[] {
  const isPublic = caller.isAdmin ? publicFilter(query) : true;
  const minRam = query.integer('minRam') ?? 0;
  const minDisk = query.integer('minDisk') ?? 0;
  return all.filter(
    (flavor) =>
      (isPublic === undefined || flavor.isPublic === isPublic) &&
      flavor.ram >= minRam &&
      flavor.disk >= minDisk,
  );
}

/** Administrators choose with `is_public`; `None` asks for both kinds. */
function publicFilter(query: Query): boolean | undefined {
  const text = query.one('is_public');
  if (text === undefined) return true;
  if (text.toLowerCase() === 'none') return undefined;
  const value = asBoolean(text);
  if (value === undefined) throw badRequest(`Invalid is_public filter [${text}]`);
  return value;
}

const SORT_KEYS: Readonly<Record<string, keyof Flavor>> = {
  flavorid: 'id',
  id: 'id',
  name: 'name',
  memory_mb: 'ram',
  root_gb: 'disk',
  vcpus: 'vcpus',
};

function sortFlavors(flavors: readonly Flavor[], query: Query): Flavor[] {
  const wanted = query.one('sort_key') ?? 'flavorid';
  const key = Object.hasOwn(SORT_KEYS, wanted) ? SORT_KEYS[wanted] : undefined;
  if (key === undefined) throw badRequest(`Flavors cannot be sorted by '${wanted}'.`);
  return sortBy(flavors, [{ key, descending: query.one('sort_dir') === 'desc' }]);
}

// The same letters and signs that Nova allows in a flavor's id.
const FLAVOR_ID = /^[\w.\- ]{1,255}$/;

function newFlavor(fields: Fields, minor: number): Flavor {
  const count = (name: string, least: number): number => {
    const value = optionalInteger(fields, name, least);
    if (value === undefined) {
      throw badRequest(`Invalid input for field/attribute flavor. '${name}' is a required property`);
    }
    return value;
  };
  const given = fields['id'] ?? 'auto';
  const id = given === 'auto' ? newUuid() : textOf(given);
  if (!FLAVOR_ID.test(id)) {
    throw badRequest('The id of a flavor may hold letters, digits, dots, dashes, underscores and blanks.');
  }
  return {
    id,
    name: requiredName(fields),
    vcpus: count('vcpus', 1),
    ram: count('ram', 1),
    disk: count('disk', 0),
    swap: optionalInteger(fields, 'swap') ?? 0,
    ephemeral: optionalInteger(fields, 'OS-FLV-EXT-DATA:ephemeral') ?? 0,
    isPublic: lenientBoolean(fields, 'os-flavor-access:is_public') ?? true,
    description: minor >= 55 ? (optionalString(fields, 'description') ?? null) : null,
    extraSpecs: {},
  };
}

function briefView({ id, name, description }: Flavor, minor: number, url: string): object {
  return { id, name, links: flavorLinks(id, url), ...(minor >= 55 && { description }) };
}

function flavorView(flavor: Flavor, minor: number, url: string): object {
  return {
    id: flavor.id,
    name: flavor.name,
    ram: flavor.ram,
    disk: flavor.disk,
    // Until 2.75 no swap was an empty text.
    swap: flavor.swap === 0 && minor < 75 ? '' : flavor.swap,
    'OS-FLV-EXT-DATA:ephemeral': flavor.ephemeral,
    'OS-FLV-DISABLED:disabled': false,
    vcpus: flavor.vcpus,
    'os-flavor-access:is_public': flavor.isPublic,
    rxtx_factor: 1,
    links: flavorLinks(flavor.id, url),
    ...(minor >= 55 && { description: flavor.description }),
    ...(minor >= 61 && { extra_specs: flavor.extraSpecs }),
  };
}

function flavorLinks(id: string, url: string): object[] {
  return [
    { rel: 'self', href: `${url}/compute${COLLECTION}/${id}` },
    { rel: 'bookmark', href: `${url}/compute/flavors/${id}` },
  ];
}
