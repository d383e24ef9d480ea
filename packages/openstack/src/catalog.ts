import type { Answer } from './http/answer.ts';
import { SERVICE_TYPES } from './service-types.ts';
import type { ServiceType } from './service-types.ts';

export type EndpointInterface = 'public' | 'internal' | 'admin';

export interface CatalogEndpoint {
  readonly interface: EndpointInterface;
  readonly region: string | null;
  readonly url: string;
}

export interface CatalogEntry {
  readonly type: string;
  readonly name: string | null;
  readonly endpoints: readonly CatalogEndpoint[];
}

export interface EndpointChoice {
  readonly region?: string | null;
  readonly interface?: EndpointInterface;
}

const INTERFACES: ReadonlyMap<string | null, EndpointInterface> = new Map([
  ['public', 'public'],
  ['publicURL', 'public'],
  ['internal', 'internal'],
  ['internalURL', 'internal'],
  ['admin', 'admin'],
  ['adminURL', 'admin'],
]);

/** Reads the catalogue of a Keystone token; endpoints that no request can be sent to are left out. */
export function readCatalog(entries: readonly Answer[]): readonly CatalogEntry[] {
  return entries.map((entry) => ({
    type: entry.text('type'),
    name: entry.textOrNull('name'),
    endpoints: entry.objects('endpoints').flatMap((endpoint) => {
      const name = INTERFACES.get(endpoint.textOrNull('interface'));
      const url = endpoint.textOrNull('url');
      if (name === undefined || url === null || !URL.canParse(url)) return [];
      const region = endpoint.textOrNull('region_id') ?? endpoint.textOrNull('region');
      return [{ interface: name, region, url }];
    }),
  }));
}

/** The endpoint of a service, or null. The official name of a type is preferred to its historical aliases. */
export function findEndpoint(
  catalog: readonly CatalogEntry[],
  service: ServiceType,
  choice: EndpointChoice = {},
): string | null {
  const { region = null, interface: wanted = 'public' } = choice;
  const { types, version } = SERVICE_TYPES[service];
  for (const type of types) {
    const endpoint = catalog
      .filter((entry) => entry.type === type)
      .flatMap(({ endpoints }) => endpoints)
      .find(
        (candidate) => candidate.interface === wanted && (region === null || candidate.region === region),
      );
    if (endpoint !== undefined) return withVersion(endpoint.url, version);
  }
  return null;
}

const VERSION_SEGMENT = /^v\d+(\.\d+)?$/;

/** Operators register some endpoints with their API version and some without; requests need it. */
export function withVersion(url: string, version: string): string {
  const bare = url.replace(/\/+$/, '');
  const versioned = new URL(bare).pathname.split('/').some((segment) => VERSION_SEGMENT.test(segment));
  return versioned ? bare : `${bare}/${version}`;
}
