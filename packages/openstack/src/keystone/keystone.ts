import { withVersion } from '../catalog.ts';
import { Answer } from '../http/answer.ts';
import { OpenStackError } from '../http/openstack-error.ts';
import type { Http } from '../http/http.ts';
import { authRequest, secretOf } from './credentials.ts';
import type { Credentials } from './credentials.ts';
import { readToken } from './token.ts';
import type { Token } from './token.ts';

/** Tokens: how one is got, looked at and ended. Everything else in Keystone goes through a session. */
export interface Keystone {
  authenticate(credentials: Credentials): Promise<Token>;
  /** What `subject` is worth, asked with one's own token; null when Keystone does not know it (any more). */
  validateToken(ownToken: string, subject: string): Promise<Token | null>;
  revokeToken(ownToken: string, subject: string): Promise<void>;
}

const service = 'identity';

/** A client for the Keystone at `authUrl`, with or without `/v3`. */
export function createKeystone(authUrl: string, http: Http): Keystone {
  const url = `${withVersion(authUrl, 'v3')}/auth/tokens`;

  return {
    async authenticate(credentials) {
      const reply = await http({
        service,
        method: 'POST',
        url,
        json: authRequest(credentials),
        secrets: [secretOf(credentials)],
        // One token more than needed expires by itself.
        idempotent: true,
      });
      const id = reply.headers.get('x-subject-token');
      if (id === null) {
        const message = `The identity service answered ${reply.status} without a token; is its URL right?`;
        throw new OpenStackError({ service, status: null, message });
      }
      return readToken(id, new Answer(service, reply.body));
    },

    async validateToken(ownToken, subject) {
      try {
        const headers = { 'x-subject-token': subject };
        const reply = await http({ service, url, token: ownToken, headers, secrets: [subject] });
        return readToken(subject, new Answer(service, reply.body));
      } catch (error) {
        if (error instanceof OpenStackError && error.status === 404) return null;
        throw error;
      }
    },

    async revokeToken(ownToken, subject) {
      const headers = { 'x-subject-token': subject };
      try {
        await http({ service, method: 'DELETE', url, token: ownToken, headers, secrets: [subject] });
      } catch (error) {
        // Unknown means ended already, perhaps by the first attempt of this very request.
        if (!(error instanceof OpenStackError && error.status === 404)) throw error;
      }
    },
  };
}
