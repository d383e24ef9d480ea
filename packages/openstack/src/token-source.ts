import type { CatalogEntry } from './catalog.ts';
import type { Credentials } from './keystone/credentials.ts';
import type { Keystone } from './keystone/keystone.ts';

export interface HeldToken {
  readonly token: string;
  readonly catalog: readonly CatalogEntry[];
}

/** Where a session takes its token from. */
export interface TokenSource {
  current(): Promise<HeldToken>;
  /** A service refused this token: answers whether asking again may bring another one. */
  refused(token: string): boolean;
}

/** Somebody else's token: used as long as it lasts, and never replaced. */
export function fixedToken(held: HeldToken): TokenSource {
  const current = Promise.resolve(held);
  return { current: () => current, refused: () => false };
}

/** Left over before the end of a token, so that it does not end between our check and the service's. */
const RENEW_BEFORE_END_MS = 60_000;

/** One's own token: got when first needed, renewed before it ends or when it is refused, by one request at a time. */
export function renewingToken(options: {
  keystone: Keystone;
  credentials: Credentials;
  now?: () => number;
}): TokenSource {
  const { keystone, credentials, now = Date.now } = options;
  let held: (HeldToken & { expiresAt: number }) | null = null;
  let flight: Promise<HeldToken> | null = null;

  async function renew(): Promise<HeldToken> {
    try {
      const { id, catalog, expiresAt } = await keystone.authenticate(credentials);
      held = { token: id, catalog, expiresAt };
      return held;
    } finally {
      flight = null;
    }
  }

  return {
    async current() {
      if (held !== null && now() < held.expiresAt - RENEW_BEFORE_END_MS) return held;
      flight ??= renew();
      return flight;
    },
    refused(token) {
      // Several requests may come back refused; only the first of them may throw the token away.
      if (held?.token === token) held = null;
      return true;
    },
  };
}
