import type { AddressInfo } from 'node:net';
import { createHttp } from '@jeroboam/openstack';
import { createVault } from './certificates/vault.ts';
import { createConductor } from './conductor/conductor.ts';
import { createTokenValidator } from './identity/index.ts';
import { serveMetrics, type MetricsListener } from './metrics/listener.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { ServerOptions } from './options.ts';
import { policyCredentials } from './policy/index.ts';
import { createApp } from './rest/app.ts';
import { createPageMaker } from './rest/long-pages.ts';
import type { Services } from './services.ts';
import { migrate, openStore, reportService } from './store/index.ts';

export interface Server {
  /** Starts to answer and to work. */
  listen(): Promise<{ url: string; metricsUrl: string | null }>;
  /** Finishes the requests and steps that run, and stops. */
  close(): Promise<void>;
}

const conductorBinary = 'magnum-conductor';
const defaultHeartbeatMs = 60_000;

/** Puts the service together: store, identity, conductor, API. Nothing listens until `listen`. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { logger } = options;
  const store = openStore({
    ...options.database,
    onPoolError: (error) => logger.warn({ err: error }, 'lost an idle connection to the database'),
  });
  await migrate(store.database);
  const http = createHttp();
  const vault = createVault(store, options.keyRing, {
    rsaKeySize: options.certificates.rsaKeySize,
    ...(options.reloadKeyRing === undefined ? {} : { reloadRing: options.reloadKeyRing }),
  });
  const validator = createTokenValidator({
    keystone: options.keystone,
    http,
    ...(options.keystone.cacheSeconds === undefined ? {} : { cacheSeconds: options.keystone.cacheSeconds }),
    isAdmin: (caller) => options.policy.allows('context_is_admin', policyCredentials(caller), {}),
  });
  const conductor = createConductor({ store, drivers: options.drivers, vault, logger });
  const metrics = createMetrics(store);
  const pages = createPageMaker();
  const services: Services = { options, store, validator, http, vault, metrics, pages };
  const app = createApp(services);

  let heartbeat: NodeJS.Timeout | undefined;
  let metricsListener: MetricsListener | undefined;
  const beat = (): Promise<void> => reportService(store.database, options.hostname, conductorBinary);

  return {
    async listen() {
      await beat();
      heartbeat = setInterval(() => {
        beat().catch((error: unknown) => logger.warn({ err: error }, 'could not report a sign of life'));
      }, options.heartbeatMs ?? defaultHeartbeatMs);
      heartbeat.unref();
      await conductor.start();
      await app.listen({ host: options.api.host, port: options.api.port });
      if (options.metrics !== null) metricsListener = await serveMetrics(metrics, options.metrics);
      const { port } = app.server.address() as AddressInfo;
      const host = options.api.host.includes(':') ? `[${options.api.host}]` : options.api.host;
      return { url: `http://${host}:${port}`, metricsUrl: metricsListener?.url ?? null };
    },
    async close() {
      clearInterval(heartbeat);
      await app.close();
      await metricsListener?.close();
      await conductor.stop();
      await validator.close();
      await store.close();
    },
  };
}
