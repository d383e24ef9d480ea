import { badRequest } from '../http/api-error.ts';
import {
  isObject,
  optionalBoolean,
  optionalInteger,
  optionalString,
  optionalStrings,
} from '../http/fields.ts';
import type { Fields } from '../http/fields.ts';
import { OWN_FIELDS } from './model.ts';
import type { Image, Visibility } from './model.ts';

/** The part of an image that its owner decides. */
export type ImageWish = Pick<
  Image,
  | 'name'
  | 'visibility'
  | 'disk_format'
  | 'container_format'
  | 'min_disk'
  | 'min_ram'
  | 'protected'
  | 'os_hidden'
  | 'tags'
  | 'properties'
>;

const VISIBILITIES: readonly string[] = ['public', 'community', 'shared', 'private'] satisfies Visibility[];

function isVisibility(text: string): text is Visibility {
  return VISIBILITIES.includes(text);
}

const READ_ONLY = new Set([
  'status',
  'size',
  'virtual_size',
  'checksum',
  'created_at',
  'updated_at',
  'self',
  'file',
]);

/** Reads an image as a client describes it: known fields by their type, every other text as a property. */
export function readImage(body: unknown): ImageWish {
  if (!isObject(body)) throw badRequest('The request body must be a JSON object that describes an image.');
  for (const name of Object.keys(body)) {
    if (READ_ONLY.has(name)) throw badRequest(`Attribute '${name}' is read-only.`);
  }
  const visibility = optionalString(body, 'visibility') ?? 'shared';
  if (!isVisibility(visibility)) throw badRequest(`'visibility' must be one of ${VISIBILITIES.join(', ')}.`);
  return {
    name: optionalString(body, 'name') ?? null,
    visibility,
    disk_format: optionalString(body, 'disk_format') ?? null,
    container_format: optionalString(body, 'container_format') ?? null,
    min_disk: optionalInteger(body, 'min_disk') ?? 0,
    min_ram: optionalInteger(body, 'min_ram') ?? 0,
    protected: optionalBoolean(body, 'protected') ?? false,
    os_hidden: optionalBoolean(body, 'os_hidden') ?? false,
    tags: [...new Set(optionalStrings(body, 'tags') ?? [])],
    properties: readProperties(body),
  };
}

function readProperties(body: Fields): Record<string, string> {
  const entries = Object.entries(body).filter(([name]) => !OWN_FIELDS.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') throw badRequest(`The property '${name}' must be a string.`);
      return [name, value];
    }),
  );
}
