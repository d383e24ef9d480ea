import { changeVerb, isFailed, isInProgress, statusWhenIdle, type ObservedCluster } from '@jeroboam/domain';
import { driverOf } from '../clusters/driver-of.ts';
import { desiredCluster, lockCluster, recordEvents, type ClusterRow } from '../store/index.ts';
import { differences, isNothing, writeDifferences, type Differences } from './differences.ts';
import { readCluster, readRows, type Rows } from './scope.ts';
import type { StepContext } from './step.ts';
import { removeCluster } from './write.ts';

/**
 * Looks at a cluster on which nothing is under way, and takes over what others did: sizes, addresses, health, whether it
 * is whole. Most looks find nothing new and write nothing.
 */
export async function lookIdle(context: StepContext, clusterUuid: string): Promise<number | null> {
  const { store, drivers, machineEvents } = context;
  const rows = await readCluster(store, clusterUuid);
  if (rows === null) {
    machineEvents.forget(clusterUuid);
    return null;
  }
  // Whoever has the work looks.
  if (rows.queue.length > 0) return null;
  const { cluster, groups } = rows;
  const driver = driverOf(drivers, cluster);
  if (!driver.availability().ready) return null;
  const options = {
    verb: changeVerb(cluster.status),
    nodesToRemove: [],
    maxBatchSize: null,
    working: false,
  };
  const seen = await driver.observeCluster(desiredCluster(cluster, groups), options);
  if (!isNothing(idleDifferences(rows, seen))) await writeIdle(context, clusterUuid, seen);
  await machineEvents.tell(driver, rows);
  return seen.phase === 'IN_PROGRESS' ? (seen.lookAgainMs ?? null) : null;
}

function idleDifferences({ cluster, groups }: Rows, seen: ObservedCluster): Differences {
  const idle = {
    status: cluster.status,
    reason: cluster.status_reason,
    groups: groups.map(({ name, status, status_reason: reason }) => ({ name, status, reason })),
  };
  const after = statusWhenIdle(idle, seen);
  // What the driver refused is not made good by a back end that is as whole as before.
  const kept =
    cluster.refused && after.status !== null
      ? { status: idle.status, reason: idle.reason, groups: [] }
      : after;
  const found = differences({ cluster, groups }, kept, seen, { mirrored: true });
  return kept.status === null ? { ...found, cluster: { status: 'DELETE_COMPLETE' } } : found;
}

/** Compares again under the lock of the row, so that nothing that was accepted meanwhile is overwritten. */
async function writeIdle(context: StepContext, uuid: string, seen: ObservedCluster): Promise<void> {
  const { store, notifications, machineEvents } = context;
  const written = await store.database.transaction().execute(async (transaction) => {
    if (!(await lockCluster(transaction, uuid))) return null;
    const rows = await readRows(transaction, uuid);
    if (rows === null || rows.queue.length > 0) return null;
    const found = idleDifferences(rows, seen);
    if (found.cluster.status === 'DELETE_COMPLETE') {
      await removeCluster(transaction, uuid);
      machineEvents.forget(uuid);
    } else {
      await writeDifferences(transaction, uuid, found);
      await recordEvents(transaction, rows.cluster, found.events);
    }
    return { ...rows, change: found.cluster };
  });
  if (written?.change.status === undefined || isInProgress(written.change.status)) return;
  const cluster: ClusterRow = { ...written.cluster, ...written.change };
  const [verb = 'UPDATE'] = cluster.status.split('_');
  notifications.tell({
    action: verb === 'CREATE' || verb === 'DELETE' ? verb : 'UPDATE',
    outcome: isFailed(cluster.status) ? 'failure' : 'success',
    cluster,
    groups: written.groups,
  });
}
