/** What the load generator is told to do. */
export interface Job {
  host: string;
  port: number;
  /** Whole HTTP requests; they take turns. */
  requests: string[];
  status: number;
  connections: number;
  warmUpSeconds: number;
  seconds: number;
}

export interface Measured {
  requests: number;
  seconds: number;
  bytes: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
  /** Seconds of CPU that the generator itself used. */
  cpuSeconds: number;
  failures: number;
  firstFailure: string | null;
}

export type ToGenerator = { kind: 'prepare'; job: Job } | { kind: 'go' };
export type FromGenerator = { kind: 'warm' } | { kind: 'measured'; measured: Measured };
