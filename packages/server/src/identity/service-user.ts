import { OpenStackError, createKeystone, describeCredentials, renewingToken } from '@jeroboam/openstack';
import type { Http, PasswordCredentials, Token } from '@jeroboam/openstack';
import { IdentityUnavailable } from './identity-unavailable.ts';

/** Asks Keystone about other people's tokens, in the service's own name. */
export interface ServiceUser {
  /** Null when Keystone does not know the token; {@link IdentityUnavailable} when it cannot tell. */
  inspect(token: string): Promise<Token | null>;
}

/** A refused password is not sent again at once: Keystone may lock the account after a few failures. */
const REFUSED_FOR_MS = 5_000;

function unavailable(error: unknown): never {
  if (!(error instanceof OpenStackError)) throw error;
  throw new IdentityUnavailable(error.message, error);
}

export function createServiceUser(options: {
  authUrl: string;
  credentials: PasswordCredentials;
  http: Http;
  now: () => number;
}): ServiceUser {
  const { authUrl, credentials, http, now } = options;
  const keystone = createKeystone(authUrl, http);
  const tokens = renewingToken({ keystone, credentials, now });
  const who = describeCredentials(credentials);
  let refusal: { until: number; error: IdentityUnavailable } | null = null;

  async function ownToken(): Promise<string> {
    if (refusal !== null && now() < refusal.until) throw refusal.error;
    try {
      const { token } = await tokens.current();
      refusal = null;
      return token;
    } catch (error) {
      if (!(error instanceof OpenStackError && error.status === 401)) return unavailable(error);
      const refused = new IdentityUnavailable(
        `Keystone refuses the service's own ${who}; check its name, password and project.`,
        error,
      );
      refusal = { until: now() + REFUSED_FOR_MS, error: refused };
      throw refused;
    }
  }

  async function ask(token: string): Promise<Token | null> {
    const own = await ownToken();
    try {
      return await keystone.validateToken(own, token);
    } catch (error) {
      // Keystone answers 404 for the token in question; 401 and 403 are about ours.
      if (error instanceof OpenStackError && error.status === 401) tokens.refused(own);
      throw error;
    }
  }

  return {
    async inspect(token) {
      try {
        return await ask(token).catch((error: unknown) => {
          // Our token ended early (revoked, keys rotated): once more, with a new one.
          if (error instanceof OpenStackError && error.status === 401) return ask(token);
          throw error;
        });
      } catch (error) {
        if (error instanceof OpenStackError && error.status === 403) {
          throw new IdentityUnavailable(
            `Keystone does not let the service's own ${who} look at tokens; give it the role that may.`,
            error,
          );
        }
        return unavailable(error);
      }
    },
  };
}
