import {
  changeVerb,
  type CertifiedKey,
  type ClusterAuthorities,
  type Driver,
  type DriverRegistry,
} from '@jeroboam/domain';
import type { CaKind } from '../certificates/ca-kind.ts';
import type { CertificateVault } from '../certificates/vault.ts';
import { driverOf } from '../clusters/driver-of.ts';
import type { Notifications } from '../notifications/notifications.ts';
import type { Deadlines } from '../options.ts';
import { desiredCluster, operationEvent, recordEvents, type ClusterRow } from '../store/index.ts';
import { fenced, LostClaim, type Claim, type Claims } from './claims.ts';
import { deadlineOf, overdueReason, untilDeadline } from './deadline.ts';
import type { MachineEvents } from './machine-events.ts';
import { readScope, type Operation, type Scope } from './scope.ts';
import { verbOf, writeFailure, writeSeen, writeWaiting, type Outcome } from './write.ts';

export interface StepContext extends Claims {
  drivers: DriverRegistry;
  vault: CertificateVault;
  deadlines: Deadlines;
  notifications: Notifications;
  machineEvents: MachineEvents;
}

/** `wait`: to be continued, at the latest after so many milliseconds; null: when something is heard. */
export type StepResult = { kind: 'done' } | { kind: 'lost' } | { kind: 'wait'; ms: number | null };

const done: StepResult = { kind: 'done' };
/** A driver tells when it can work again; this is for one that forgets to. */
const notReadyMs = 30_000;

/** What a driver throws is told to the user; anything else that goes wrong is ours, and is tried again. */
class DriverFailure extends Error {}

async function asDriver<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new DriverFailure(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Takes a claimed operation one step further: begins it, or looks how far it is. */
export async function carryOn(context: StepContext, claim: Claim): Promise<StepResult> {
  try {
    const scope = await readClaimed(context, claim);
    const waiting = await waitForDriver(context, claim, scope);
    if (waiting !== null) return waiting;
    if (!scope.operation.started) {
      const refusal = await begin(context, claim, scope);
      if (refusal !== null) {
        const outcome = await writeFailure(context, claim, scope, refusal, { refused: true });
        notify(context, scope, outcome);
        return done;
      }
    }
    return await look(context, claim);
  } catch (error) {
    if (error instanceof LostClaim) return { kind: 'lost' };
    throw error;
  }
}

async function readClaimed({ store }: StepContext, claim: Claim): Promise<Scope> {
  const scope = await readScope(store, claim.cluster);
  if (scope?.operation.id !== claim.operation || scope.operation.attempt !== claim.attempt)
    throw new LostClaim(`nothing of the operation ${claim.operation} is left to do`);
  return scope;
}

/** A driver that is not there any more is a failure of the operation, and met where that begins. */
async function waitForDriver(context: StepContext, claim: Claim, scope: Scope): Promise<StepResult | null> {
  let driver: Driver;
  try {
    driver = driverOf(context.drivers, scope.cluster);
  } catch {
    return null;
  }
  const availability = driver.availability();
  if (availability.ready) return null;
  await writeWaiting(context, claim, scope, availability.reason);
  return { kind: 'wait', ms: notReadyMs };
}

/** Begins an operation; answers the driver's words if it refuses. */
async function begin(context: StepContext, claim: Claim, scope: Scope): Promise<string | null> {
  try {
    await handOver(context, claim, scope);
  } catch (error) {
    if (error instanceof DriverFailure) return error.message;
    throw error;
  }
  const deadline = deadlineOf(scope, context.deadlines, Date.now());
  await fenced(context.store, claim, async (transaction) => {
    await transaction
      .updateTable('operation')
      .set({ started: true, deadline })
      .where('id', '=', claim.operation)
      .execute();
    await recordEvents(transaction, scope.cluster, [operationEvent(scope.operation, 'Began')]);
  });
  return null;
}

/** Hands the work to the driver. Called again after a crash, so each part must bear being done twice. */
async function handOver(context: StepContext, claim: Claim, scope: Scope): Promise<void> {
  const { cluster, groups, operation, queue } = scope;
  const driver = await asDriver(() => driverOf(context.drivers, cluster));
  const verb = changeVerb(cluster.status);
  // A cluster that never came to be is created by whatever is asked of it next.
  const creating = operation.kind === 'create' || (operation.kind === 'change' && verb === 'CREATE');
  if (creating) return create(context, claim, scope, driver);
  const desired = desiredCluster(cluster, groups);
  if (operation.kind === 'delete') return asDriver(() => driver.deleteCluster(desired));
  if (operation.kind === 'rotate-credential') return asDriver(() => driver.rotateCredential(desired));
  if (operation.kind === 'rotate-ca') {
    const { newCertificates } = operation.detail;
    if (newCertificates !== undefined) await context.vault.prepare(cluster, newCertificates);
    return asDriver(() => driver.rotateCaCertificates(desired));
  }
  return asDriver(() => driver.applyCluster(desired, { verb, ...hints(queue) }));
}

/** What is desired holds every change accepted so far, so it goes with what was said beside any of them. */
const hints = (queue: readonly Operation[]): { nodesToRemove: string[]; maxBatchSize: number | null } => ({
  nodesToRemove: [...new Set(queue.flatMap(({ detail }) => detail.nodesToRemove ?? []))],
  maxBatchSize: queue.map(({ detail }) => detail.maxBatchSize ?? null).find((size) => size !== null) ?? null,
});

async function create(
  { store, vault }: StepContext,
  claim: Claim,
  { cluster, groups }: Scope,
  driver: Driver,
): Promise<void> {
  await vault.ensure(cluster);
  let { stack_id: stackId } = cluster;
  if (stackId === null) {
    ({ stackId } = await asDriver(() => driver.prepareCluster(desiredCluster(cluster, groups))));
    await fenced(store, claim, (transaction) =>
      transaction
        .updateTable('cluster')
        .set({ stack_id: stackId })
        .where('uuid', '=', cluster.uuid)
        .execute(),
    );
  }
  const desired = desiredCluster({ ...cluster, stack_id: stackId }, groups);
  await asDriver(() => driver.createCluster(desired, () => authoritiesOf(vault, cluster)));
  // All that came with the cluster, and only that: Magnum knows no such name for groups that are added later.
  const uuids = groups.map((group) => group.uuid);
  await fenced(store, claim, (transaction) =>
    transaction.updateTable('nodegroup').set({ stack_id: stackId }).where('uuid', 'in', uuids).execute(),
  );
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
async function look(context: StepContext, claim: Claim): Promise<StepResult> {
  const scope = await readClaimed(context, claim);
  const { cluster, groups, queue } = scope;
  const driver = driverOf(context.drivers, cluster);
  const options = { verb: verbOf(scope), ...hints(queue), working: true };
  const seen = await driver.observeCluster(desiredCluster(cluster, groups), options);
  const left = untilDeadline(scope, Date.now());
  if (seen.phase === 'IN_PROGRESS' && left !== null && left <= 0) {
    const reason = overdueReason(scope, seen.reason ?? cluster.status_reason, Date.now());
    notify(context, scope, await writeFailure(context, claim, scope, reason, { refused: false }));
    return done;
  }
  const outcome = await writeSeen(context, claim, scope, seen);
  if (outcome !== null) await context.machineEvents.tell(driver, scope);
  else context.machineEvents.forget(cluster.uuid);
  if (seen.phase !== 'IN_PROGRESS') {
    notify(context, scope, outcome);
    return done;
  }
  const times = [seen.lookAgainMs, left].filter((ms) => typeof ms === 'number');
  return { kind: 'wait', ms: times.length === 0 ? null : Math.min(...times) };
}

/** What ended is told to those who watch all clusters; while more is to be done, nothing has ended. */
function notify({ notifications }: StepContext, scope: Scope, outcome: Outcome): void {
  const { cluster, groups } = scope;
  if (outcome !== null && outcome.status === undefined) return;
  const action = verbOf(scope);
  const after = { ...cluster, ...outcome };
  const succeeded = outcome === null || after.status.endsWith('_COMPLETE');
  notifications.tell({ action, outcome: succeeded ? 'success' : 'failure', cluster: after, groups });
}
