import { Fault } from '@jeroboam/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CloudLookup } from '../cloud/lookup.ts';
import type { Services } from '../services.ts';
import { baseUrl } from './base-url.ts';
import { readBody } from './body.ts';
import { frameBody } from './envelope.ts';
import { sendEvents, wantedEvents } from './event-stream.ts';
import { dryRunArgument, namesExtension } from './extension.ts';
import type { Operation, RequestContext } from './operation.ts';
import { operations } from './operations.ts';
import { booleanArgument } from './paging.ts';
import { sendExtended, sendJson, versionHeaders } from './replies.ts';
import { registerWrongMethods } from './wrong-methods.ts';

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
  let cloud: CloudLookup | undefined;
  const answer = await operation.handle({
    services,
    caller,
    minor,
    base: baseUrl(request, options.api),
    params: request.params as Record<string, string>,
    query,
    body: bodyOf(operation, request),
    // Made when first asked: most requests never look into the cloud.
    get cloud() {
      return (cloud ??= new CloudLookup(caller, http, options.keystone));
    },
    showsExtensions: namesExtension(request.headers.accept),
    sendsExtensions: namesExtension(request.headers['content-type']),
    dryRun: booleanArgument(query, dryRunArgument.name) ?? false,
    eventStream: operation.eventStream === true ? wantedEvents(request.headers) : null,
  });
  if (answer.stream !== undefined) return sendEvents(reply, answer.stream);
  if (answer.location !== undefined) reply.header('location', answer.location);
  if (answer.body === undefined) return reply.code(answer.status).send();
  return answer.extended === true
    ? sendExtended(reply, answer.status, answer.body)
    : sendJson(reply, answer.status, answer.body);
}

/** Puts every operation on its path, and answers other methods there as Magnum does. */
export function registerOperations(app: FastifyInstance, services: Services): void {
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: operation.path,
      config: { eventStream: operation.eventStream === true },
      handler: (request, reply) => run(services, operation, request, reply),
    });
  }
  registerWrongMethods(app, operations);
}
