/** One object of the cloud as it is kept: what it is, which one, and everything known about it. */
export interface StoredObject {
  kind: string;
  id: string;
  data: unknown;
}

/** Where the cloud's objects outlive the process. A promise that resolves means that the change is durable. */
export interface ObjectStore {
  load(): Promise<StoredObject[]>;
  put(kind: string, id: string, data: unknown): Promise<void>;
  delete(kind: string, id: string): Promise<void>;
}

/** Keeps objects for as long as the returned store is referenced: enough for tests, also for those that restart. */
export function memoryObjectStore(): ObjectStore {
  const kinds = new Map<string, Map<string, string>>();
  return {
    async load() {
      return [...kinds].flatMap(([kind, objects]) =>
        [...objects].map(([id, text]) => ({ kind, id, data: JSON.parse(text) as unknown })),
      );
    },
    // Kept as text, so that a caller who later changes the object cannot change what was stored.
    async put(kind, id, data) {
      const objects = kinds.get(kind) ?? new Map<string, string>();
      kinds.set(kind, objects.set(id, JSON.stringify(data)));
    },
    async delete(kind, id) {
      kinds.get(kind)?.delete(id);
    },
  };
}
