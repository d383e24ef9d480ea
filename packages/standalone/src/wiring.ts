import { readFile } from 'node:fs/promises';
import os from 'node:os';

import type { DriverRegistry } from '@jeroboam/domain';
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
  drivers: DriverRegistry;
  defaultSealingKeys: string;
  metricsPort: number;
  logger: Logger;
}): Promise<ServerOptions> {
  const { settings, keystone, logger } = parts;
  const sealingKeys = settings.sealingKeyFile ?? parts.defaultSealingKeys;
  return {
    database: { connectionString: parts.connectionString },
    keystone,
    drivers: parts.drivers,
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
