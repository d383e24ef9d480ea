import type { FastifyRequest } from 'fastify';

import { badRequest } from './api-error.ts';

/** The query of a request: a name may come several times. */
export class Query {
  readonly #values: Map<string, string[]>;

  constructor(request: FastifyRequest) {
    this.#values = new Map();
    const start = request.url.indexOf('?');
    const text = start === -1 ? '' : request.url.slice(start + 1);
    for (const [name, value] of new URLSearchParams(text)) {
      this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
    }
  }

  /** The last value wins, as in the web frameworks of the real services. */
  one(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  many(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  /** A flag such as `?nocatalog` or `?effective=false`. */
  flag(name: string): boolean {
    const value = this.one(name);
    return value !== undefined && !['0', 'false', 'no', 'off'].includes(value.toLowerCase());
  }

  integer(name: string): number | undefined {
    const value = this.one(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,9}$/.test(value)) throw badRequest(`'${name}' must be a whole number that is not negative.`);
    return Number(value);
  }

  /** The same query with some names replaced, for links to the next page. */
  with(changes: Readonly<Record<string, string>>): string {
    const next = new URLSearchParams();
    for (const [name, values] of this.#values) {
      if (!(name in changes)) for (const value of values) next.append(name, value);
    }
    for (const [name, value] of Object.entries(changes)) next.append(name, value);
    return next.toString();
  }

  without(dropped: string): string {
    const rest = new URLSearchParams();
    for (const [name, values] of this.#values) {
      if (name !== dropped) for (const value of values) rest.append(name, value);
    }
    return rest.toString();
  }
}

/** True for the ways clients write a yes; undefined when it is neither yes nor no. */
export function asBoolean(text: string): boolean | undefined {
  if (['true', '1', 'yes', 't'].includes(text.toLowerCase())) return true;
  if (['false', '0', 'no', 'f'].includes(text.toLowerCase())) return false;
  return undefined;
}
