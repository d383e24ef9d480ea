import type { FastifyInstance } from 'fastify';
import { baseUrl } from '../rest/base-url.ts';
import { sendJson } from '../rest/replies.ts';
import type { Services } from '../services.ts';
import { apiDocument } from './document.ts';
import { docsPage } from './page.ts';

/** The API described for machines and for people; public, since it says nothing of anyone's clusters. */
export function registerOpenApi(app: FastifyInstance, services: Services): void {
  const config = { public: true };
  app.get('/v1/openapi.json', { config }, (request, reply) =>
    sendJson(reply, 200, apiDocument(baseUrl(request, services.options.api))),
  );
  app.get('/v1/docs', { config }, (request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(docsPage(apiDocument(baseUrl(request, services.options.api)))),
  );
}
