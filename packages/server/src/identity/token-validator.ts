import { hash } from 'node:crypto';
import { createHttp } from '@jeroboam/openstack';
import type { Http } from '@jeroboam/openstack';
import { BoundedMap } from './bounded-map.ts';
import { callerFromToken } from './caller.ts';
import type { Caller } from './caller.ts';
import { createCatalogPool } from './catalog-pool.ts';
import { createServiceUser } from './service-user.ts';

/** The Keystone of the cloud, and the user in whose name it is asked about tokens. */
export interface KeystoneSettings {
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  readonly userDomainName: string;
  readonly projectName: string;
  readonly projectDomainName: string;
  readonly region?: string;
}

export interface TokenValidatorOptions {
  readonly keystone: KeystoneSettings;
  /** Callers that are remembered; each costs about a kilobyte. */
  readonly cacheSize?: number;
  /** For how long a revoked token may still be honoured. */
  readonly cacheSeconds?: number;
  /** Decides `isAdmin` once per look at a token. */
  readonly isAdmin?: (caller: Caller) => boolean;
  readonly now?: () => number;
  readonly http?: Http;
}

export interface TokenValidator {
  /** Who the token speaks for, null for nobody. Throws `IdentityUnavailable` when that cannot be found out. */
  validate(token: string): Promise<Caller | null>;
  /** The next request with this token asks Keystone again. */
  forget(token: string): void;
  close(): Promise<void>;
}

const DEFAULT_CACHE_SIZE = 10_000;

/**
 * A minute: five times stricter than the five minutes that other services of a cloud allow a revoked token, and still
 * a client that sends ten requests a second costs Keystone one in six hundred.
 */
const DEFAULT_CACHE_SECONDS = 60;

/** Long enough to take the sting out of a client that repeats a bad token in a loop. */
const REFUSED_FOR_MS = 5_000;

/** Apart from the good ones, so that a flood of made-up tokens cannot push real callers out. */
const REFUSED_SIZE = 1_000;

/** Fernet tokens have about 200 characters, JWS tokens some thousand; nothing longer fits into a header. */
const LONGEST_TOKEN = 8_192;

/** Every request of the API waits for this one, so it gives up sooner than others do. */
const PATIENCE = { attemptTimeoutMs: 5_000, retry: { attempts: 3, totalMs: 8_000 } };

interface Remembered {
  readonly caller: Caller;
  /** The end of the window or of the token, whichever comes first. */
  readonly until: number;
}

/** Tokens are looked up by their hash (0.7 µs): a dump of the keys is of no use to anyone. */
function keyOf(token: string): string {
  return hash('sha256', token, 'base64');
}

function couldBeToken(token: string): boolean {
  return token.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(token);
}

export function createTokenValidator(options: TokenValidatorOptions): TokenValidator {
  const { keystone, isAdmin = () => false, now = Date.now } = options;
  const windowMs = (options.cacheSeconds ?? DEFAULT_CACHE_SECONDS) * 1000;
  const known = new BoundedMap<string, Remembered>(options.cacheSize ?? DEFAULT_CACHE_SIZE);
  const refusedUntil = new BoundedMap<string, number>(REFUSED_SIZE);
  const flights = new Map<string, Promise<Caller | null>>();
  const pooled = createCatalogPool();
  const serviceUser = createServiceUser({
    authUrl: keystone.authUrl,
    credentials: { kind: 'password', ...keystone },
    http: options.http ?? createHttp(PATIENCE),
    now,
  });

  async function inspect(token: string): Promise<Caller | null> {
    const found = await serviceUser.inspect(token);
    if (found === null || found.expiresAt <= now()) return null;
    const caller = callerFromToken(found, pooled(found.catalog));
    caller.isAdmin = isAdmin(caller);
    return caller;
  }

  async function fly(key: string, token: string): Promise<Caller | null> {
    // The window begins with the question: what is revoked while Keystone answers must not live longer for it.
    const asked = now();
    const flight = inspect(token);
    flights.set(key, flight);
    try {
      const caller = await flight;
      // Forgotten meanwhile: the answer serves those who waited for it, and nobody after them.
      if (flights.get(key) !== flight) return caller;
      if (caller === null) refusedUntil.set(key, asked + REFUSED_FOR_MS);
      else known.set(key, { caller, until: Math.min(asked + windowMs, caller.expiresAt) });
      return caller;
    } finally {
      if (flights.get(key) === flight) flights.delete(key);
    }
  }

  return {
    async validate(token) {
      const key = keyOf(token);
      const remembered = known.get(key);
      if (remembered !== undefined) {
        if (now() < remembered.until) return remembered.caller;
        known.delete(key);
        if (now() >= remembered.caller.expiresAt) return null;
      }
      if ((refusedUntil.get(key) ?? 0) > now() || !couldBeToken(token)) return null;
      return flights.get(key) ?? fly(key, token);
    },
    forget(token) {
      const key = keyOf(token);
      known.delete(key);
      refusedUntil.delete(key);
      flights.delete(key);
    },
    async close() {
      known.clear();
      refusedUntil.clear();
      await Promise.allSettled(flights.values());
    },
  };
}
