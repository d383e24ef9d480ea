import type { ObjectStore } from './object-store.ts';

/**
 * All objects of one kind: read from memory, written through to the store.
 *
 * A change is visible at once, so that two requests cannot both take the same name, and durable when the returned
 * promise resolves; callers await it before they answer. When the store refuses, the change is taken back.
 */
export class Collection<T> {
  readonly #kind: string;
  readonly #store: ObjectStore;
  readonly #items: Map<string, T>;
  /** Writes go one after the other: a pool of connections could otherwise swap two changes of one object. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(kind: string, store: ObjectStore, items: Map<string, T>) {
    this.#kind = kind;
    this.#store = store;
    this.#items = items;
  }

  get(id: string): T | undefined {
    return this.#items.get(id);
  }

  all(): T[] {
    return [...this.#items.values()];
  }

  entries(): [string, T][] {
    return [...this.#items.entries()];
  }

  find(matches: (item: T) => boolean): T | undefined {
    for (const item of this.#items.values()) if (matches(item)) return item;
    return undefined;
  }

  filter(matches: (item: T) => boolean): T[] {
    return this.all().filter(matches);
  }

  async put(id: string, item: T): Promise<void> {
    const before = this.#items.get(id);
    this.#items.set(id, item);
    try {
      await this.#write(() => this.#store.put(this.#kind, id, item));
    } catch (error) {
      if (this.#items.get(id) === item) this.#restore(id, before);
      throw error;
    }
  }

  async delete(id: string): Promise<void> {
    const before = this.#items.get(id);
    if (before === undefined) return;
    this.#items.delete(id);
    try {
      await this.#write(() => this.#store.delete(this.#kind, id));
    } catch (error) {
      if (!this.#items.has(id)) this.#items.set(id, before);
      throw error;
    }
  }

  #restore(id: string, before: T | undefined): void {
    if (before === undefined) this.#items.delete(id);
    else this.#items.set(id, before);
  }

  #write(change: () => Promise<void>): Promise<void> {
    const written = this.#lastWrite.then(change);
    this.#lastWrite = written.catch(() => undefined);
    return written;
  }
}
