import type { FastifyInstance, FastifyRequest } from 'fastify';

import { badRequest, conflict, notFound } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import { bodyObject, optionalString, requiredString } from '../http/fields.ts';
import type { Fields } from '../http/fields.ts';
import { page } from '../http/paging.ts';
import { Query } from '../http/query.ts';
import type { Cloud } from '../http/service.ts';
import type { Collection } from '../store/collection.ts';
import { microseconds } from '../times.ts';
import { minorOf } from './microversion.ts';
import { requireAdmin } from './policy.ts';
import { fingerprint, generateSshKey } from './ssh-keys.ts';
import type { KeyType } from './ssh-keys.ts';

export interface Keypair {
  number: number;
  name: string;
  type: KeyType;
  publicKey: string;
  fingerprint: string;
  userId: string;
  createdAt: number;
}

interface ByName {
  Params: { name: string };
}

const COLLECTION = '/v2.1/os-keypairs';

/** Key pairs belong to a user, not to a project: two users may have different ones of the same name. */
export function keypairRoutes(app: FastifyInstance, cloud: Cloud, keypairs: Collection<Keypair>): void {
  const find = (request: FastifyRequest<ByName>, action: string): Keypair => {
    const keypair = keypairs.get(keypairId(ownerOf(request, action), request.params.name));
    if (keypair !== undefined) return keypair;
    throw notFound(`Keypair ${request.params.name} not found for user ${ownerOf(request, action)}`);
  };

  app.get(COLLECTION, async (request, reply) => {
    const minor = minorOf(request);
    const query = new Query(request);
    const owner = ownerOf(request, 'index');
    const own = keypairs
      .filter((keypair) => keypair.userId === owner)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    if (minor < 35) {
      return reply.send({ keypairs: own.map((keypair) => ({ keypair: listView(keypair, minor) })) });
    }
    const { items, nextMarker } = page(own, (keypair) => keypair.name, query);
    const href = `${cloud.url}/compute${COLLECTION}?${query.with({ marker: nextMarker ?? '' })}`;
    return reply.send({
      keypairs: items.map((keypair) => ({ keypair: listView(keypair, minor) })),
      ...(nextMarker !== undefined && { keypairs_links: [{ rel: 'next', href }] }),
    });
  });

  app.post(COLLECTION, async (request, reply) => {
    const minor = minorOf(request);
    const fields = bodyObject(request.body, 'keypair');
    const userId = newOwner(request, fields);
    const { keypair, privateKey } = await newKeypair(fields, minor, userId, cloud.now());
    const id = keypairId(userId, keypair.name);
    if (keypairs.get(id) !== undefined) throw conflict(`Key pair '${keypair.name}' already exists.`);
    const number = Math.max(0, ...keypairs.all().map((other) => other.number)) + 1;
    await keypairs.put(id, { ...keypair, number });
    const view = {
      ...listView(keypair, minor),
      user_id: userId,
      ...(privateKey !== undefined && { private_key: privateKey }),
    };
    return reply.code(minor >= 2 ? 201 : 200).send({ keypair: view });
  });

  app.get<ByName>(`${COLLECTION}/:name`, async (request, reply) => {
    const keypair = find(request, 'show');
    return reply.send({
      keypair: {
        ...listView(keypair, minorOf(request)),
        user_id: keypair.userId,
        created_at: microseconds(keypair.createdAt),
        deleted: false,
        deleted_at: null,
        id: keypair.number,
        updated_at: null,
      },
    });
  });

  app.delete<ByName>(`${COLLECTION}/:name`, async (request, reply) => {
    const keypair = find(request, 'delete');
    await keypairs.delete(keypairId(keypair.userId, keypair.name));
    return reply
      .code(minorOf(request) >= 2 ? 204 : 202)
      .type('application/json')
      .send();
  });
}

export function keypairId(userId: string, name: string): string {
  return `${userId}/${name}`;
}

/** From 2.10 on an administrator may name another user in the query. */
function ownerOf(request: FastifyRequest, action: string): string {
  const caller = callerOf(request);
  const named = minorOf(request) >= 10 ? new Query(request).one('user_id') : undefined;
  if (named === undefined || named === caller.userId) return caller.userId;
  requireAdmin(caller, `os-keypairs:${action}`);
  return named;
}

function newOwner(request: FastifyRequest, fields: Fields): string {
  const caller = callerOf(request);
  const named = minorOf(request) >= 10 ? optionalString(fields, 'user_id') : undefined;
  if (named === undefined || named === caller.userId) return caller.userId;
  requireAdmin(caller, 'os-keypairs:create');
  return named;
}

const KEYPAIR_NAME = /^[A-Za-z0-9 _.@-]{1,255}$/;

async function newKeypair(
  fields: Fields,
  minor: number,
  userId: string,
  now: number,
): Promise<{ keypair: Omit<Keypair, 'number'>; privateKey?: string }> {
  const name = requiredString(fields, 'name').trim();
  if (!KEYPAIR_NAME.test(name)) {
    throw badRequest(
      'Keypair data is invalid: Keypair name must be string and between 1 and 255 characters long, ' +
        'of letters, digits, blanks and the signs @._-',
    );
  }
  const type = (minor >= 2 ? optionalString(fields, 'type') : undefined) ?? 'ssh';
  if (type !== 'ssh' && type !== 'x509') throw badRequest("'type' must be ssh or x509.");
  const given = optionalString(fields, 'public_key');
  if (given === undefined && minor >= 92) {
    throw badRequest("Invalid input for field/attribute keypair. 'public_key' is a required property");
  }
  if (given === undefined && type === 'x509') {
    throw badRequest("The sandbox cloud makes no x509 key pairs: give a certificate as 'public_key'.");
  }
  const made = given === undefined ? await generateSshKey() : undefined;
  const publicKey = given ?? made?.publicKey ?? '';
  return {
    keypair: { name, type, publicKey, fingerprint: fingerprint(type, publicKey), userId, createdAt: now },
    privateKey: made?.privateKey,
  };
}

function listView(keypair: Omit<Keypair, 'number'>, minor: number): object {
  return {
    name: keypair.name,
    public_key: keypair.publicKey,
    fingerprint: keypair.fingerprint,
    ...(minor >= 2 && { type: keypair.type }),
  };
}
