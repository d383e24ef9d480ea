import type { Labels, Parsed } from '@jeroboam/domain';

/**
 * Reads a parsed body by the kinds of its attributes. The table that parsed it vouches for the kinds; null and
 * absent alike are null here, and who must tell them apart asks `has`.
 */
export class Given {
  readonly #parsed: Parsed;

  constructor(parsed: Parsed) {
    this.#parsed = parsed;
  }

  /** Whether the body carried it, be it null. */
  has(name: string): boolean {
    return Object.hasOwn(this.#parsed, name);
  }

  /** The names of all that was given a value. */
  names(): ReadonlySet<string> {
    return new Set(Object.keys(this.#parsed).filter((name) => this.#parsed[name] !== null));
  }

  text(name: string): string | null {
    return (this.#parsed[name] as string | null | undefined) ?? null;
  }

  number(name: string): number | null {
    return (this.#parsed[name] as number | null | undefined) ?? null;
  }

  flag(name: string): boolean | null {
    return (this.#parsed[name] as boolean | null | undefined) ?? null;
  }

  labels(name: string): Labels | null {
    return (this.#parsed[name] as Labels | null | undefined) ?? null;
  }

  texts(name: string): string[] | null {
    return (this.#parsed[name] as string[] | null | undefined) ?? null;
  }
}
