import { badRequest, conflict, forbidden } from '../http/api-error.ts';
import { isObject } from '../http/fields.ts';
import { readImage } from './fields.ts';
import type { ImageWish } from './fields.ts';
import { OWN_FIELDS } from './model.ts';
import type { Image } from './model.ts';

const CHANGEABLE = new Set([
  'name',
  'visibility',
  'disk_format',
  'container_format',
  'min_disk',
  'min_ram',
  'protected',
  'os_hidden',
  'tags',
]);

/** Applies Glance's JSON patch: add, replace and remove of one field or property at a time. */
export function patchImage(image: Image, body: unknown): ImageWish {
  if (!Array.isArray(body)) throw badRequest('The request body must be a list of changes.');
  const own = Object.entries(image).filter(([name]) => CHANGEABLE.has(name));
  const fields = new Map<string, unknown>([...Object.entries(image.properties), ...own]);
  for (const change of body) applyChange(fields, change);
  return readImage(Object.fromEntries(fields));
}

interface Change {
  op: string;
  path: string;
  value: unknown;
}

/** The first form of the patch named the operation by the key of the path: `{"add": "/name", "value": …}`. */
function readChange(change: unknown): Change {
  if (!isObject(change)) throw badRequest('Each change must be an object.');
  const { op: named, path: given, value } = change;
  const op = named ?? ['add', 'replace', 'remove'].find((name) => typeof change[name] === 'string');
  const path = named === undefined && typeof op === 'string' ? change[op] : given;
  if (typeof op !== 'string' || typeof path !== 'string') {
    throw badRequest("Each change needs an 'op' and a 'path'.");
  }
  return { op, path, value };
}

function applyChange(fields: Map<string, unknown>, change: unknown): void {
  const { op, path, value } = readChange(change);
  const name = path.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~');
  if (name === '' || name === '__proto__') throw badRequest(`'${path}' does not name a field.`);
  if (OWN_FIELDS.has(name) && !CHANGEABLE.has(name)) throw forbidden(`Attribute '${name}' is read-only.`);
  switch (op) {
    case 'add':
      fields.set(name, value);
      return;
    case 'replace':
      requirePresent(fields, name, 'replaced');
      fields.set(name, value);
      return;
    case 'remove':
      requirePresent(fields, name, 'removed');
      if (CHANGEABLE.has(name)) throw forbidden(`Property ${name} may not be removed.`);
      fields.delete(name);
      return;
    default:
      throw badRequest("'op' must be add, replace or remove.");
  }
}

function requirePresent(fields: Map<string, unknown>, name: string, verb: string): void {
  if (!fields.has(name)) throw conflict(`Property ${name} does not exist, so it cannot be ${verb}.`);
}
