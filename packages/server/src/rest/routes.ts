import { Fault } from '@jeroboam/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { CloudLookup } from '../cloud/lookup.ts';
import type { Services } from '../services.ts';
import { baseUrl } from './base-url.ts';
import { readBody } from './body.ts';
import { frameBody } from './envelope.ts';
import type { Operation, RequestContext } from './operation.ts';
import { operations } from './operations.ts';
import { booleanArgument } from './paging.ts';
import { sendJson, versionHeaders } from './replies.ts';

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function checkArguments(operation: Operation, query: RequestContext['query'], minor: number): void {
  for (const name of Object.keys(query)) {
    const known = operation.query?.find((argument) => argument.name === name);
    if (known === undefined || (known.since ?? 0) > minor) {
      throw new Fault('invalid_input', `Unknown argument: "${name}"`, { field: name });
    }
    if (known.type === 'boolean') booleanArgument(query, name);
  }
}

function bodyOf(operation: Operation, request: FastifyRequest): unknown {
  if (operation.body === undefined || operation.body.kind === 'ignored') return undefined;
  const body = readBody(request.body as Buffer | undefined, request.headers['content-type']);
  if (body !== undefined) return body;
  const argument = operation.body.kind === 'patch' ? 'patch' : operation.body.table.argument;
  throw new Fault('malformed_request', `Missing argument: "${argument}"`, { field: argument });
}

/** The version gate answers before anything else of the request is read. */
function servesVersion(operation: Operation, minor: number, reply: FastifyReply): boolean {
  if (operation.since === undefined || minor >= operation.since.minor) return true;
  const detail = `Version 1.${minor} was requested but the requested API ${operation.since.word} is not supported for this version.`;
  sendJson(reply, 406, frameBody(406, 'Not Acceptable', detail));
  return false;
}

async function run(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller, minor } = request;
  if (caller === null) throw new Error(`${operation.path} was reached without a caller`);
  if (!servesVersion(operation, minor, reply)) return reply;
  reply.headers(versionHeaders(minor));
  const query = request.query as RequestContext['query'];
  checkArguments(operation, query, minor);
  const { http, options } = services;
  const answer = await operation.handle({
    services,
    caller,
    minor,
    base: baseUrl(request, options.api),
    params: request.params as Record<string, string>,
    query,
    body: bodyOf(operation, request),
    cloud: new CloudLookup(caller, http, options.keystone),
  });
  if (answer.location !== undefined) reply.header('location', answer.location);
  if (answer.body === undefined) return reply.code(answer.status).send();
  return sendJson(reply, answer.status, answer.body);
}

/** Magnum's framework takes what follows a collection for arguments, and what is missing for a mistake of theirs. */
const misplaced: readonly { method: HTTPMethods; path: string; message: string }[] = [
  ...['cluster', 'clustertemplate', 'federation'].flatMap((name) => {
    const argument = name === 'clustertemplate' ? 'cluster_template_ident' : `${name}_ident`;
    const collection = `/v1/${name}s`;
    return [
      { method: 'PATCH' as const, path: collection, message: `Missing argument: "${argument}"` },
      { method: 'DELETE' as const, path: collection, message: `Missing argument: "${argument}"` },
      {
        method: 'POST' as const,
        path: `${collection}/:${name}`,
        message: 'Unknown argument: this method takes no identifier',
      },
    ];
  }),
];

/** What `Allow` says of a path: the methods of everything below the same collection. */
function allowedAt(path: string): string {
  const root = path.split('/')[2] ?? '';
  const family = path.includes('/nodegroups')
    ? operations.filter((operation) => operation.path.includes('/nodegroups'))
    : operations.filter(
        (operation) =>
          operation.path.split('/')[2] === root &&
          !operation.path.includes('/nodegroups') &&
          !operation.path.includes('/actions'),
      );
  return [...new Set(family.map(({ method }) => method))].toSorted().join(', ');
}

export function methodNotAllowed(allow: string) {
  return (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendJson(reply.header('allow', allow), 405, frameBody(405, 'Method Not Allowed'));
}

/** Puts every operation on its path, and answers other methods there as Magnum does. */
export function registerOperations(app: FastifyInstance, services: Services): void {
  const taken = new Map<string, Set<string>>();
  const take = (path: string, method: string): void => {
    taken.set(path, (taken.get(path) ?? new Set()).add(method));
  };
  for (const operation of operations) {
    take(operation.path, operation.method);
    app.route({
      method: operation.method,
      url: operation.path,
      handler: (request, reply) => run(services, operation, request, reply),
    });
  }
  for (const { method, path, message } of misplaced) {
    // The parameter's name must be the one the path already has.
    const url =
      [...taken.keys()].find((known) => known.replaceAll(/:\w+/g, ':') === path.replaceAll(/:\w+/g, ':')) ??
      path;
    if (taken.get(url)?.has(method) === true) continue;
    take(url, method);
    app.route({
      method,
      url,
      handler: (request, reply) => {
        reply.headers(versionHeaders(request.minor));
        throw new Fault('malformed_request', message);
      },
    });
  }
  for (const path of [
    '/v1/certificates',
    '/v1/credentials/:cluster',
    '/v1/clusters/:cluster/actions/:action',
  ]) {
    if (!taken.has(path)) taken.set(path, new Set());
  }
  for (const [path, used] of taken) {
    const others = methods.filter((method) => !used.has(method));
    if (others.length > 0)
      app.route({ method: others, url: path, handler: methodNotAllowed(allowedAt(path)) });
  }
}
