import { createHash } from 'node:crypto';

import type { Collection } from './collection.ts';
import type { ObjectSpace } from './object-space.ts';

interface SeedRecord {
  sown: string[];
}

/**
 * Remembers which of the first objects were already put into a cloud.
 *
 * An object that a user deleted stays deleted over a restart; one that a newer version brings appears in an old
 * cloud. Ids follow from the cloud's own salt and the object's name, so that a start which was killed half-way
 * writes the same object again and not a second one.
 */
export class SeedBook {
  readonly #records: Collection<SeedRecord>;
  readonly #salt: string;

  constructor(objects: ObjectSpace, salt: string) {
    this.#records = objects.collection<SeedRecord>('seed');
    this.#salt = salt;
  }

  /** A UUID that is always the same for this name in this cloud. */
  id(name: string): string {
    const hex = createHash('sha256').update(`${this.#salt}/${name}`).digest('hex');
    const variant = ((Number.parseInt(hex.charAt(16), 16) % 4) + 8).toString(16);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-');
  }

  /** The same without dashes, as Keystone writes its ids. */
  hexId(name: string): string {
    return this.id(name).replaceAll('-', '');
  }

  /** Runs `sow` for each name of this service that this cloud never had. */
  async sow<T extends { seed: string }>(
    service: string,
    wanted: readonly T[],
    sow: (item: T) => Promise<void>,
  ) {
    const sown = new Set(this.#records.get(service)?.sown);
    const missing = wanted.filter((item) => !sown.has(item.seed));
    if (missing.length === 0) return;
    for (const item of missing) await sow(item);
    await this.#records.put(service, { sown: [...sown, ...missing.map((item) => item.seed)] });
  }
}
