import { findEndpoint } from './catalog.ts';
import type { EndpointInterface } from './catalog.ts';
import type { Http, HttpReply, HttpRequest } from './http/http.ts';
import { EndpointNotFound, OpenStackError } from './http/openstack-error.ts';
import type { ServiceType } from './service-types.ts';
import type { HeldToken, TokenSource } from './token-source.ts';

export interface SessionRequest extends Pick<
  HttpRequest,
  'method' | 'json' | 'idempotent' | 'secrets' | 'signal'
> {
  readonly service: ServiceType;
  /** Below the versioned endpoint, beginning with a slash. */
  readonly path: string;
  readonly query?: URLSearchParams;
  /** For services with microversions: `compute 2.90`. */
  readonly microversion?: string;
}

/** Requests to the services of one cloud in one region, in the name of whoever the token speaks for. */
export interface Session {
  request(request: SessionRequest): Promise<HttpReply>;
}

export interface SessionOptions {
  readonly http: Http;
  readonly tokens: TokenSource;
  readonly region?: string | null;
  readonly interface?: EndpointInterface;
}

export function createSession(options: SessionOptions): Session {
  const { http, tokens, region = null, interface: endpointInterface = 'public' } = options;

  function send(request: SessionRequest, held: HeldToken): Promise<HttpReply> {
    const { service, path, query, microversion, ...rest } = request;
    const endpoint = findEndpoint(held.catalog, service, { region, interface: endpointInterface });
    if (endpoint === null) throw new EndpointNotFound(service, region, endpointInterface);
    const search = query === undefined || query.size === 0 ? '' : `?${query.toString()}`;
    return http({
      ...rest,
      service,
      url: `${endpoint}${path}${search}`,
      token: held.token,
      headers: microversion === undefined ? {} : { 'openstack-api-version': microversion },
    });
  }

  return {
    async request(request) {
      const held = await tokens.current();
      try {
        return await send(request, held);
      } catch (error) {
        const refused = error instanceof OpenStackError && error.status === 401;
        // A refused request was not carried out, so it may be sent again whatever its method.
        if (!refused || !tokens.refused(held.token)) throw error;
        return send(request, await tokens.current());
      }
    },
  };
}
