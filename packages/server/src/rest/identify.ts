import { parseMicroversion } from '@jeroboam/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  IdentityUnavailable,
  identityUnavailableReply,
  unauthorizedReply,
  type Caller,
  type IdentityReply,
} from '../identity/index.ts';
import type { Services } from '../services.ts';
import { frameBody, unsupportedVersionBody } from './envelope.ts';
import { acceptsEvents } from './event-stream.ts';
import { namesExtension } from './extension.ts';
import { sendJson, versionHeaders } from './replies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null on the few public paths. */
    caller: Caller | null;
    /** The minor part of the microversion asked for. */
    minor: number;
  }
  interface FastifyContextConfig {
    /** Answered without a token. */
    public?: boolean;
    /** Who accepts server-sent events gets them here. */
    eventStream?: boolean;
  }
}

const send = (reply: FastifyReply, answer: IdentityReply): FastifyReply =>
  reply.code(answer.statusCode).headers(answer.headers).send(Buffer.from(answer.body));

const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined ||
  accept === '' ||
  namesExtension(accept) ||
  /(^|[\s,;])(\*\/\*|application\/(\*|json)|[^/,]*\+json)/i.test(accept);

/** Answers that the token is good no more, whatever was remembered of it. */
export type RefuseToken = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Before any handler: who asks, which version they speak, and whether they read JSON. */
export function registerIdentification(app: FastifyInstance, services: Services): RefuseToken {
  const { keystone } = services.options;
  const unauthorized = unauthorizedReply(keystone.publicAuthUrl ?? keystone.authUrl);

  async function identify(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
    const token = request.headers['x-auth-token'];
    if (typeof token !== 'string' || token === '') {
      send(reply, unauthorized);
      return null;
    }
    try {
      const caller = await services.validator.validate(token);
      if (caller === null) send(reply, unauthorized);
      return caller;
    } catch (error) {
      if (!(error instanceof IdentityUnavailable)) throw error;
      request.log.warn({ reqId: request.id, err: error }, 'a token could not be checked');
      send(reply, identityUnavailableReply());
      return null;
    }
  }

  app.decorateRequest('caller', null);
  app.decorateRequest('minor', 1);
  app.addHook('onRequest', async (request, reply) => {
    const isPublic = request.routeOptions.config.public === true;
    if (!isPublic) request.caller = await identify(request, reply);
    const goesOn = isPublic || (request.caller !== null && negotiate(request, reply));
    return goesOn ? undefined : reply;
  });
  return (request, reply) => {
    services.validator.forget(String(request.headers['x-auth-token']));
    return send(reply, unauthorized);
  };
}

/** Which version and form the client asks for; false when it was told that there is no such thing. */
export function negotiate(request: FastifyRequest, reply: FastifyReply): boolean {
  const header = request.headers['openstack-api-version'];
  const version = parseMicroversion(Array.isArray(header) ? header.join(',') : header);
  const { accept } = request.headers;
  const streams = request.routeOptions.config.eventStream === true && acceptsEvents(accept);
  if (version.ok && (streams || acceptsJson(accept))) {
    request.minor = version.minor;
    return true;
  }
  if (version.ok) sendJson(reply, 406, frameBody(406, ''));
  else if (version.problem === 'malformed')
    sendJson(reply, 406, frameBody(406, 'Not Acceptable', version.detail));
  else
    sendJson(reply.headers(versionHeaders(version.requested)), 406, unsupportedVersionBody(version.detail));
  return false;
}
