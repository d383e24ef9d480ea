import type { ClusterType, Driver } from './driver.ts';
import { Fault } from './faults.ts';

/** The drivers of a service, and which of them makes a given cluster. */
export class DriverRegistry {
  readonly #byName: ReadonlyMap<string, Driver>;
  readonly #byAlias: ReadonlyMap<string, Driver>;
  readonly #defaultName: string | null;

  /** `aliases`: further names that a driver answers to, each with the driver's own; an own name goes before an alias. */
  constructor(
    drivers: readonly Driver[],
    options: { defaultDriver?: string | null; aliases?: Readonly<Record<string, string>> } = {},
  ) {
    this.#byName = new Map(drivers.map((driver) => [driver.name, driver]));
    this.#byAlias = new Map(
      Object.entries(options.aliases ?? {}).map(([alias, name]) => [alias, this.#own(name)]),
    );
    this.#defaultName = options.defaultDriver ?? null;
    if (this.#defaultName !== null && this.#find(this.#defaultName) === undefined) {
      const known = [...this.#byName.keys(), ...this.#byAlias.keys()].join(', ');
      throw new Error(`default driver "${this.#defaultName}" is not one of: ${known}`);
    }
  }

  #own(name: string): Driver {
    const driver = this.#byName.get(name);
    if (driver === undefined)
      throw new Error(`an alias of the driver "${name}" is given, which is not there`);
    return driver;
  }

  #find(name: string): Driver | undefined {
    return this.#byName.get(name) ?? this.#byAlias.get(name);
  }

  /** Their own names, each driver once. */
  get names(): string[] {
    return [...this.#byName.keys()].toSorted();
  }

  /** The driver that answers to this name; the refusal is Magnum's. */
  named(name: string): Driver {
    const driver = this.#find(name);
    if (driver === undefined) {
      throw new Fault('not_supported', `Cluster driver (${name}) not supported.`, { field: 'driver' });
    }
    return driver;
  }

  /**
   * The driver name of a new template: asked for, else the image's, else configured, else the first by name. Who asked by
   * an alias is answered with it; everybody else with the driver's own name.
   */
  nameForTemplate(requested: string | null, imageProperty: string | null): string {
    const name = requested ?? imageProperty ?? this.#defaultName ?? this.names[0];
    const driver = this.named(name ?? '');
    return requested ?? driver.name;
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
    return (name === null ? undefined : this.#find(name)) ?? this.providing(type);
  }
}
