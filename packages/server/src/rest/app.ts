import { randomUUID } from 'node:crypto';
import { Fault, isFault } from '@jeroboam/domain';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
} from 'fastify';
import type { Services } from '../services.ts';
import { faultBody, frameBody } from './envelope.ts';
import { extensionType } from './extension.ts';
import { registerIdentification } from './identify.ts';
import { registerMetrics } from './request-metrics.ts';
import { registerOpenApi } from '../openapi/routes.ts';
import { registerPublicRoutes } from './public-routes.ts';
import { jsonType, sendJson } from './replies.ts';
import { registerOperations } from './routes.ts';

/** The types of our answers as Fastify writes them. */
const withCharset = new Map([jsonType, extensionType].map((type) => [`${type}; charset=utf-8`, type]));

/** Paths that stand beside the API; every other one without a version means version 1. */
const besides = new Set(['', 'v1', 'v1.json', 'healthcheck', 'metrics']);

/** The links without a version that Magnum hands out must work: /clusters is /v1/clusters. */
function withVersion(url: string): string {
  const [, segment = ''] = /^\/([^/?]*)/.exec(url) ?? [];
  return besides.has(segment) ? url : `/v1${url}`;
}

/** Errors of the HTTP layer, in the words of the API. */
function httpFault(error: FastifyError): Fault | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Fault(
      'too_large',
      'Request body is too large: the service takes no more than its body limit.',
      { cause: error },
    );
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Fault('malformed_request', error.message, { status: error.statusCode, cause: error });
  }
  return null;
}

export function createApp(services: Services): FastifyInstance {
  const { api } = services.options;
  const logger: FastifyBaseLogger = services.options.logger;
  const app = Fastify({
    loggerInstance: logger,
    // Each request is logged once, below, when it is answered.
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request costs more than all it logs: lines carry the request's id themselves.
    childLoggerFactory: (parent) => parent,
    bodyLimit: api.bodyLimit,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: false,
      maxParamLength: 1000,
      caseSensitive: true,
    },
    exposeHeadRoutes: false,
    genReqId: () => `req-${randomUUID()}`,
    rewriteUrl: (request) => withVersion(request.url ?? '/'),
    // A client that sends half a request must not hold a connection for ever.
    requestTimeout: 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => {
      sendJson(reply, 400, faultBody(new Fault('malformed_request', error.message)));
    },
    clientErrorHandler: (error, socket) => {
      // What is not HTTP gets the shortest answer that is.
      if (socket.writable && (error as NodeJS.ErrnoException).code !== 'ECONNRESET') {
        const status =
          (error as NodeJS.ErrnoException).code === 'HPE_HEADER_OVERFLOW'
            ? '431 Request Header Fields Too Large'
            : '400 Bad Request';
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      } else {
        socket.destroy();
      }
    },
  });
  // Bodies are read by the handlers, which know the words for what is wrong with them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-openstack-request-id', request.id);
    done();
  });
  // What runs when the end comes is finished, but its connection is not kept: the end would wait for the client.
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    // Fastify adds a character set to the type of every text; Magnum's answers have none.
    const plain = withCharset.get(String(reply.getHeader('content-type')));
    if (plain !== undefined) reply.header('content-type', plain);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { caller } = request;
    request.log.info(
      {
        reqId: request.id,
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        project: caller?.projectId,
        user: caller?.userId,
      },
      'request',
    );
    done();
  });
  registerMetrics(app, services);
  const refuseToken = registerIdentification(app, services);

  app.setNotFoundHandler((_request, reply) => sendJson(reply, 404, frameBody(404, 'Not Found')));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const fault = isFault(error) ? error : httpFault(error);
    if (fault === null) {
      request.log.error({ reqId: request.id, err: error }, 'a request failed inside the service');
      const told = new Fault(
        'internal',
        `The service failed to answer. Its log has the reason under ${request.id}.`,
      );
      return sendJson(reply, 500, faultBody(told));
    }
    if (fault.kind === 'unauthenticated') return refuseToken(request, reply);
    // Not the caller's doing: whoever runs the service must be able to read why.
    if (fault.status >= 500)
      request.log.warn({ reqId: request.id, err: fault }, 'a request could not be served');
    return sendJson(reply, fault.status, faultBody(fault));
  });

  registerPublicRoutes(app, services);
  registerOpenApi(app, services);
  registerOperations(app, services);
  return app;
}
