import type { FastifyInstance } from 'fastify';

const TEXT = { type: ['null', 'string'] };
const NUMBER = { type: ['null', 'integer'] };

/** The fields of an image as JSON schema: older clients build their image objects from it. */
const IMAGE_SCHEMA = {
  name: 'image',
  properties: {
    id: { type: 'string' },
    name: TEXT,
    status: { type: 'string', readOnly: true, enum: ['queued', 'active'] },
    visibility: { type: 'string', enum: ['community', 'public', 'private', 'shared'] },
    protected: { type: 'boolean' },
    os_hidden: { type: 'boolean' },
    checksum: { ...TEXT, readOnly: true },
    os_hash_algo: { ...TEXT, readOnly: true },
    os_hash_value: { ...TEXT, readOnly: true },
    owner: TEXT,
    size: { ...NUMBER, readOnly: true },
    virtual_size: { ...NUMBER, readOnly: true },
    container_format: TEXT,
    disk_format: TEXT,
    created_at: { type: 'string', readOnly: true },
    updated_at: { type: 'string', readOnly: true },
    tags: { type: 'array', items: { type: 'string' } },
    min_ram: { type: 'integer' },
    min_disk: { type: 'integer' },
    self: { type: 'string', readOnly: true },
    file: { type: 'string', readOnly: true },
    schema: { type: 'string', readOnly: true },
    stores: { type: 'string', readOnly: true },
  },
  // Properties that owners add.
  additionalProperties: { type: 'string' },
  links: [
    { rel: 'self', href: '{self}' },
    { rel: 'enclosure', href: '{file}' },
    { rel: 'describedby', href: '{schema}' },
  ],
};

const IMAGES_SCHEMA = {
  name: 'images',
  properties: {
    images: { type: 'array', items: IMAGE_SCHEMA },
    schema: { type: 'string' },
    next: { type: 'string' },
    first: { type: 'string' },
  },
  links: [
    { rel: 'first', href: '{first}' },
    { rel: 'next', href: '{next}' },
    { rel: 'describedby', href: '{schema}' },
  ],
};

export function schemaRoutes(app: FastifyInstance): void {
  app.get('/v2/schemas/image', async () => IMAGE_SCHEMA);
  app.get('/v2/schemas/images', async () => IMAGES_SCHEMA);
}
