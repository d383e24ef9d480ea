import {
  changeVerb,
  type CertifiedKey,
  type ClusterAuthorities,
  type Driver,
  type DriverRegistry,
  type Verb,
} from '@jeroboam/domain';
import type { CaKind } from '../certificates/ca-kind.ts';
import type { CertificateVault } from '../certificates/vault.ts';
import { driverOf } from '../clusters/driver-of.ts';
import { desiredCluster, type ClusterRow, type Store } from '../store/index.ts';
import { readScope, type Operation, type Scope } from './scope.ts';
import { writeFailure, writeSeen } from './write.ts';

export interface StepContext {
  store: Store;
  drivers: DriverRegistry;
  vault: CertificateVault;
}

/** What a driver throws is told to the user; anything else that goes wrong is ours, and is tried again. */
class DriverFailure extends Error {}

async function asDriver<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new DriverFailure(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * Takes the cluster's first operation one step further: begins it, or looks how far it is. Answers after how
 * many milliseconds to come back, or null when there is nothing left to do.
 */
export async function carryOn(context: StepContext, clusterUuid: string): Promise<number | null> {
  const { store } = context;
  const scope = await readScope(store, clusterUuid);
  if (scope === null) return null;
  if (!scope.operation.started) {
    try {
      await begin(context, scope);
    } catch (error) {
      if (!(error instanceof DriverFailure)) throw error;
      await writeFailure(store, scope, error.message);
      return 0;
    }
    await store.database
      .updateTable('operation')
      .set({ started: true })
      .where('id', '=', scope.operation.id)
      .execute();
  }
  return look(context, clusterUuid);
}

/** Hands the work to the driver. Called again after a crash, so each part must bear being done twice. */
async function begin(context: StepContext, scope: Scope): Promise<void> {
  const { cluster, groups, operation, queue } = scope;
  const driver = await asDriver(() => driverOf(context.drivers, cluster));
  // A cluster that never came to be is created by whatever is asked of it next.
  const creating =
    operation.kind === 'create' || (operation.kind === 'change' && changeVerb(cluster.status) === 'CREATE');
  if (creating) return create(context, scope, driver);
  const desired = desiredCluster(cluster, groups);
  if (operation.kind === 'delete') return asDriver(() => driver.deleteCluster(desired));
  if (operation.kind === 'rotate-credential') return asDriver(() => driver.rotateCredential(desired));
  if (operation.kind === 'rotate-ca') {
    const { newCertificates } = operation.detail;
    if (newCertificates !== undefined) await context.vault.prepare(cluster, newCertificates);
    return asDriver(() => driver.rotateCaCertificates(desired));
  }
  const verb: Verb = changeVerb(cluster.status);
  return asDriver(() => driver.applyCluster(desired, { verb, ...hints(queue) }));
}

/** What is desired holds every change accepted so far, so it goes with what was said beside any of them. */
const hints = (queue: readonly Operation[]): { nodesToRemove: string[]; maxBatchSize: number | null } => ({
  nodesToRemove: [...new Set(queue.flatMap(({ detail }) => detail.nodesToRemove ?? []))],
  maxBatchSize: queue.map(({ detail }) => detail.maxBatchSize ?? null).find((size) => size !== null) ?? null,
});

async function create(
  { store, vault }: StepContext,
  { cluster, groups }: Scope,
  driver: Driver,
): Promise<void> {
  await vault.ensure(cluster);
  let { stack_id: stackId } = cluster;
  if (stackId === null) {
    ({ stackId } = await asDriver(() => driver.prepareCluster(desiredCluster(cluster, groups))));
    await store.database
      .updateTable('cluster')
      .set({ stack_id: stackId })
      .where('uuid', '=', cluster.uuid)
      .execute();
  }
  const desired = desiredCluster({ ...cluster, stack_id: stackId }, groups);
  await asDriver(() => driver.createCluster(desired, () => authoritiesOf(vault, cluster)));
  // All that came with the cluster, and only that: Magnum knows no such name for groups that are added later.
  const uuids = groups.map((group) => group.uuid);
  await store.database
    .updateTable('nodegroup')
    .set({ stack_id: stackId })
    .where('uuid', 'in', uuids)
    .execute();
}

async function authoritiesOf(vault: CertificateVault, cluster: ClusterRow): Promise<ClusterAuthorities> {
  const pair = async (kind: CaKind): Promise<CertifiedKey> => {
    const { certificatePem, privateKeyPem } = await vault.authority(cluster, kind);
    return { certificate: certificatePem, privateKey: privateKeyPem };
  };
  return {
    kubernetes: await pair('kubernetes'),
    etcd: await pair('etcd'),
    frontProxy: await pair('front_proxy'),
  };
}

/** Observes, and writes what was seen. */
async function look({ store, drivers }: StepContext, clusterUuid: string): Promise<number | null> {
  const scope = await readScope(store, clusterUuid);
  if (scope === null) return null;
  // Deleting may have taken the place of the operation that was begun: it must be begun itself, not looked at.
  if (!scope.operation.started) return 0;
  const driver = driverOf(drivers, scope.cluster);
  const options = { verb: changeVerb(scope.cluster.status), ...hints(scope.queue), working: true };
  const seen = await driver.observeCluster(desiredCluster(scope.cluster, scope.groups), options);
  await writeSeen(store, scope, seen);
  return seen.phase === 'IN_PROGRESS' ? (seen.lookAgainMs ?? null) : 0;
}
