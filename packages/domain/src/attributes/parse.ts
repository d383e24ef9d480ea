import { Fault } from '../faults.ts';
import { pythonClass, pythonText } from '../python-text.ts';
import { maxInteger, type Attribute, type AttributeTable, type AttributeType } from './types.ts';

/** A parsed body: only what the request carried; null stays null, absent stays absent. */
export type Parsed = Record<string, unknown>;

const shownLimit = 1000;

const shown = (value: unknown): string => {
  const text = pythonText(value);
  return text.length > shownLimit ? `${text.slice(0, shownLimit)}…` : text;
};

/** The refusal of one field's value, in Magnum's words. */
export const invalidField = (field: string, value: unknown, reason: string): Fault =>
  new Fault(
    'invalid_input',
    `Invalid input for field/attribute ${field}. Value: '${shown(value)}'. ${reason}`,
    { field },
  );

/** A value that cannot be converted or is out of range; the caller knows the field's name. */
class Unacceptable extends Error {}

const truthy = new Set(['1', 't', 'true', 'on', 'y', 'yes']);
const falsy = new Set(['0', 'f', 'false', 'off', 'n', 'no']);
const uuidPattern = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** Text that PostgreSQL can store and JSON can carry: no NUL, no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function storable(text: string): string {
  if (!isStorableText(text)) throw new Unacceptable('Value should not contain NUL or malformed characters');
  return text;
}

function asInteger(value: unknown): number {
  let number: number;
  if (typeof value === 'boolean') number = Number(value);
  else if (typeof value === 'number') number = Math.trunc(value);
  else if (typeof value === 'string' && /^\s*[+-]?\d+(_\d+)*\s*$/.test(value))
    number = Number(value.replaceAll('_', ''));
  else if (typeof value === 'string')
    throw new Unacceptable(`invalid literal for int() with base 10: ${shownQuoted(value)}`);
  else throw new Unacceptable(`Value should be an integer, not '${pythonClass(value)}'`);
  if (Number.isNaN(number)) throw new Unacceptable('Value should be an integer');
  return number === 0 ? 0 : number;
}

const shownQuoted = (value: string): string =>
  `'${value.length > shownLimit ? `${value.slice(0, shownLimit)}…` : value}'`;

function inRange(number: number, type: { min?: number; max?: number }): number {
  if (type.min !== undefined && number < type.min)
    throw new Unacceptable(`Value should be greater or equal to ${type.min}`);
  const max = type.max ?? maxInteger;
  if (number > max) throw new Unacceptable(`Value should be lower or equal to ${max}`);
  if (number < -maxInteger) throw new Unacceptable(`Value should be greater or equal to ${-maxInteger}`);
  return number;
}

function asBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const word = String(value).trim().toLowerCase();
  if ((typeof value === 'string' || typeof value === 'number') && truthy.has(word)) return true;
  if ((typeof value === 'string' || typeof value === 'number') && falsy.has(word)) return false;
  throw new Unacceptable('Value should be a boolean: true or false');
}

function asString(value: unknown, type: { min?: number; max?: number; pattern?: string }): string {
  if (typeof value !== 'string') throw new Unacceptable('Value should be string');
  // Lengths are counted in characters, not in UTF-16 units.
  const length = value.length > (type.max ?? 0) ? [...value].length : value.length;
  if (type.min !== undefined && length < type.min) {
    throw new Unacceptable(`Value should have a minimum character requirement of ${type.min}`);
  }
  if (type.max !== undefined && length > type.max) {
    throw new Unacceptable(`Value should have a maximum character requirement of ${type.max}`);
  }
  if (type.pattern !== undefined && !new RegExp(type.pattern, 'u').test(value)) {
    throw new Unacceptable(`Value should match the pattern ${type.pattern}`);
  }
  return storable(value);
}

function asText(value: unknown): string {
  if (typeof value !== 'string')
    throw new Unacceptable(`Wrong type. Expected '<class 'str'>', got '<class '${pythonClass(value)}'>'`);
  return storable(value);
}

function asUuid(value: unknown): string {
  if (typeof value === 'string' && uuidPattern.test(value)) return value.toLowerCase();
  throw new Fault('invalid_input', `Expected a uuid but received ${shown(value)}.`);
}

function asMap(value: unknown, of: 'scalar' | 'text' | 'anything'): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unacceptable(`Value not a valid dict: ${shown(value)}`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storable(key), mapItem(key, item, of)]),
  );
}

function mapItem(key: string, item: unknown, of: 'scalar' | 'text' | 'anything'): unknown {
  if (of === 'anything') return item;
  if (of === 'text') return item === null ? nullItem(key) : asText(item);
  if (item === null) return nullItem(key);
  if (typeof item === 'object') {
    const scalars = "(<class 'str'>, <class 'int'>, <class 'bool'>, <class 'float'>)";
    throw new Unacceptable(`Wrong type. Expected '${scalars}', got '<class '${pythonClass(item)}'>'`);
  }
  return storable(pythonText(item));
}

function nullItem(key: string): never {
  throw new Unacceptable(`The value of key '${key}' should not be null`);
}

function asList(value: unknown, of: AttributeType): unknown[] {
  if (!Array.isArray(value)) throw new Unacceptable(`Value not a valid list: ${shown(value)}`);
  return value.map((item) => (item === null ? nullElement() : convert(item, of)));
}

function nullElement(): never {
  throw new Unacceptable('An element should not be null');
}

function convert(value: unknown, type: AttributeType): unknown {
  switch (type.kind) {
    case 'string':
      return asString(value, type);
    case 'text':
      return asText(value);
    case 'uuid':
      return asUuid(value);
    case 'integer':
      return inRange(asInteger(value), type);
    case 'boolean':
      return asBoolean(value);
    case 'choice':
      if (typeof value === 'string' && type.of.includes(value)) return value;
      throw new Unacceptable(`Value should be one of: ${type.of.join(', ')}`);
    case 'map':
      return asMap(value, type.of);
    case 'list':
      return asList(value, type.of);
    case 'timestamp':
    case 'links':
      return value;
  }
}

/** One attribute's value, converted; the refusal names the attribute. null stands for "not given". */
export function parseAttribute(attribute: Attribute, value: unknown): unknown {
  if (attribute.readOnly === true) throw invalidField(attribute.name, value, 'Cannot set read only field.');
  if (value === null) return null;
  try {
    return convert(value, attribute.type);
  } catch (error) {
    if (error instanceof Unacceptable) throw invalidField(attribute.name, value, error.message);
    throw error;
  }
}

/**
 * A request body, converted by its table. Numbers and booleans may come as strings (Horizon sends all values
 * so); unknown attributes are refused; the first mistake in the order of the table is the one reported.
 */
export function parseBody(table: AttributeTable, body: unknown): Parsed {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField(table.argument, body, 'Value should be an object');
  }
  const given = body as Record<string, unknown>;
  const known = new Set(table.attributes.map((attribute) => attribute.name));
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => shown(name)).join(', ');
    throw new Fault('invalid_input', `Unknown attribute for argument ${table.argument}: ${names}`, {
      field: unknown[0] ?? '',
    });
  }
  const parsed: Parsed = {};
  for (const attribute of table.attributes) {
    if (Object.hasOwn(given, attribute.name))
      parsed[attribute.name] = parseAttribute(attribute, given[attribute.name]);
    else if (attribute.mandatory === true)
      throw invalidField(attribute.name, null, 'Mandatory field missing.');
  }
  return parsed;
}
