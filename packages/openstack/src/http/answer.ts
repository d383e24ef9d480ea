import { OpenStackError } from './openstack-error.ts';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A JSON object that a service answered, read member by member. What is needed and is not there, or is of another
 * type, becomes an error that names the member, instead of an `undefined` that surfaces somewhere else.
 */
export class Answer {
  readonly #service: string;
  readonly #path: string;
  readonly #members: Readonly<Record<string, unknown>>;

  constructor(service: string, value: unknown, path = 'the answer') {
    this.#service = service;
    this.#path = path;
    if (!isObject(value)) throw this.#unexpected(path);
    this.#members = value;
  }

  #unexpected(what: string): OpenStackError {
    const message = `The ${this.#service} service sent something unexpected in ${what}; is its endpoint right?`;
    return new OpenStackError({ service: this.#service, status: null, message });
  }

  has(key: string): boolean {
    return this.#members[key] != null;
  }

  text(key: string): string {
    const value = this.#members[key];
    if (typeof value !== 'string') throw this.#unexpected(`"${key}" of ${this.#path}`);
    return value;
  }

  textOrNull(key: string): string | null {
    const value = this.#members[key];
    return typeof value === 'string' ? value : null;
  }

  number(key: string): number {
    const value = this.#members[key];
    if (typeof value !== 'number') throw this.#unexpected(`"${key}" of ${this.#path}`);
    return value;
  }

  /** A date in ISO 8601, as milliseconds since the epoch. */
  time(key: string): number {
    const time = Date.parse(this.text(key));
    if (Number.isNaN(time)) throw this.#unexpected(`"${key}" of ${this.#path}`);
    return time;
  }

  flag(key: string, absent: boolean): boolean {
    const value = this.#members[key];
    return typeof value === 'boolean' ? value : absent;
  }

  object(key: string): Answer {
    return new Answer(this.#service, this.#members[key], `"${key}"`);
  }

  objects(key: string): Answer[] {
    const value = this.#members[key];
    if (!Array.isArray(value)) throw this.#unexpected(`"${key}" of ${this.#path}`);
    return value.map((item: unknown) => new Answer(this.#service, item, `"${key}"`));
  }

  /** Members of the list that are texts; an absent list is an empty one. */
  texts(key: string): string[] {
    const value = this.#members[key];
    if (!Array.isArray(value)) return [];
    return value.filter((item: unknown) => typeof item === 'string');
  }

  /** All members with a text value. */
  allTexts(): Record<string, string> {
    const entries = Object.entries(this.#members).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value] as const] : [],
    );
    return Object.fromEntries(entries);
  }
}
