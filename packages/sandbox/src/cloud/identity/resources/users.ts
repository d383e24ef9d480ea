import type { FastifyInstance } from 'fastify';

import { badRequest, conflict, unauthorized } from '../../http/api-error.ts';
import {
  bodyObject,
  optionalBoolean,
  optionalString,
  requiredName,
  requiredString,
} from '../../http/fields.ts';
import type { Fields } from '../../http/fields.ts';
import { newHexId } from '../../ids.ts';
import type { Identity } from '../identity.ts';
import { listBody } from '../listing.ts';
import { DEFAULT_DOMAIN } from '../model.ts';
import type { User } from '../model.ts';
import { mayReadAll, refused, sessionOf } from '../policy.ts';
import { hashSecret, verifySecret } from '../secrets.ts';
import { projectsOf } from './own.ts';
import { missing, refuseChange } from './resource.ts';
import type { Resource } from './resource.ts';

function userView(
  { passwordHash: _hash, tokensValidFrom: _from, extra, ...user }: User,
  identity: Identity,
): object {
  return {
    ...extra,
    ...user,
    options: {},
    password_expires_at: null,
    links: { self: `${identity.url}/users/${user.id}` },
  };
}

export function userResource(identity: Identity): Resource<User> {
  const { directory } = identity;

  const requireFreeName = (name: string, domainId: string, id?: string): void => {
    const taken = directory.userByName(name, domainId);
    if (taken === undefined || taken.id === id) return;
    throw conflict(
      `Conflict occurred attempting to store user - Duplicate entry found with name ${name} at domain ID ${domainId}.`,
    );
  };

  return {
    singular: 'user',
    plural: 'users',
    objects: directory.users,
    filters: ['name', 'domain_id', 'enabled'],
    view: (user) => userView(user, identity),
    mayRead: (session, user) => session.userId === user.id,
    async create(fields) {
      const name = requiredName(fields);
      const domainId = optionalString(fields, 'domain_id') ?? DEFAULT_DOMAIN;
      if (directory.domains.get(domainId) === undefined) missing('domain', domainId);
      const password = optionalString(fields, 'password');
      const passwordHash = password === undefined ? undefined : await hashSecret(password);
      // Looked at after the hashing: two requests for one name may have waited there together.
      requireFreeName(name, domainId);
      return {
        id: newHexId(),
        name,
        domain_id: domainId,
        enabled: optionalBoolean(fields, 'enabled') ?? true,
        ...details(fields),
        extra: extraOf(fields),
        passwordHash,
      };
    },
    async update(user, fields) {
      refuseChange(fields, 'domain_id', user.domain_id);
      const name = fields['name'] === undefined ? user.name : requiredName(fields);
      const password = optionalString(fields, 'password');
      const enabled = optionalBoolean(fields, 'enabled') ?? user.enabled;
      const passwordHash = password === undefined ? user.passwordHash : await hashSecret(password);
      requireFreeName(name, user.domain_id, user.id);
      const endsTokens = password !== undefined || (user.enabled && !enabled);
      const tokensValidFrom = endsTokens ? identity.cloud.now() : user.tokensValidFrom;
      const extra = { ...user.extra, ...extraOf(fields) };
      return { ...user, ...details(fields), extra, name, enabled, passwordHash, tokensValidFrom };
    },
    beforeRemove: (user) => removeGrants(identity, user),
  };
}

function details(fields: Fields): Partial<User> {
  const names = ['default_project_id', 'description', 'email'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = optionalString(fields, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const OWN_FIELDS = new Set([
  'id',
  'name',
  'domain_id',
  'enabled',
  'default_project_id',
  'description',
  'email',
  'password',
  'original_password',
  'options',
  'links',
  'extra',
  'password_expires_at',
]);

function extraOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_FIELDS.has(name)));
}

async function removeGrants({ directory }: Identity, user: User): Promise<void> {
  await directory.unassign((assignment) => assignment.userId === user.id);
  await directory.removeCredentials((credential) => credential.user_id === user.id);
}

export async function removeUser(identity: Identity, user: User): Promise<void> {
  await removeGrants(identity, user);
  await identity.directory.users.delete(user.id);
}

interface ById {
  Params: { id: string };
}

/** What users ask about themselves by their id, and the change of their own password. */
export function userRoutes(app: FastifyInstance, identity: Identity): void {
  const { users } = identity.directory;

  app.get<ById>('/v3/users/:id/projects', async (request, reply) => {
    const session = sessionOf(request);
    const { id } = request.params;
    if (session.userId !== id && !mayReadAll(session)) throw refused('list_user_projects');
    const user = users.get(id) ?? missing('user', id);
    return reply.send(listBody('projects', projectsOf(user.id, identity), request, identity));
  });

  app.get<ById>('/v3/users/:id/groups', async (request, reply) => {
    const session = sessionOf(request);
    const { id } = request.params;
    if (session.userId !== id && !mayReadAll(session)) throw refused('list_groups_for_user');
    if (users.get(id) === undefined) missing('user', id);
    return reply.send(listBody('groups', [], request, identity));
  });

  app.post<ById>('/v3/users/:id/password', async (request, reply) => {
    const { id } = request.params;
    const fields = bodyObject(request.body, 'user');
    const password = requiredString(fields, 'password');
    if (password === '') throw badRequest("'password' must not be empty.");
    const user = users.get(id);
    if (
      !(await verifySecret(requiredString(fields, 'original_password'), user?.passwordHash)) ||
      user === undefined
    ) {
      throw unauthorized();
    }
    const passwordHash = await hashSecret(password);
    await users.put(id, { ...user, passwordHash, tokensValidFrom: identity.cloud.now() });
    return reply.code(204).send();
  });
}
