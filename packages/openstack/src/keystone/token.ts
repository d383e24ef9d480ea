import { readCatalog } from '../catalog.ts';
import type { CatalogEntry } from '../catalog.ts';
import type { Answer } from '../http/answer.ts';

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** What Keystone knows about a token. */
export interface Token {
  /** The secret itself, as it goes into `X-Auth-Token`. */
  readonly id: string;
  readonly user: Named & { readonly domainId: string | null };
  readonly project: (Named & { readonly domainId: string | null }) | null;
  /** Set for a token scoped to a domain. */
  readonly domainId: string | null;
  /** True for a token scoped to the whole system. */
  readonly system: boolean;
  readonly roles: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly catalog: readonly CatalogEntry[];
}

function readPrincipal(raw: Answer): Named & { domainId: string | null } {
  const id = raw.text('id');
  return {
    id,
    name: raw.textOrNull('name') ?? id,
    domainId: raw.has('domain') ? raw.object('domain').textOrNull('id') : null,
  };
}

/** Reads a token answer; one without an owner or an end could not be honoured exactly, and is refused. */
export function readToken(id: string, answer: Answer): Token {
  const raw = answer.object('token');
  return {
    id,
    user: readPrincipal(raw.object('user')),
    project: raw.has('project') ? readPrincipal(raw.object('project')) : null,
    domainId: raw.has('domain') ? raw.object('domain').text('id') : null,
    system: raw.has('system'),
    roles: raw.has('roles') ? raw.objects('roles').map((role) => role.text('name')) : [],
    expiresAt: raw.time('expires_at'),
    catalog: raw.has('catalog') ? readCatalog(raw.objects('catalog')) : [],
  };
}
