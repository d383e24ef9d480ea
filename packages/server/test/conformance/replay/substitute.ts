import type { Json } from './json.ts';

const PLACEHOLDER = /\{\{([\w.-]+)\}\}/g;

export type Variables = ReadonlyMap<string, string>;

/** A placeholder without a value stays as it is: the request is then sent, and refused, as in the recording. */
export function substituteText(text: string, variables: Variables): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => variables.get(name) ?? whole);
}

export function substitute(value: Json, variables: Variables): Json {
  if (typeof value === 'string') return substituteText(value, variables);
  if (Array.isArray(value)) return value.map((item) => substitute(item, variables));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      substituteText(name, variables),
      substitute(member, variables),
    ]),
  );
}

export function hasPlaceholder(text: string): boolean {
  return text.includes('{{');
}
