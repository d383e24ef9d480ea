import { randomBytes } from 'node:crypto';

import { computeService } from './compute/index.ts';
import { Faults } from './http/faults.ts';
import { buildListener } from './http/listener.ts';
import { RequestLog } from './http/request-log.ts';
import type { Cloud, CloudLogger } from './http/service.ts';
import { seedCatalog } from './identity/catalog.ts';
import { Identity } from './identity/identity.ts';
import { identityService } from './identity/index.ts';
import { seedIdentity } from './identity/seed.ts';
import type { SandboxProject, SandboxUser } from './identity/seed.ts';
import { imageService } from './image/index.ts';
import { networkService } from './network/index.ts';
import { ObjectSpace } from './store/object-space.ts';
import type { ObjectStore } from './store/object-store.ts';
import { SeedBook } from './store/seed-book.ts';
import { volumeService } from './volume/index.ts';

export interface SandboxCloudOptions {
  host: string;
  /** 0 takes any that is free. */
  port: number;
  store: ObjectStore;
  /** Set at every start, so that whoever starts the cloud can always get in. */
  passwords: Record<SandboxUser, string>;
  region?: string;
  tokenLifetimeSeconds?: number;
  logger?: CloudLogger;
  /** The clock, in milliseconds: tests of expiry bring their own. */
  now?: () => number;
}

export interface SandboxCloud {
  /** Where all services answer, without a slash at the end. */
  url: string;
  /** What clients are given as OS_AUTH_URL. */
  identityUrl: string;
  projects: Record<SandboxProject, string>;
  users: Record<SandboxUser, string>;
  /** Makes tests of failure possible: what is injected here hits the next requests that match. */
  faults: Faults;
  /** The latest requests, without anything secret. */
  requests: RequestLog;
  /** Enters the address of the Magnum API into the catalogue (`/v1` is added where it is missing). */
  setContainerInfraUrl(url: string): void;
  close(): Promise<void>;
}

const DEFAULT_LIFETIME_SECONDS = 24 * 60 * 60;
const SILENT: CloudLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Starts the cloud with everything that its store remembers; what was never there is seeded. */
export async function startSandboxCloud(options: SandboxCloudOptions): Promise<SandboxCloud> {
  const objects = await ObjectSpace.load(options.store);
  const logger = options.logger ?? SILENT;
  let url = '';
  const cloud: Cloud = {
    get url() {
      return url;
    },
    region: options.region ?? 'RegionOne',
    objects,
    seeds: new SeedBook(objects, await cloudSalt(objects)),
    logger,
    now: options.now ?? Date.now,
    callerOf: (token) => identity.callerOf(token),
  };
  const identity = await Identity.open(cloud, options.tokenLifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS);
  const people = await seedIdentity(identity.directory, cloud.seeds, options.passwords);

  const services = [
    identityService(identity),
    computeService(cloud, people),
    imageService(cloud, people),
    networkService(cloud, people),
    volumeService(cloud),
  ];
  for (const service of services) await service.seed();
  await seedCatalog(identity.directory, cloud.seeds, cloud.region, [
    ...services.flatMap((service) => service.catalog),
    { type: 'container-infra', name: 'magnum', url: '$(container_infra_url)s' },
  ]);

  const faults = new Faults();
  const requests = new RequestLog();
  const listener = await buildListener({ cloud, services, faults, requests });
  url = reachable(await listener.listen({ host: options.host, port: options.port }));
  logger.info(`sandbox cloud answers at ${url}`);

  return {
    url,
    identityUrl: identity.url,
    ...people,
    faults,
    requests,
    setContainerInfraUrl(address) {
      const trimmed = address.replace(/\/+$/, '');
      identity.containerInfraUrl = trimmed.endsWith('/v1') ? trimmed : `${trimmed}/v1`;
    },
    async close() {
      faults.clear();
      await listener.close();
    },
  };
}

/** What makes the seeded ids of one cloud differ from those of another. */
async function cloudSalt(objects: ObjectSpace): Promise<string> {
  const salts = objects.collection<string>('cloud.salt');
  const kept = salts.get('salt');
  if (kept !== undefined) return kept;
  const salt = randomBytes(16).toString('hex');
  await salts.put('salt', salt);
  return salt;
}

/** A wildcard is an address to listen on, not one to connect to. */
function reachable(address: string): string {
  return address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
