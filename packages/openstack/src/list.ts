import { Answer } from './http/answer.ts';
import { OpenStackError } from './http/openstack-error.ts';
import type { ServiceType } from './service-types.ts';
import type { Session } from './session.ts';

/** Far more than any cloud has; a service whose pages never end must not hold a request for ever. */
const MOST_PAGES = 100;

function nextLink(page: Answer, key: string): string | null {
  // Glance has "next"; Nova, Neutron and Cinder have a list of links beside the items.
  const links = page.has(`${key}_links`) ? page.objects(`${key}_links`) : [];
  const next = links.find((link) => link.textOrNull('rel') === 'next');
  return page.textOrNull('next') ?? next?.textOrNull('href') ?? null;
}

/** Every item of a collection, page by page. */
export async function listAll(
  session: Session,
  service: ServiceType,
  path: string,
  key: string,
  filter: URLSearchParams = new URLSearchParams(),
): Promise<Answer[]> {
  const items: Answer[] = [];
  let query = filter;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const { body } = await session.request({ service, path, query });
    const page = new Answer(service, body);
    const part = page.objects(key);
    items.push(...part);
    const next = nextLink(page, key);
    if (next === null || part.length === 0) return items;
    // Only the query is taken over: the host in the link is the one the service believes to have, which behind a
    // proxy may not be reachable, and a token is sent to no host that the catalogue does not name.
    query = new URL(next, 'http://next.invalid').searchParams;
  }
  const message = `The ${service} service did not come to the end of a list within ${MOST_PAGES} pages.`;
  throw new OpenStackError({ service, status: null, message });
}
