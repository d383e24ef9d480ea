import { readFile } from 'node:fs/promises';
import os from 'node:os';

import { DriverRegistry } from '@jeroboam/domain';
import { sessionForCredentials } from '@jeroboam/openstack';
import type { ObjectStore } from '@jeroboam/sandbox';
import { SimulatedDriver, simulatedCloud } from '@jeroboam/sandbox';
import type { Policy, ServerOptions } from '@jeroboam/server';
import { compilePolicy, loadOrCreateKeyFile, PolicyError, SealingError } from '@jeroboam/server';
import type { Logger } from 'pino';

import type { Settings } from './settings/index.ts';
import { messageOf, StartError } from './start-error.ts';

/** The identity service that answers for this start, real or sandbox, and who we are there. */
export type KeystoneAccess = ServerOptions['keystone'];

/** What the settings say about the server, turned into what the server takes. */
export async function serverOptions(parts: {
  settings: Settings;
  connectionString: string;
  keystone: KeystoneAccess;
  /** Where simulated clusters are kept. */
  store: ObjectStore;
  defaultSealingKeys: string;
  metricsPort: number;
  logger: Logger;
}): Promise<ServerOptions> {
  const { settings, keystone, logger } = parts;
  const sealingKeys = settings.sealingKeyFile ?? parts.defaultSealingKeys;
  return {
    database: { connectionString: parts.connectionString },
    keystone,
    drivers: await drivers(settings, keystone, parts.store),
    policy: await policy(settings, logger),
    keyRing: await keyRing(sealingKeys),
    reloadKeyRing: () => keyRing(sealingKeys),
    api: {
      host: settings.host,
      port: settings.port,
      publicUrl: settings.publicUrl ?? null,
      maxLimit: settings.apiMaxLimit,
      bodyLimit: settings.bodyLimit,
      trustProxyHeaders: settings.trustProxyHeaders,
    },
    metrics: settings.metrics ? { host: settings.metricsHost, port: parts.metricsPort } : null,
    maxClustersPerProject: settings.maxClustersPerProject,
    networkDrivers: { allowed: settings.networkDriverAllowed, default: settings.networkDriverDefault },
    defaultBootVolumeSize: settings.defaultBootVolumeSize,
    certificates: {
      rsaKeySize: settings.x509RsaKeySize,
      signing: {
        allowCa: settings.x509AllowCa,
        allowedExtensions: settings.x509AllowedExtensions,
        allowedKeyUsage: settings.x509AllowedKeyUsage,
        termOfValidityDays: settings.x509TermDays,
      },
      forProjectMembers: settings.certificatesForProjectMembers,
    },
    logger,
    hostname: os.hostname(),
  };
}

/**
 * The simulated driver twice: under the name that the recordings of the real service expect, with control planes
 * that can be resized, and once more with control planes that cannot. The second is only used by name.
 */
async function drivers(
  settings: Settings,
  keystone: KeystoneAccess,
  store: ObjectStore,
): Promise<DriverRegistry> {
  const session = sessionForCredentials(
    keystone.authUrl,
    { kind: 'password', ...keystone },
    { region: keystone.region ?? null, interface: keystone.interface ?? 'public' },
  );
  const common = { store, cloud: simulatedCloud(session), delayMs: settings.simulatedDriverDelay };
  const all = [
    await SimulatedDriver.open({ ...common, name: 'k8s_capi_helm_v1' }),
    await SimulatedDriver.open({
      ...common,
      name: 'simulated_fixed_control_plane',
      capabilities: { controlPlaneResize: false, rotateCaCertificates: true },
      provides: [],
    }),
  ];
  try {
    return new DriverRegistry(all, { defaultDriver: settings.defaultDriver ?? null });
  } catch (error) {
    throw new StartError(`default_driver: ${messageOf(error)}`);
  }
}

async function policy(settings: Settings, logger: Logger): Promise<Policy> {
  if (settings.policyFile === undefined) return compilePolicy();
  const file = settings.policyFile;
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`policy_file: the file ${file} cannot be read: ${messageOf(error)}`);
  });
  try {
    const compiled = compilePolicy({ file, text });
    for (const warning of compiled.warnings) logger.warn(warning);
    return compiled;
  } catch (error) {
    if (error instanceof PolicyError) throw new StartError(error.message);
    throw error;
  }
}

async function keyRing(file: string): Promise<ServerOptions['keyRing']> {
  try {
    return await loadOrCreateKeyFile(file);
  } catch (error) {
    if (error instanceof SealingError) throw new StartError(error.message);
    throw error;
  }
}
