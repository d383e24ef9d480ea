import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { baseUrl } from './base-url.ts';
import { frameBody } from './envelope.ts';
import { negotiate } from './identify.ts';
import { sendJson, versionHeaders } from './replies.ts';
import { rootDocument, v1Document } from './resources/versions.ts';
import { methodNotAllowed } from './wrong-methods.ts';

const otherMethods = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const isLoopback = (address: string): boolean => /^(127\.|::1$|::ffff:127\.)/.test(address);

/** What anyone may ask without a token: what this is, and whether it lives. */
export function registerPublicRoutes(app: FastifyInstance, services: Services): void {
  const { api } = services.options;
  const config = { public: true };

  const root = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (!negotiate(request, reply)) return reply;
    return sendJson(reply, 200, rootDocument(baseUrl(request, api)));
  };
  const v1 = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (!negotiate(request, reply)) return reply;
    return sendJson(reply.headers(versionHeaders(request.minor)), 200, v1Document(baseUrl(request, api)));
  };
  app.get('/', { config }, root);
  app.get('/v1', { config }, v1);
  app.get('/v1.json', { config }, v1);
  for (const url of ['/', '/v1']) {
    app.route({ method: [...otherMethods], url, config, handler: methodNotAllowed('GET') });
    // As a CORS preflight is answered that no rule allows.
    app.options(url, { config }, (_request, reply) =>
      reply.removeHeader('x-openstack-request-id').code(200).send(),
    );
  }
  // Metrics tell more than strangers should know: only this machine may ask here, and not on another's behalf.
  app.get('/metrics', { config }, async (request, reply) => {
    const proxied = request.headers['x-forwarded-for'] ?? request.headers['forwarded'];
    if (proxied !== undefined || !isLoopback(request.ip))
      return sendJson(reply, 404, frameBody(404, 'Not Found'));
    return reply.header('content-type', services.metrics.contentType).send(await services.metrics.text());
  });
  app.get('/healthcheck', { config }, async (request, reply) => {
    reply.removeHeader('x-openstack-request-id');
    const healthy = await services.store.pool.query('select 1').then(
      () => true,
      () => false,
    );
    const reason = healthy ? 'OK' : 'The database does not answer';
    if (request.headers.accept?.includes('application/json') === true) {
      return sendJson(reply, healthy ? 200 : 503, { detailed: false, reasons: [reason] });
    }
    return reply
      .code(healthy ? 200 : 503)
      .header('content-type', 'text/plain; charset=UTF-8')
      .send(reason);
  });
}
