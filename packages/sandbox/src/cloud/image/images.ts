import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { badRequest, conflict, forbidden, notFound } from '../http/api-error.ts';
import { callerOf } from '../http/caller.ts';
import type { Caller } from '../http/caller.ts';
import { isObject, optionalString } from '../http/fields.ts';
import { Query } from '../http/query.ts';
import type { Cloud } from '../http/service.ts';
import { looksLikeUuid, newUuid } from '../ids.ts';
import type { Collection } from '../store/collection.ts';
import { readImage } from './fields.ts';
import { listImages } from './list.ts';
import { imageView, mayChange, mayUse } from './model.ts';
import type { Image } from './model.ts';
import { patchImage } from './patch.ts';

interface ById {
  Params: { id: string };
}

const COLLECTION = '/v2/images';

export function imageRoutes(app: FastifyInstance, cloud: Cloud, images: Collection<Image>): void {
  // Image data may be large and is not kept: it passes by as a stream.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));

  const find = (request: FastifyRequest<ById>): Image => {
    const image = images.get(request.params.id);
    if (image !== undefined && mayUse(image, callerOf(request))) return image;
    throw notFound(`No image found with ID ${request.params.id}`);
  };

  const findOwn = (request: FastifyRequest<ById>, action: string): Image => {
    const image = find(request);
    const caller = callerOf(request);
    if (!mayChange(image, caller) || !caller.roles.has('member')) throw refused(action);
    return image;
  };

  app.get(COLLECTION, async (request, reply) =>
    reply.send(listImages(images.all(), callerOf(request), new Query(request))),
  );

  app.get<ById>(`${COLLECTION}/:id`, async (request, reply) => reply.send(imageView(find(request))));

  app.post(COLLECTION, async (request, reply) => {
    const image = newImage(request.body, callerOf(request), cloud.now());
    if (images.get(image.id) !== undefined) throw conflict(`Image ID ${image.id} already exists!`);
    await images.put(image.id, image);
    return reply
      .code(201)
      .header('location', `${cloud.url}/image${COLLECTION}/${image.id}`)
      .header('openstack-image-import-methods', 'glance-direct,web-download,copy-image')
      .header('openstack-image-store-ids', 'file')
      .send(imageView(image));
  });

  app.patch<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    const image = findOwn(request, 'modify_image');
    const wish = patchImage(image, request.body);
    if (wish.visibility === 'public' && image.visibility !== 'public') requirePublisher(callerOf(request));
    const changed = { ...image, ...wish, updatedAt: cloud.now() };
    await images.put(image.id, changed);
    return reply.send(imageView(changed));
  });

  app.put<ById>(`${COLLECTION}/:id/file`, async (request, reply) => {
    const image = findOwn(request, 'upload_image');
    if (image.status !== 'queued') {
      throw conflict(`Image status transition from ${image.status} to saving is not allowed`);
    }
    if (!(request.body instanceof Readable)) {
      throw badRequest('The data of an image must be application/octet-stream.');
    }
    const digest = await digestOf(request.body);
    await images.put(image.id, { ...image, ...digest, status: 'active', updatedAt: cloud.now() });
    return reply.code(204).type('text/html').send();
  });

  app.delete<ById>(`${COLLECTION}/:id`, async (request, reply) => {
    const image = findOwn(request, 'delete_image');
    if (image.protected) throw forbidden(`Image ${image.id} is protected and cannot be deleted.`);
    await images.delete(image.id);
    return reply.code(204).type('text/html').send();
  });
}

function newImage(body: unknown, caller: Caller, now: number): Image {
  const { projectId } = caller;
  if (projectId === undefined || !caller.roles.has('member')) throw refused('add_image');
  const wish = readImage(body);
  if (wish.visibility === 'public') requirePublisher(caller);
  const id = (isObject(body) ? optionalString(body, 'id') : undefined) ?? newUuid();
  if (!looksLikeUuid(id)) throw badRequest("'id' must be a UUID.");
  const owner = (isObject(body) ? optionalString(body, 'owner') : undefined) ?? projectId;
  if (owner !== projectId && !caller.isAdmin) throw refused('add_image');
  return {
    id,
    ...wish,
    status: 'queued',
    owner,
    size: null,
    checksum: null,
    os_hash_value: null,
    createdAt: now,
    updatedAt: now,
  };
}

function requirePublisher(caller: Caller): void {
  if (!caller.isAdmin) throw refused('publicize_image');
}

function refused(action: string): Error {
  return forbidden(`You are not authorized to complete ${action} action.`);
}

/** What remains of the data: its length and its hashes. */
async function digestOf(data: Readable): Promise<Pick<Image, 'size' | 'checksum' | 'os_hash_value'>> {
  const md5 = createHash('md5');
  const sha512 = createHash('sha512');
  let size = 0;
  for await (const chunk of data) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    md5.update(chunk);
    sha512.update(chunk);
  }
  return { size, checksum: md5.digest('hex'), os_hash_value: sha512.digest('hex') };
}
