import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Store } from '../store/index.ts';

export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** All of it in the text form of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** What the service tells Prometheus of itself. */
export function createMetrics(store: Store): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'jeroboam_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'jeroboam_http_request_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const connections = new Gauge({
    name: 'jeroboam_database_connections',
    help: 'Connections to the database, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      connections.set({ state: 'total' }, store.pool.totalCount);
      connections.set({ state: 'idle' }, store.pool.idleCount);
      connections.set({ state: 'waiting' }, store.pool.waitingCount);
    },
  });
  const clusters = new Gauge({
    name: 'jeroboam_clusters',
    help: 'Clusters, by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const rows = await store.pool.query<{ status: string; count: number }>(
        'select status, count(*)::int as count from cluster group by status',
      );
      clusters.reset();
      for (const row of rows.rows) clusters.set({ status: row.status }, row.count);
    },
  });
  return {
    observeRequest(method, route, status, duration) {
      requests.inc({ method, route, status });
      seconds.observe({ method, route }, duration);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
