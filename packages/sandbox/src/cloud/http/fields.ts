import { badRequest } from './api-error.ts';
import { asBoolean } from './query.ts';

/** A JSON object that came from outside: every value still has to be looked at. */
export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under `name` in a request body, as in `{"user": {…}}`. */
export function bodyObject(body: unknown, name: string): Fields {
  if (!isObject(body) || !isObject(body[name])) {
    throw badRequest(`The request body must be a JSON object that holds an object named '${name}'.`);
  }
  return body[name];
}

export function optionalObject(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw badRequest(`'${name}' must be an object.`);
  return value;
}

export function optionalString(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`'${name}' must be a string.`);
  return value;
}

export function requiredString(fields: Fields, name: string): string {
  const value = optionalString(fields, name);
  if (value === undefined) throw badRequest(`'${name}' is a required property.`);
  return value;
}

const NAME_LIMIT = 255;

/** A name that people see: not empty, and as long as a column of the real services allows. */
export function requiredName(fields: Fields, name = 'name', limit = NAME_LIMIT): string {
  const value = requiredString(fields, name);
  if (value.trim() === '') throw badRequest(`'${name}' must not be empty.`);
  if (value.length > limit) throw badRequest(`'${name}' must not be longer than ${limit} characters.`);
  return value;
}

export function optionalBoolean(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw badRequest(`'${name}' must be true or false.`);
  return value;
}

/** A yes or no as Nova and Neutron read it: the words for it count too. */
export function lenientBoolean(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (typeof value !== 'string' && typeof value !== 'number') return optionalBoolean(fields, name);
  const read = asBoolean(String(value));
  if (read === undefined) throw badRequest(`'${name}' must be true or false.`);
  return read;
}

/** A whole number; text of digits counts, since several clients send numbers as text. */
export function optionalInteger(fields: Fields, name: string, least = 0): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < least) {
    throw badRequest(`'${name}' must be a whole number of at least ${least}.`);
  }
  return number;
}

export function optionalList(fields: Fields, name: string): readonly unknown[] | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw badRequest(`'${name}' must be a list.`);
  return value;
}

export function optionalStrings(fields: Fields, name: string): string[] | undefined {
  const list = optionalList(fields, name);
  return list?.map((item) => {
    if (typeof item !== 'string') throw badRequest(`'${name}' must be a list of strings.`);
    return item;
  });
}

/** A plain value as text, as in a query; lists, objects and nothing at all are empty. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
