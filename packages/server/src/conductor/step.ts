import {
  changeVerb,
  statusAfter,
  statusOf,
  type DriverRegistry,
  type ObservedCluster,
  type Verb,
} from '@jeroboam/domain';
import { sql, type Selectable, type Transaction } from 'kysely';
import type { CertificateVault } from '../certificates/vault.ts';
import { driverOf } from '../clusters/driver-of.ts';
import {
  desiredCluster,
  lockCluster,
  nodeGroupsOf,
  type ClusterRow,
  type NodeGroupRow,
  type OperationTable,
  type Schema,
  type Store,
} from '../store/index.ts';

export interface StepContext {
  store: Store;
  drivers: DriverRegistry;
  vault: CertificateVault;
}

type Operation = Selectable<OperationTable>;

/** Everything a step looks at, read once. */
interface Scope {
  cluster: ClusterRow;
  groups: NodeGroupRow[];
  operation: Operation;
}

const now = (): string => new Date().toISOString();

async function readScope({ store }: StepContext, clusterUuid: string): Promise<Scope | null> {
  const { database, pool } = store;
  const operation = await database
    .selectFrom('operation')
    .selectAll()
    .where('cluster_uuid', '=', clusterUuid)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (operation === undefined) return null;
  const cluster = await database
    .selectFrom('cluster')
    .selectAll()
    .where('uuid', '=', clusterUuid)
    .executeTakeFirst();
  if (cluster === undefined) return null;
  return { cluster, groups: await nodeGroupsOf(pool, clusterUuid), operation };
}

/**
 * Takes the cluster's first operation one step further: begins it, or looks how far it is. Answers after how
 * many milliseconds to come back, or null when there is nothing left to do.
 */
export async function carryOn(context: StepContext, clusterUuid: string): Promise<number | null> {
  const scope = await readScope(context, clusterUuid);
  if (scope === null) return null;
  if (!scope.operation.started) {
    try {
      await begin(context, scope);
    } catch (error) {
      await writeFailure(context, scope, error instanceof Error ? error.message : String(error));
      return 0;
    }
    const mine = await context.store.database
      .updateTable('operation')
      .set({ started: true })
      .where('id', '=', scope.operation.id)
      .executeTakeFirst();
    if (mine.numUpdatedRows === 0n) return 0;
  }
  return look(context, clusterUuid);
}

/** Hands the work to the driver. Called again after a crash, so each part must bear being done twice. */
async function begin(context: StepContext, scope: Scope): Promise<void> {
  const { store, vault, drivers } = context;
  const { operation, groups } = scope;
  let { cluster } = scope;
  const driver = driverOf(drivers, cluster);
  // A cluster that never came to be is created by whatever is asked of it next.
  const creating =
    operation.kind === 'create' || (operation.kind === 'change' && changeVerb(cluster.status) === 'CREATE');
  if (creating) {
    await vault.ensure(cluster);
    if (cluster.stack_id === null) {
      const { stackId } = await driver.prepareCluster(desiredCluster(cluster, groups));
      await store.database
        .updateTable('cluster')
        .set({ stack_id: stackId })
        .where('uuid', '=', cluster.uuid)
        .execute();
      cluster = { ...cluster, stack_id: stackId };
    }
    await driver.createCluster(desiredCluster(cluster, groups));
    await store.database
      .updateTable('nodegroup')
      .set({ stack_id: cluster.stack_id })
      .where('cluster_uuid', '=', cluster.uuid)
      .where('is_default', '=', true)
      .execute();
    return;
  }
  const desired = desiredCluster(cluster, groups);
  if (operation.kind === 'delete') return driver.deleteCluster(desired);
  if (operation.kind === 'rotate-ca') return driver.rotateCaCertificates(desired);
  if (operation.kind === 'rotate-credential') return driver.rotateCredential(desired);
  const verb: Verb = changeVerb(cluster.status);
  const { nodesToRemove = [], maxBatchSize = null } = operation.detail;
  return driver.applyCluster(desired, { verb, nodesToRemove, maxBatchSize });
}

/** Observes and writes what was seen, once. */
async function look(context: StepContext, clusterUuid: string): Promise<number | null> {
  const scope = await readScope(context, clusterUuid);
  if (scope === null) return null;
  const driver = driverOf(context.drivers, scope.cluster);
  const seen = await driver.observeCluster(desiredCluster(scope.cluster, scope.groups));
  const running = seen.phase === 'IN_PROGRESS';
  await inTurn(context, scope, (transaction, last) =>
    writeObserved(transaction, scope, seen, { running, last }),
  );
  return running ? (seen.lookAgainMs ?? null) : 0;
}

/**
 * Runs a write under the lock of the cluster's row, if the operation is still the first one; `last` tells
 * whether nothing else was accepted after it.
 */
async function inTurn(
  { store }: StepContext,
  scope: Scope,
  write: (transaction: Transaction<Schema>, last: boolean) => Promise<void>,
): Promise<void> {
  await store.database.transaction().execute(async (transaction) => {
    if (!(await lockCluster(transaction, scope.cluster.uuid))) return;
    const queued = await transaction
      .selectFrom('operation')
      .select('id')
      .where('cluster_uuid', '=', scope.cluster.uuid)
      .orderBy('id')
      .limit(2)
      .execute();
    if (queued[0]?.id !== scope.operation.id) return;
    await write(transaction, queued.length === 1);
  });
}

async function writeObserved(
  transaction: Transaction<Schema>,
  { cluster, groups, operation }: Scope,
  seen: ObservedCluster,
  { running, last }: { running: boolean; last: boolean },
): Promise<void> {
  const after = statusAfter({ status: cluster.status, groups }, seen);
  if (!running) await transaction.deleteFrom('operation').where('id', '=', operation.id).execute();
  if (after.status === null) {
    await transaction.deleteFrom('cluster').where('uuid', '=', cluster.uuid).execute();
    return;
  }
  // What was accepted meanwhile is still to be done: statuses stay "in progress" until its own turn.
  if (!running && !last) return;
  await transaction
    .updateTable('cluster')
    .set({
      status: after.status,
      status_reason: after.reason,
      api_address: seen.apiAddress ?? cluster.api_address,
      coe_version: seen.coeVersion ?? cluster.coe_version,
      ...(seen.health === undefined
        ? {}
        : { health_status: seen.health.status, health_status_reason: JSON.stringify(seen.health.reason) }),
      updated_at: now(),
    })
    .where('uuid', '=', cluster.uuid)
    .execute();
  for (const group of after.groups) {
    const rows = { cluster: cluster.uuid, name: group.name };
    if (group.status === null) {
      await transaction
        .deleteFrom('nodegroup')
        .where('cluster_uuid', '=', rows.cluster)
        .where('name', '=', rows.name)
        .execute();
      continue;
    }
    await transaction
      .updateTable('nodegroup')
      .set({
        status: group.status,
        status_reason: group.reason,
        updated_at: now(),
        ...(group.addresses === null ? {} : { node_addresses: JSON.stringify(group.addresses) }),
      })
      .where('cluster_uuid', '=', rows.cluster)
      .where('name', '=', rows.name)
      .execute();
  }
}

/** The driver refused to begin: nothing was changed, so what is under way has failed with its words. */
async function writeFailure(context: StepContext, scope: Scope, reason: string): Promise<void> {
  await inTurn(context, scope, async (transaction, last) => {
    const { cluster, operation } = scope;
    await transaction.deleteFrom('operation').where('id', '=', operation.id).execute();
    if (!last) return;
    const verb: Verb = operation.kind === 'delete' ? 'DELETE' : changeVerb(cluster.status);
    await transaction
      .updateTable('cluster')
      .set({ status: statusOf(verb, 'FAILED'), status_reason: reason, updated_at: now() })
      .where('uuid', '=', cluster.uuid)
      .execute();
    // Groups of a cluster whose creation was refused never began; Magnum's clients know them as in progress.
    if (verb === 'CREATE') return;
    await transaction
      .updateTable('nodegroup')
      .set({
        status: sql`replace(status, '_IN_PROGRESS', '_FAILED')`,
        status_reason: reason,
        updated_at: now(),
      })
      .where('cluster_uuid', '=', cluster.uuid)
      .where(sql<boolean>`status like '%\\_IN\\_PROGRESS'`)
      .execute();
  });
}
