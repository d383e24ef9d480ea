import type { FastifyInstance } from 'fastify';

import { badRequest, conflict, forbidden } from '../../http/api-error.ts';
import {
  bodyObject,
  isObject,
  optionalBoolean,
  optionalList,
  optionalString,
  requiredName,
} from '../../http/fields.ts';
import type { Fields } from '../../http/fields.ts';
import { Query } from '../../http/query.ts';
import { newHexId } from '../../ids.ts';
import type { Identity } from '../identity.ts';
import { filterViews, listBody } from '../listing.ts';
import type { ApplicationCredential, Role } from '../model.ts';
import { mayReadAll, refused, sessionOf } from '../policy.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import type { Session } from '../tokens/session.ts';
import { missing } from './resource.ts';
import { roleDetails } from './roles.ts';

interface OfUser {
  Params: { user: string; id: string };
}

const COLLECTION = '/v3/users/:user/application_credentials';

/** Credentials that users make for their programs: one project, some of their roles, a secret shown once. */
export function applicationCredentialRoutes(app: FastifyInstance, identity: Identity): void {
  const { credentials } = identity.directory;

  const find = ({ user, id }: OfUser['Params']): ApplicationCredential => {
    const credential = credentials.get(id);
    return credential?.user_id === user ? credential : missing('application credential', id);
  };

  app.get<OfUser>(COLLECTION, async (request, reply) => {
    const { user } = request.params;
    requireOwner(sessionOf(request), user, 'list_application_credentials', mayReadAll);
    const views = credentials
      .filter((item) => item.user_id === user)
      .map((item) => credentialView(item, identity));
    return reply.send(
      listBody(
        'application_credentials',
        filterViews(views, new Query(request), ['name']),
        request,
        identity,
      ),
    );
  });

  app.post<OfUser>(COLLECTION, async (request, reply) => {
    const session = sessionOf(request);
    refuseRestricted(session);
    requireOwner(session, request.params.user, 'create_application_credential', () => false);
    const fields = bodyObject(request.body, 'application_credential');
    const secret = optionalString(fields, 'secret') ?? newSecret();
    const secretHash = await hashSecret(secret);
    const credential = newCredential(fields, session, secretHash, identity);
    await credentials.put(credential.id, credential);
    const { links, ...view } = credentialView(credential, identity);
    return reply.code(201).send({ application_credential: { ...view, secret, links } });
  });

  app.get<OfUser>(`${COLLECTION}/:id`, async (request, reply) => {
    requireOwner(sessionOf(request), request.params.user, 'get_application_credential', mayReadAll);
    return reply.send({ application_credential: credentialView(find(request.params), identity) });
  });

  app.delete<OfUser>(`${COLLECTION}/:id`, async (request, reply) => {
    const session = sessionOf(request);
    refuseRestricted(session);
    requireOwner(session, request.params.user, 'delete_application_credential', (caller) => caller.isAdmin);
    await credentials.delete(find(request.params).id);
    return reply.code(204).send();
  });
}

function requireOwner(
  session: Session,
  user: string,
  action: string,
  orElse: (session: Session) => boolean,
): void {
  if (session.userId !== user && !orElse(session)) throw refused(action);
}

/** A stolen credential must not be able to make itself a successor. */
function refuseRestricted({ credential }: Session): void {
  if (credential === undefined || credential.unrestricted) return;
  throw forbidden(
    'You are not authorized to perform the requested action: ' +
      "Using method 'application_credential' is not allowed for managing additional application credentials..",
  );
}

function newCredential(
  fields: Fields,
  session: Session,
  secretHash: string,
  identity: Identity,
): ApplicationCredential {
  const name = requiredName(fields);
  const { userId, projectId } = session;
  if (projectId === undefined) {
    throw badRequest('An application credential needs a token that is scoped to a project.');
  }
  if ((optionalList(fields, 'access_rules') ?? []).length > 0) {
    throw badRequest("'access_rules' are not enforced by the sandbox cloud, so it does not accept them.");
  }
  if (
    identity.directory.credentials.find((item) => item.user_id === userId && item.name === name) !== undefined
  ) {
    throw conflict(
      `Conflict occurred attempting to store application_credential - Duplicate entry found with name ${name}.`,
    );
  }
  return {
    id: newHexId(),
    name,
    description: optionalString(fields, 'description') ?? null,
    user_id: userId,
    project_id: projectId,
    ...expiryOf(fields, identity.cloud.now()),
    unrestricted: optionalBoolean(fields, 'unrestricted') ?? false,
    roleIds: rolesFor(fields, session).map((role) => role.id),
    secretHash,
  };
}

/** The roles asked for, all of which the token must hold; without any, those of the token. */
function rolesFor(fields: Fields, session: Session): readonly Role[] {
  const wanted = optionalList(fields, 'roles') ?? [];
  if (wanted.length === 0) return session.roleRecords;
  return wanted.map((reference) => {
    if (!isObject(reference)) throw badRequest("'roles' must be a list of objects with an 'id' or a 'name'.");
    const id = optionalString(reference, 'id');
    const name = optionalString(reference, 'name');
    if (id === undefined && name === undefined) {
      throw badRequest("Each of 'roles' needs an 'id' or a 'name'.");
    }
    const role = session.roleRecords.find((item) => (id === undefined ? item.name === name : item.id === id));
    if (role !== undefined) return role;
    throw badRequest(
      `Invalid application credential: Could not find role assignment with role: ${id ?? name}, ` +
        `user or group: ${session.userId}, project, domain, or system: ${session.projectId}.`,
    );
  });
}

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z?$/;

/** Times without a zone are UTC, as everywhere in Keystone, and are shown with the microseconds they came with. */
function expiryOf(fields: Fields, now: number): Pick<ApplicationCredential, 'expiresAt' | 'expires_at'> {
  const text = optionalString(fields, 'expires_at');
  if (text === undefined) return {};
  const [, second = '', fraction = ''] = TIME.exec(text) ?? [];
  const shown = `${second}.${fraction.padEnd(6, '0')}`;
  const at = Date.parse(`${shown}Z`);
  if (Number.isNaN(at)) throw badRequest("'expires_at' must be a time such as 2030-01-31T12:00:00.000000.");
  if (at <= now) throw badRequest("'expires_at' must be in the future.");
  return { expiresAt: at, expires_at: shown };
}

function credentialView(credential: ApplicationCredential, { directory, url }: Identity) {
  const { id, name, description, user_id, project_id, expires_at, unrestricted, roleIds } = credential;
  return {
    id,
    name,
    description,
    user_id,
    project_id,
    system: null,
    expires_at: expires_at ?? null,
    unrestricted,
    roles: roleIds.flatMap((roleId) => {
      const role = directory.roles.get(roleId);
      return role === undefined ? [] : [roleDetails(role)];
    }),
    links: { self: `${url}/application_credentials/${id}` },
  };
}
