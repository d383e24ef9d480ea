import { randomUUID } from 'node:crypto';

import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ApiError, badRequest, unauthorized } from './api-error.ts';
import { header, rememberCaller } from './caller.ts';
import type { Faults } from './faults.ts';
import type { RequestLog } from './request-log.ts';
import type { Cloud, CloudService } from './service.ts';

const BODY_LIMIT = 1024 * 1024;

export interface ListenerParts {
  cloud: Cloud;
  services: readonly CloudService[];
  faults: Faults;
  requests: RequestLog;
}

/** One HTTP server for all services, each below its own path with its own error bodies. */
export async function buildListener({
  cloud,
  services,
  faults,
  requests,
}: ListenerParts): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    genReqId: () => `req-${randomUUID()}`,
    rewriteUrl: (request) => withoutFormat(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 300 },
  });
  parseBodies(app);
  logRequests(app, cloud, requests);
  for (const service of services) {
    await app.register(async (scope) => mount(scope, service, cloud, faults), { prefix: service.path });
  }
  return app;
}

function mount(scope: FastifyInstance, service: CloudService, cloud: Cloud, faults: Faults): void {
  scope.setErrorHandler((error, request, reply) => answerError(error, request, reply, service, cloud));
  scope.setNotFoundHandler((request, reply) =>
    answerError(new ApiError(404, 'The resource could not be found.'), request, reply, service, cloud),
  );
  scope.addHook('onRequest', async (request, reply) => {
    void reply.header('x-openstack-request-id', request.id);
    service.onRequest?.(request, reply);
    await injectFault(request, reply, service, faults);
  });
  service.publicRoutes(scope);
  void scope.register(async (guarded) => {
    guarded.addHook('onRequest', async (request) => {
      const caller = cloud.callerOf(header(request, 'x-auth-token'));
      if (caller === undefined) throw unauthorized();
      rememberCaller(request, caller);
    });
    service.routes(guarded);
  });
}

async function injectFault(
  request: FastifyRequest,
  reply: FastifyReply,
  service: CloudService,
  faults: Faults,
): Promise<void> {
  const fault = faults.take(request.method, pathOf(request));
  if (fault === undefined) return;
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  if (fault.delayMs !== undefined) await faults.wait(fault.delayMs, gone.signal);
  if (fault.hang === true) {
    await faults.wait('forever', gone.signal);
    reply.hijack();
    request.raw.socket.destroy();
    return;
  }
  if (fault.status !== undefined) {
    await reply
      .code(fault.status)
      .send(fault.body ?? service.errorBody(fault.status, `Fault injected: status ${fault.status}.`));
  }
}

/** Answers a refusal in the service's own form; anything unforeseen is logged and told as 500 without detail. */
function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  service: CloudService,
  { logger, url }: Cloud,
): FastifyReply {
  const { status, message, type } = refusalOf(error);
  if (status === 401) void reply.header('www-authenticate', `Keystone uri="${url}/identity/v3"`);
  if (status >= 500) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    logger.error(`${request.method} ${pathOf(request)} failed: ${reason}`);
  }
  return reply.code(status).send(service.errorBody(status, message, type));
}

function refusalOf(error: unknown): { status: number; message: string; type?: string } {
  if (error instanceof ApiError) return { status: error.status, message: error.message, type: error.type };
  // What fastify itself refuses: bodies that are too large, lengths that do not fit.
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500 && error instanceof Error) return { status, message: error.message };
  return { status: 500, message: 'An unexpected error prevented the server from fulfilling your request.' };
}

/** Every body is JSON whatever its content type says; an empty one is none (clients label their DELETEs too). */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
    if (text.length === 0) {
      done(null, undefined);
      return;
    }
    try {
      done(null, JSON.parse(text.toString(), refuseProto));
    } catch {
      done(badRequest('The request body is not valid JSON.'));
    }
  });
}

/** `__proto__` as a key would become a prototype in whatever copies the object. */
function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not a field');
  return value;
}

function logRequests(app: FastifyInstance, cloud: Cloud, requests: RequestLog): void {
  const open = new WeakMap<FastifyRequest, { status: number }>();
  app.addHook('onRequest', async (request) => {
    const path = pathOf(request);
    const query = request.url.slice(path.length + 1);
    open.set(request, requests.add({ at: cloud.now(), method: request.method, path, query, status: 0 }));
  });
  app.addHook('onResponse', async (request, reply) => {
    const entry = open.get(request);
    if (entry !== undefined) entry.status = reply.statusCode;
  });
}

/** Neutron takes `.json` at the end of any path, and some clients still write it. */
function withoutFormat(url: string): string {
  return url.startsWith('/network/') ? url.replace(/\.json(?=$|\?)/, '') : url;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}
