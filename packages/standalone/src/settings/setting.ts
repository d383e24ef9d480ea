import type { Kind } from './kinds.ts';

/** One setting as data: what it is called in each source follows from its name in the schema. */
export interface Setting<T> {
  group: string;
  kind: Kind<T>;
  /** Undefined where nothing is assumed. */
  default?: T;
  /** Said in the help instead of the default, where that depends on something. */
  defaultText?: string;
  description: string;
  /** Its value is never shown, neither in the help nor in a complaint. */
  secret?: boolean;
}

const words = (name: string) => name.replaceAll(/[A-Z]/g, (part) => `_${part.toLowerCase()}`);

/** `dataDir` → `--data-dir`. */
export const flagOf = (name: string) => `--${words(name).replaceAll('_', '-')}`;
/** `dataDir` → `JEROBOAM_DATA_DIR`. */
export const variableOf = (name: string) => `JEROBOAM_${words(name).toUpperCase()}`;
/** `dataDir` → `data_dir`. */
export const keyOf = (name: string) => words(name);

/** A setting that always has a value. */
export function withDefault<T>(setting: Setting<T> & { default: T }): Setting<T> & { default: T } {
  return setting;
}

/** A setting that may be absent. */
export function optional<T>(setting: Omit<Setting<T>, 'default'>): Setting<T> & { default?: undefined } {
  return setting;
}
