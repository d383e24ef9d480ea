import type { ScenarioName } from './scenarios.ts';

/** What one scenario did at one size with so many connections. Times per request are in milliseconds. */
export interface Figure {
  scenario: ScenarioName;
  connections: number;
  requests: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p99: number;
  slowest: number;
  /** Bytes of an answer's body, on average. */
  bytes: number;
  /** CPU per request, of each party. */
  cpu: { api: number; postgres: number; sandbox: number; generator: number };
  /** Of the API process afterwards, in bytes. */
  rss: number;
}

export interface SizeResult {
  /** The caller's; others have a tenth as many beside them. */
  clusters: number;
  fillSeconds: number;
  figures: Figure[];
  /** Of the API process, in bytes: when it was ready, after all scenarios, and at most. */
  memory: { ready: number; afterwards: number; peak: number };
}

export interface Result {
  takenAt: string;
  /** Figures compare on one machine only, and only while it does nothing else. */
  machine: { cpu: string; cores: number; node: string; loadBefore: number };
  seconds: number;
  sizes: SizeResult[];
  failures: string[];
}

export const figureOf = (
  result: Result,
  clusters: number,
  scenario: ScenarioName,
  connections: number,
): Figure | undefined =>
  result.sizes
    .find((size) => size.clusters === clusters)
    ?.figures.find((figure) => figure.scenario === scenario && figure.connections === connections);
