import type { SettingName } from './schema.ts';

/** A value as a source gave it, and how that source is named in a complaint. */
export interface Given {
  value: unknown;
  /** `--port`, `JEROBOAM_PORT in the environment`, `port in jeroboam.yaml, line 3`. */
  from: string;
}

/** What one source gives; mistakes of the source itself (names it does not know) are collected beside. */
export interface Source {
  given: Partial<Record<SettingName, Given>>;
  problems: string[];
}
