import type { DesiredCluster, ObservedCluster, ObserveOptions } from '@jeroboam/domain';
import { ClusterApiDriver } from '../../src/driver.ts';
import { inMemoryInfrastructure } from '../../src/infrastructure/in-memory.ts';
import { managementClusterOfThisRun } from '../../../sandbox/test/support/management-cluster.ts';

/** A driver on the management cluster of this run. */
export function openDriver(): ClusterApiDriver {
  const management = managementClusterOfThisRun();
  return new ClusterApiDriver({
    name: 'k8s_cluster_api_v1',
    infrastructure: inMemoryInfrastructure({ machine: '1s' }),
    access: management.access,
    openEndpoint: (port) => management.openEndpoint(port),
    imageVersion: () => Promise.resolve(null),
  });
}

export const asked: ObserveOptions = { verb: 'UPDATE', nodesToRemove: [], maxBatchSize: null, working: true };

/** Looks each time the driver tells of a change, as the conductor does, until nothing is in progress any more. */
export async function settled(
  driver: ClusterApiDriver,
  cluster: DesiredCluster,
  options: Partial<ObserveOptions> = {},
  seen: (observed: ObservedCluster) => void = () => undefined,
): Promise<ObservedCluster> {
  const limit = Date.now() + 240_000;
  let told = (): void => undefined;
  const end = driver.watch((uuid) => {
    if (uuid === null || uuid === cluster.uuid) told();
  });
  try {
    for (;;) {
      const change = new Promise<void>((resolve) => {
        told = resolve;
      });
      const observed = await driver.observeCluster(cluster, { ...asked, ...options });
      seen(observed);
      if (observed.phase !== 'IN_PROGRESS') return observed;
      const left = limit - Date.now();
      if (left < 0) throw new Error(`still in progress: ${observed.reason ?? ''}`);
      await within(change, left);
    }
  } finally {
    end();
  }
}

async function within(change: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([change, late]);
  clearTimeout(timer);
}
