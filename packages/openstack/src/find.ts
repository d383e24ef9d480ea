import { Answer } from './http/answer.ts';
import { OpenStackError } from './http/openstack-error.ts';
import type { ServiceType } from './service-types.ts';
import type { Session } from './session.ts';

/** The answer to "is there such a thing, and may I see it?"; whatever else goes wrong is thrown. */
export type FindResult<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'ambiguous'; readonly ids: readonly string[] }
  | { readonly kind: 'forbidden'; readonly message: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function looksLikeUuid(text: string): boolean {
  return UUID.test(text);
}

/** Turns the refusals that are answers into results. */
export async function asFindResult<T>(look: () => Promise<FindResult<T>>): Promise<FindResult<T>> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof OpenStackError)) throw error;
    if (error.status === 404) return { kind: 'not-found' };
    if (error.status === 403) return { kind: 'forbidden', message: error.message };
    throw error;
  }
}

/** Gets one resource by its own URL. */
export async function findOne<T>(
  session: Session,
  service: ServiceType,
  segments: readonly string[],
  read: (answer: Answer) => T,
): Promise<FindResult<T>> {
  // URL parsers resolve these away even when escaped, and the request would reach another resource.
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    return { kind: 'not-found' };
  }
  const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
  return asFindResult(async () => {
    const reply = await session.request({ service, path });
    return { kind: 'found', value: read(new Answer(service, reply.body)) };
  });
}

/** An id wins over a name: names are free text, and one resource may bear another's id as its name. */
export function pickByIdOrName<T extends { readonly id: string; readonly name: string | null }>(
  candidates: readonly T[],
  idOrName: string,
): FindResult<T> {
  const byId = candidates.find((candidate) => candidate.id === idOrName);
  if (byId !== undefined) return { kind: 'found', value: byId };
  const byName = candidates.filter((candidate) => candidate.name === idOrName);
  const [only] = byName;
  if (only === undefined) return { kind: 'not-found' };
  if (byName.length > 1) return { kind: 'ambiguous', ids: byName.map(({ id }) => id) };
  return { kind: 'found', value: only };
}
