import type { CatalogEntry } from '../http/service.ts';
import type { SeedBook } from '../store/seed-book.ts';
import type { Directory } from './directory.ts';
import type { EndpointInterface, EndpointRecord } from './model.ts';

export type CatalogView = readonly {
  endpoints: readonly { id: string; interface: string; region_id: string; url: string; region: string }[];
  id: string;
  type: string;
  name: string;
}[];

/** What the placeholders in endpoint URLs stand for at this moment; an endpoint that lacks one is not shown. */
export interface UrlValues {
  sandbox_url: string;
  container_infra_url: string | undefined;
  project_id: string | undefined;
}

/** The services of the cloud and where they answer, as they are shown inside a token. */
export function catalogView(directory: Directory, values: UrlValues): CatalogView {
  const endpoints = directory.endpoints.filter((endpoint) => endpoint.enabled);
  return directory.services
    .filter((service) => service.enabled)
    .map((service) => ({
      endpoints: endpoints
        .filter((endpoint) => endpoint.service_id === service.id)
        .flatMap(({ id, interface: face, region_id, url }) => {
          const address = fillIn(url, values);
          return address === undefined
            ? []
            : [{ id, interface: face, region_id, url: address, region: region_id }];
        }),
      id: service.id,
      type: service.type,
      name: service.name,
    }))
    .filter((service) => service.endpoints.length > 0);
}

/** A URL with its placeholders filled in; undefined when one of them stands for nothing now. */
export function fillIn(url: string, values: UrlValues): string | undefined {
  let complete = true;
  const filled = url.replaceAll(/\$\((\w+)\)s/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined;
    if (typeof value !== 'string') complete = false;
    return typeof value === 'string' ? value : whole;
  });
  return complete ? filled : undefined;
}

const INTERFACES: readonly EndpointInterface[] = ['public', 'internal', 'admin'];

/** Enters services with all three interfaces, under ids that stay the same. */
export async function seedCatalog(
  directory: Directory,
  seeds: SeedBook,
  region: string,
  entries: readonly CatalogEntry[],
): Promise<void> {
  if (directory.regions.get(region) === undefined) {
    await directory.regions.put(region, { id: region, description: '', parent_region_id: null });
  }
  const wanted = entries.map((entry) => ({ ...entry, seed: entry.type }));
  await seeds.sow('catalog', wanted, async ({ type, name, url }) => {
    const id = seeds.hexId(`service/${type}`);
    await directory.services.put(id, { id, type, name, description: '', enabled: true });
    for (const face of INTERFACES) {
      const endpoint: EndpointRecord = {
        id: seeds.hexId(`endpoint/${type}/${face}`),
        service_id: id,
        interface: face,
        region_id: region,
        url,
        enabled: true,
      };
      await directory.endpoints.put(endpoint.id, endpoint);
    }
  });
}
