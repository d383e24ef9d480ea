import { postgresObjectStore } from '@jeroboam/sandbox';
import { createServer } from '@jeroboam/server';
import { Pool } from 'pg';
import type { Logger } from 'pino';

import type { CloudUser } from './clouds.ts';
import { cloudUsers, renderClouds } from './clouds.ts';
import type { DataDirectory } from './data-directory.ts';
import { openDataDirectory, writePrivateFile } from './data-directory.ts';
import { openDatabase } from './database.ts';
import { openLog } from './logging/logger.ts';
import { openDrivers } from './drivers.ts';
import { lockInstance } from './process/instance-lock.ts';
import { describeManagement, planManagement } from './management.ts';
import { preferPort, requirePort } from './process/ports.ts';
import { openSandbox, sandboxRegion } from './sandbox.ts';
import type { Passwords } from './secrets.ts';
import { loadOrDrawPasswords } from './secrets.ts';
import type { Settings } from './settings/index.ts';
import { StartError } from './start-error.ts';
import { Unwinding, within } from './unwinding.ts';
import type { KeystoneAccess } from './wiring.ts';
import { serverOptions } from './wiring.ts';

/** A service that answers, and what its users need to know. */
export interface RunningService {
  url: string;
  /** What clients are given as OS_AUTH_URL. */
  authUrl: string;
  metricsUrl: string | null;
  /** Null where a real cloud is used, whose users we do not know. */
  sandboxUrl: string | null;
  /** What makes clusters; null where nobody asked for more than simulated ones. */
  managementCluster: string | null;
  cloudsFile: string | null;
  users: readonly (CloudUser & { password: string })[];
  dataDir: string;
  logFile: string | null;
  logger: Logger;
  /** Called once if the service cannot go on; it should then be closed. */
  onFatal(listener: (reason: string) => void): void;
  /** Finishes running requests, for as long as the settings allow, and takes everything down. */
  close(): Promise<void>;
}

/** Puts up database, cloud and API in this order; what was put up comes down again where a later part fails. */
export async function startService(settings: Settings): Promise<RunningService> {
  const directory = await openDataDirectory(settings.dataDir);
  const log = openLog(settings, directory.log);
  const unwinding = new Unwinding();
  try {
    const started = await putUp(settings, directory, log.logger, unwinding);
    let closing: Promise<void> | undefined;
    const close = async () => {
      log.logger.info('stopping');
      for (const failure of await unwinding.run()) log.logger.warn(failure);
      log.logger.info('stopped');
      log.close();
    };
    log.logger.info({ url: started.url }, 'the service answers');
    return {
      ...started,
      dataDir: directory.path,
      logFile: log.file,
      logger: log.logger,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await unwinding.run();
    log.close();
    throw error;
  }
}

type Started = Omit<RunningService, 'dataDir' | 'logFile' | 'logger' | 'close'>;

async function putUp(
  settings: Settings,
  directory: DataDirectory,
  logger: Logger,
  unwinding: Unwinding,
): Promise<Started> {
  let tellFatal: (reason: string) => void = (reason) => logger.fatal(reason);
  const isSandbox = settings.keystoneAuthUrl === undefined;
  const database = await openDatabase(settings, directory.postgres, logger);
  const { connectionString } = database;
  let alone = false;
  unwinding.add('PostgreSQL', async () => (alone ? await database.stop?.() : database.release()));

  // Servers of one real cloud share a database; an embedded one and a sandbox cloud's state belong to one process.
  if (settings.databaseUrl === undefined || isSandbox) {
    const lock = await lockInstance({
      connectionString,
      stoppingPatienceMs: settings.shutdownTimeout,
      onLost: (reason) => tellFatal(reason),
    });
    unwinding.add('the lock', () => lock.release());
    unwinding.add('the announcement', () => lock.announceStop());
  }
  alone = true;
  await requirePort('the API', '--port', settings.host, settings.port);

  const pool = new Pool({ connectionString, max: 4, connectionTimeoutMillis: 10_000 });
  pool.on('error', (error) => logger.warn({ err: error }, 'lost an idle connection to the database'));
  unwinding.add("the sandbox cloud's connections", () => pool.end());
  const store = await postgresObjectStore(pool);

  const passwords = isSandbox ? await loadOrDrawPasswords(directory.secrets) : undefined;
  const cloud = passwords && (await openSandbox({ settings, store, passwords, logger }));
  if (cloud !== undefined) unwinding.add('the sandbox cloud', () => cloud.close());
  const keystone = keystoneAccess(settings, cloud?.identityUrl, passwords);

  const plan = await planManagement(settings);
  const drivers = await openDrivers({
    settings,
    plan,
    directory: directory.managementCluster,
    keystone,
    store,
    logger,
  });
  unwinding.add('the management cluster', async () => {
    if (await within(settings.shutdownTimeout, drivers.close())) return;
    throw new StartError('it had not ended after the shutdown timeout', 1);
  });

  const options = await serverOptions({
    settings,
    connectionString,
    keystone,
    drivers: drivers.registry,
    defaultSealingKeys: directory.sealingKeys,
    metricsPort: await metricsPort(settings),
    logger,
  });
  const server = await createServer(options);
  unwinding.add('the API', async () => {
    if (await within(settings.shutdownTimeout, server.close())) return;
    throw new StartError('requests were still running after the shutdown timeout', 1);
  });
  const { url, metricsUrl } = await server.listen();

  const address = reachable(url);
  if (cloud !== undefined && passwords !== undefined) {
    cloud.setContainerInfraUrl(settings.publicUrl ?? address);
    const clouds = renderClouds({ authUrl: cloud.identityUrl, region: sandboxRegion, passwords });
    await writePrivateFile(directory.clouds, clouds);
  }
  return {
    url: address,
    authUrl: keystone.authUrl,
    metricsUrl,
    sandboxUrl: cloud?.url ?? null,
    managementCluster: describeManagement(plan, directory.managementCluster),
    cloudsFile: cloud === undefined ? null : directory.clouds,
    users: passwords ? cloudUsers.map((user) => ({ ...user, password: passwords[user.username] })) : [],
    onFatal: (listener) => (tellFatal = listener),
  };
}

function keystoneAccess(
  settings: Settings,
  sandboxUrl: string | undefined,
  passwords: Passwords | undefined,
): KeystoneAccess {
  return {
    authUrl: sandboxUrl ?? settings.keystoneAuthUrl ?? '',
    username: sandboxUrl === undefined ? settings.keystoneUsername : 'jeroboam',
    password: passwords?.jeroboam ?? settings.keystonePassword ?? '',
    userDomainName: sandboxUrl === undefined ? settings.keystoneUserDomain : 'Default',
    projectName: sandboxUrl === undefined ? settings.keystoneProject : 'service',
    projectDomainName: sandboxUrl === undefined ? settings.keystoneProjectDomain : 'Default',
    ...(settings.keystoneRegion === undefined ? {} : { region: settings.keystoneRegion }),
    interface: settings.keystoneInterface,
    cacheSeconds: settings.tokenCacheTime / 1_000,
  };
}

async function metricsPort(settings: Settings): Promise<number> {
  const { metrics, metricsHost, metricsPort: wanted, port } = settings;
  if (!metrics) return 0;
  if (wanted === undefined) return preferPort(metricsHost, port === 0 ? 0 : port + 2);
  await requirePort('the metrics', '--metrics-port', metricsHost, wanted);
  return wanted;
}

/** A wildcard is an address to listen on, not one to connect to. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
