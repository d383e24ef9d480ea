import type { EndpointInterface } from './catalog.ts';
import { createHttp } from './http/http.ts';
import type { Http } from './http/http.ts';
import type { Credentials } from './keystone/credentials.ts';
import { createKeystone } from './keystone/keystone.ts';
import { createSession } from './session.ts';
import type { Session } from './session.ts';
import { fixedToken, renewingToken } from './token-source.ts';
import type { HeldToken } from './token-source.ts';

export interface CloudChoice {
  readonly region?: string | null;
  readonly interface?: EndpointInterface;
  readonly http?: Http;
}

/** Acts in the name of whoever the token was given to, for as long as the token lasts. Costs no request. */
export function sessionForToken(held: HeldToken, choice: CloudChoice = {}): Session {
  const { http = createHttp(), ...where } = choice;
  return createSession({ ...where, http, tokens: fixedToken(held) });
}

/** Acts in one's own name; a token is got with the first request and renewed when needed. */
export function sessionForCredentials(
  authUrl: string,
  credentials: Credentials,
  choice: CloudChoice = {},
): Session {
  const { http = createHttp(), ...where } = choice;
  const keystone = createKeystone(authUrl, http);
  return createSession({ ...where, http, tokens: renewingToken({ keystone, credentials }) });
}
