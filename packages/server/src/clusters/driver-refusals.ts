import { isFault, type DesiredChange, type Driver, type Fault } from '@jeroboam/domain';
import type { Services } from '../services.ts';
import { desiredCluster, nodeGroupsOf, type ClusterRow, type NodeGroupRow } from '../store/index.ts';
import { driverOf } from './driver-of.ts';

/** A back end that is slow to try a change must not keep the client waiting: the change is then tried for real. */
const limitMs = 10_000;

/**
 * What the driver and its back end would refuse a change for, before it is accepted. While they cannot be asked nothing
 * is refused: the work waits, and what is wrong with it shows in its status.
 */
export async function driverRefusals(
  { options: { logger } }: Services,
  driver: Driver,
  change: DesiredChange,
): Promise<readonly Fault[]> {
  if (!driver.availability().ready) return [];
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([driver.refusals(change), limit]);
  } catch (error) {
    if (isFault(error)) return [error];
    const cluster = change.after.uuid;
    logger.warn({ err: error, cluster }, 'the driver could not try a change before it is accepted');
    return [];
  } finally {
    clearTimeout(timer);
  }
}

/** The same for a change of one group of a cluster. */
export async function groupRefusals(
  services: Services,
  cluster: ClusterRow,
  group: Pick<NodeGroupRow, 'uuid'>,
  change: Partial<NodeGroupRow>,
  nodesToRemove: readonly string[] = [],
): Promise<readonly Fault[]> {
  const { options, store } = services;
  const groups = await nodeGroupsOf(store.pool, cluster.uuid);
  const after = groups.map((each) => (each.uuid === group.uuid ? { ...each, ...change } : each));
  return driverRefusals(services, driverOf(options.drivers, cluster), {
    before: desiredCluster(cluster, groups),
    after: desiredCluster(cluster, after),
    nodesToRemove,
  });
}
