import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { badRequest, notFound, unauthorized } from '../../http/api-error.ts';
import { header } from '../../http/caller.ts';
import { bodyObject, optionalObject } from '../../http/fields.ts';
import type { Fields } from '../../http/fields.ts';
import { Query } from '../../http/query.ts';
import type { Identity } from '../identity.ts';
import { mayReadAll, refused, sessionOf } from '../policy.ts';
import { authenticate } from './authenticate.ts';
import type { Proof } from './authenticate.ts';
import { requestedScope } from './scope.ts';
import type { Scope } from './scope.ts';
import type { Session } from './session.ts';
import { tokenBody } from './token-body.ts';

const TOKENS = '/v3/auth/tokens';

/** Asking for a token is the one thing that needs none. */
export function tokenIssueRoute(app: FastifyInstance, identity: Identity): void {
  app.post(TOKENS, async (request, reply) => {
    const auth = bodyObject(request.body, 'auth');
    const proof = await prove(auth, identity);
    const { token, session } = identity.tokens.issue(proof, scopeFor(auth, proof, identity));
    return reply
      .code(201)
      .header('x-subject-token', token)
      .send(view(session, request, identity));
  });
}

/** Validation and revocation of a token, named by X-Subject-Token. */
export function tokenRoutes(app: FastifyInstance, identity: Identity): void {
  app.get(TOKENS, async (request, reply) => {
    const session = subjectOf(request, reply, identity, 'validate_token');
    return view(session, request, identity);
  });

  app.delete(TOKENS, async (request, reply) => {
    await identity.tokens.revoke(subjectOf(request, reply, identity, 'revoke_token'));
    return reply.removeHeader('x-subject-token').code(204).send();
  });
}

async function prove(auth: Fields, identity: Identity): Promise<Proof> {
  const given = optionalObject(auth, 'identity');
  if (given === undefined) throw badRequest("'identity' is a required property of 'auth'.");
  return authenticate(given, {
    directory: identity.directory,
    now: identity.cloud.now(),
    checkToken: (token) => identity.tokens.check(token),
  });
}

function scopeFor(auth: Fields, proof: Proof, identity: Identity): Scope {
  if (proof.projectId === undefined) return requestedScope(auth, proof.user, identity.directory);
  // An application credential belongs to one project and cannot ask for another place.
  if (auth['scope'] !== undefined && auth['scope'] !== null) throw unauthorized();
  return { kind: 'project', id: proof.projectId };
}

/** The token a request is about. Everyone may name their own; administrators and services may name any. */
function subjectOf(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  action: string,
): Session {
  const caller = sessionOf(request);
  const token = header(request, 'x-subject-token');
  const subject = identity.tokens.check(token, new Query(request).flag('allow_expired'));
  if (subject === undefined || token === undefined) throw notFound('Failed to validate token');
  const own = subject.userId === caller.userId;
  if (!own && !mayReadAll(caller) && !caller.roles.has('service')) throw refused(action);
  void reply.header('x-subject-token', token);
  return subject;
}

function view(session: Session, request: FastifyRequest, identity: Identity): unknown {
  const wanted = !new Query(request).has('nocatalog');
  return tokenBody(session, identity.directory, wanted ? identity.catalogFor(session.projectId) : undefined);
}
