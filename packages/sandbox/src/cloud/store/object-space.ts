import { Collection } from './collection.ts';
import type { ObjectStore } from './object-store.ts';

/** Everything the cloud remembers, by kind. Each service asks for the kinds it owns, once, at start. */
export class ObjectSpace {
  readonly #store: ObjectStore;
  readonly #loaded: Map<string, Map<string, unknown>>;

  private constructor(store: ObjectStore, loaded: Map<string, Map<string, unknown>>) {
    this.#store = store;
    this.#loaded = loaded;
  }

  static async load(store: ObjectStore): Promise<ObjectSpace> {
    const loaded = new Map<string, Map<string, unknown>>();
    for (const { kind, id, data } of await store.load()) {
      const items = loaded.get(kind) ?? new Map<string, unknown>();
      loaded.set(kind, items.set(id, data));
    }
    return new ObjectSpace(store, loaded);
  }

  /** The type is the owner's word: only the service that wrote a kind reads it back. */
  collection<T>(kind: string): Collection<T> {
    const items = (this.#loaded.get(kind) ?? new Map<string, unknown>()) as Map<string, T>;
    this.#loaded.delete(kind);
    return new Collection<T>(kind, this.#store, items);
  }
}
