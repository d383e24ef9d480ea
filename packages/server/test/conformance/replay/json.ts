/** A JSON document: what fixtures hold and what services answer. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [member: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of its own: a key such as `constructor` must not find what every object inherits. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value at a dotted path (`nodegroups.0.uuid`), or undefined where the document has no such place. */
export function dig(document: Json | undefined, path: string): Json | undefined {
  let here = document;
  for (const part of path.split('.')) {
    if (Array.isArray(here)) here = here[Number(part)];
    else if (isObject(here)) here = member(here, part);
    else return undefined;
  }
  return here;
}

/** A text as it is, anything else as JSON. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** JSON text short enough to stand in the message of a failing test. */
export function brief(value: Json | undefined, length = 160): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
