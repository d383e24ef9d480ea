import type { ClusterType, Driver } from './driver.ts';
import { Fault } from './faults.ts';

/** The drivers of a service, and which of them makes a given cluster. */
export class DriverRegistry {
  readonly #byName: ReadonlyMap<string, Driver>;
  readonly #defaultName: string | null;

  constructor(drivers: readonly Driver[], options: { defaultDriver?: string | null } = {}) {
    this.#byName = new Map(drivers.map((driver) => [driver.name, driver]));
    this.#defaultName = options.defaultDriver ?? null;
    if (this.#defaultName !== null && !this.#byName.has(this.#defaultName)) {
      throw new Error(
        `default driver "${this.#defaultName}" is not one of: ${[...this.#byName.keys()].join(', ')}`,
      );
    }
  }

  get names(): string[] {
    return [...this.#byName.keys()].toSorted();
  }

  /** The driver of this name; the refusal is Magnum's. */
  named(name: string): Driver {
    const driver = this.#byName.get(name);
    if (driver === undefined) {
      throw new Fault('not_supported', `Cluster driver (${name}) not supported.`, { field: 'driver' });
    }
    return driver;
  }

  /** The driver name of a new template: asked for, else the image's, else configured, else the first by name. */
  nameForTemplate(requested: string | null, imageProperty: string | null): string {
    const name = requested ?? imageProperty ?? this.#defaultName ?? this.names[0];
    return this.named(name ?? '').name;
  }

  /** The driver that provides a kind of cluster, for templates that name none. */
  providing(type: ClusterType): Driver {
    for (const driver of this.#byName.values()) {
      if (
        driver.provides.some(
          (own) => own.serverType === type.serverType && own.os === type.os && own.coe === type.coe,
        )
      ) {
        return driver;
      }
    }
    const tuple = (own: ClusterType): string => `('${own.serverType}', '${own.os}', '${own.coe}')`;
    const supported = [...this.#byName.values()].flatMap((driver) => driver.provides.map(tuple)).join(', ');
    throw new Fault(
      'not_supported',
      `Cluster type ${tuple(type)} is not supported by any loaded cluster driver. Loaded drivers support: ${supported}.`,
    );
  }

  /** The driver of an existing cluster: the one it names, while that is still there. */
  forCluster(name: string | null, type: ClusterType): Driver {
    return name !== null && this.#byName.has(name) ? this.named(name) : this.providing(type);
  }
}
