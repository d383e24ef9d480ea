import type { FastifyInstance } from 'fastify';
import { baseUrl } from '../rest/base-url.ts';
import type { Services } from '../services.ts';
import { apiDocument } from './document.ts';
import { docsPage } from './page.ts';

/** The page has no scripts, forms or pictures, and none can be smuggled into it. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The text made for the address asked for last. Nearly all clients use the same one; remembering more would
 * let anyone fill the memory with addresses they make up.
 */
function rememberLast(make: (base: string) => string): (base: string) => string {
  let last = { base: '', text: '' };
  return (base) => {
    if (last.base !== base) last = { base, text: make(base) };
    return last.text;
  };
}

/** The API described for machines and for people; public, since it says nothing of anyone's clusters. */
export function registerOpenApi(app: FastifyInstance, services: Services): void {
  const { api } = services.options;
  const config = { public: true };
  const documentText = rememberLast((base) => JSON.stringify(apiDocument(base)));
  const pageText = rememberLast((base) => docsPage(apiDocument(base)));
  app.get('/v1/openapi.json', { config }, (request, reply) =>
    reply.header('content-type', 'application/json').send(documentText(baseUrl(request, api))),
  );
  app.get('/v1/docs', { config }, (request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .send(pageText(baseUrl(request, api))),
  );
}
