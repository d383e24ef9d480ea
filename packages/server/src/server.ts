import type { AddressInfo } from 'node:net';
import { createHttp } from '@jeroboam/openstack';
import { createVault } from './certificates/vault.ts';
import { createConductor } from './conductor/conductor.ts';
import { createMachineEvents } from './conductor/machine-events.ts';
import { createEventStreams } from './events/streams.ts';
import { createTokenValidator } from './identity/index.ts';
import { serveMetrics, type MetricsListener } from './metrics/listener.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createNotifications } from './notifications/notifications.ts';
import { createWebhook } from './notifications/webhook.ts';
import type { ServerOptions } from './options.ts';
import { policyCredentials } from './policy/index.ts';
import { createApp } from './rest/app.ts';
import { createPageMaker } from './rest/long-pages.ts';
import type { Services } from './services.ts';
import { migrate, openAnnouncements, openQueue, openStore, reportService } from './store/index.ts';

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
  const queue = await openQueue(options.database.connectionString, (error) =>
    logger.warn({ err: error }, 'the queue of work met an error'),
  );
  const announcements = await openAnnouncements(store.pool, (error) =>
    logger.warn({ err: error }, 'lost the announcements of the database; listening again'),
  );
  const webhookUrl = options.notifications?.webhookUrl ?? null;
  const webhook = webhookUrl === null ? null : createWebhook({ url: webhookUrl, logger });
  const notifications = createNotifications({ host: options.hostname, logger, webhook });
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
  const conductor = createConductor({
    store,
    queue,
    announcements,
    drivers: options.drivers,
    vault,
    logger,
    notifications,
    machineEvents: createMachineEvents(store),
    deadlines: options.deadlines ?? {},
    ...(options.stepLimitMs === undefined ? {} : { stepLimitMs: options.stepLimitMs }),
  });
  const eventStreams = createEventStreams(store.pool, announcements);
  const metrics = createMetrics(store);
  const pages = createPageMaker();
  const services: Services = {
    options,
    store,
    validator,
    http,
    vault,
    metrics,
    pages,
    queue,
    eventStreams,
    notifications,
  };
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
      // A reader of events would keep the server from closing.
      eventStreams.close();
      await app.close();
      await metricsListener?.close();
      await conductor.stop();
      webhook?.close();
      announcements.close();
      await queue.close();
      await validator.close();
      await store.close();
    },
  };
}
