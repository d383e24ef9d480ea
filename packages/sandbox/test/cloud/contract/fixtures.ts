import { readdirSync, readFileSync } from 'node:fs';

/**
 * One recorded exchange. `${…}` stands for what differs from cloud to cloud: ids, addresses, passwords;
 * `${any}` and `${number}` for text and numbers that only that one cloud had; `${more}` for the rest of a list.
 */
export interface Step {
  title: string;
  /** Whose token goes with it; none when absent. */
  as?: string;
  service: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Whose token the request is about. */
  subject?: string;
  body?: unknown;
  /** The body was this many zero bytes. */
  octets?: number;
  /** The token that comes back is from now on that of this name. */
  remember?: string;
  answer: { status: number; headers: Record<string, string>; body: unknown };
}

export interface Scenario {
  name: string;
  title: string;
  steps: Step[];
}

/** Recorded from Keystone 30, Nova 34, Neutron 29, Glance 33 and Cinder 29. */
export function loadScenarios(): Scenario[] {
  const folder = new URL('./fixtures/', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Scenario);
}
