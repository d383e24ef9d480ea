import type { FastifyInstance } from 'fastify';
import { baseUrl } from '../rest/base-url.ts';
import type { Services } from '../services.ts';
import { apiDocument } from './document.ts';
import { docsPage } from './page.ts';

/** The page has no scripts, forms or pictures, and none can be smuggled into it. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What was made for the address asked for last. Nearly all clients use the same one; remembering more would
 * let anyone fill the memory with addresses they make up.
 */
function rememberLast(make: (base: string) => string): (base: string) => Buffer {
  let last: { base: string; bytes: Buffer } | undefined;
  return (base) => {
    if (last?.base !== base) last = { base, bytes: Buffer.from(make(base)) };
    return last.bytes;
  };
}

/** The API described for machines and for people; public, since it says nothing of anyone's clusters. */
export function registerOpenApi(app: FastifyInstance, services: Services): void {
  const { api } = services.options;
  const config = { public: true };
  const documentBytes = rememberLast((base) => JSON.stringify(apiDocument(base)));
  const pageBytes = rememberLast((base) => docsPage(apiDocument(base)));
  app.get('/v1/openapi.json', { config }, (request, reply) =>
    reply.header('content-type', 'application/json').send(documentBytes(baseUrl(request, api))),
  );
  app.get('/v1/docs', { config }, (request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .send(pageBytes(baseUrl(request, api))),
  );
}
