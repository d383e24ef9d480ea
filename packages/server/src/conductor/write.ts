import {
  changeVerb,
  isInProgress,
  statusAfter,
  statusOf,
  type ObservedCluster,
  type Verb,
} from '@jeroboam/domain';
import type { Transaction } from 'kysely';
import {
  announceEvents,
  deleteCertificates,
  operationEvent,
  recordEvents,
  replaceCertificates,
  type ClusterRow,
  type Schema,
} from '../store/index.ts';
import { fenced, type Claim, type Claims } from './claims.ts';
import { differences, writeDifferences, type Differences } from './differences.ts';
import type { Scope } from './scope.ts';

/** What a write made of a cluster; null: it is gone. */
export type Outcome = Partial<ClusterRow> | null;

/** The verb under which an operation runs. */
export const verbOf = ({ operation, cluster }: Pick<Scope, 'operation' | 'cluster'>): Verb =>
  operation.kind === 'delete' ? 'DELETE' : changeVerb(cluster.status);

/** Writes what the driver saw, once. What is not in progress any more leaves the queue. */
export function writeSeen(
  claims: Claims,
  claim: Claim,
  scope: Scope,
  seen: ObservedCluster,
): Promise<Outcome> {
  const { cluster, operation } = scope;
  return fenced(claims.store, claim, async (transaction, last) => {
    const after = statusAfter({ status: cluster.status, groups: scope.groups }, seen);
    const done = seen.phase !== 'IN_PROGRESS';
    const succeeded = seen.phase === 'COMPLETE';
    if (done) await finish(claims, transaction, claim, scope, succeeded);
    if (after.status === null) {
      await removeCluster(transaction, cluster.uuid);
      return null;
    }
    const ended = done
      ? [
          operationEvent(
            operation,
            succeeded ? 'Completed' : 'Failed',
            succeeded ? '' : reasonOf(seen, after),
          ),
        ]
      : [];
    // What was accepted meanwhile is still to be done, and what was read before it may be outdated: statuses stay
    // "in progress" until its own turn.
    if (!last) {
      await recordEvents(transaction, cluster, ended);
      return {};
    }
    const found = differences(scope, after, seen, { mirrored: done });
    await writeDifferences(transaction, cluster.uuid, found);
    await recordEvents(transaction, cluster, [...found.events, ...ended]);
    return found.cluster;
  });
}

/** With all that belongs to it. */
export async function removeCluster(transaction: Transaction<Schema>, uuid: string): Promise<void> {
  await transaction.deleteFrom('cluster').where('uuid', '=', uuid).execute();
  await announceEvents(transaction, uuid);
}

/** The cluster's reason, else that of the first group that has one. */
const reasonOf = (seen: ObservedCluster, after: { reason: string | null }): string =>
  after.reason ??
  seen.nodeGroups.find(({ reason }) => reason !== null)?.reason ??
  'the driver gives no reason.';

/** An operation leaves the queue. Only if the driver took new certificates do they replace those in force. */
async function finish(
  { queue }: Claims,
  transaction: Transaction<Schema>,
  claim: Claim,
  { cluster, operation }: Pick<Scope, 'cluster' | 'operation'>,
  succeeded: boolean,
): Promise<void> {
  await transaction.deleteFrom('operation').where('id', '=', operation.id).execute();
  await queue.finish(transaction, claim.job);
  const { newCertificates } = operation.detail;
  if (newCertificates === undefined) return;
  if (succeeded) await replaceCertificates(transaction, cluster, newCertificates);
  else await deleteCertificates(transaction, newCertificates);
}

/**
 * What was asked has failed: `refused`, the driver would not begin and nothing was changed; else it took too long, and
 * may yet be finished by the back end.
 */
export function writeFailure(
  claims: Claims,
  claim: Claim,
  scope: Scope,
  reason: string,
  { refused }: { refused: boolean },
): Promise<Outcome> {
  const { cluster, groups, operation } = scope;
  return fenced(claims.store, claim, async (transaction, last) => {
    await finish(claims, transaction, claim, scope, false);
    const failed = operationEvent(operation, 'Failed', reason);
    if (!last) {
      await recordEvents(transaction, cluster, [failed]);
      return {};
    }
    const verb = verbOf(scope);
    const change: Partial<ClusterRow> = { status: statusOf(verb, 'FAILED'), status_reason: reason, refused };
    // Groups of a cluster whose creation was refused never began; Magnum's clients know them as in progress.
    const begun = refused && verb === 'CREATE' ? [] : groups.filter(({ status }) => isInProgress(status));
    const found: Differences = {
      cluster: change,
      groups: begun.map((row) => ({
        row,
        change: {
          status: statusOf(row.status.startsWith('DELETE_') ? 'DELETE' : changeVerb(row.status), 'FAILED'),
          status_reason: refused ? reason : (row.status_reason ?? reason),
        },
      })),
      events: [failed],
    };
    await writeDifferences(transaction, cluster.uuid, found);
    await recordEvents(transaction, cluster, found.events);
    return change;
  });
}

/** The driver cannot work now: the operation keeps its place, and the cluster says what it waits for. */
export async function writeWaiting(
  { store }: Claims,
  claim: Claim,
  { cluster }: Scope,
  reason: string,
): Promise<void> {
  if (cluster.status_reason === reason) return;
  await fenced(store, claim, async (transaction) => {
    const found = { cluster: { status_reason: reason }, groups: [], events: [] };
    await writeDifferences(transaction, cluster.uuid, found);
    await recordEvents(transaction, cluster, [
      { kind: 'cluster', object: cluster.name, reason: 'Waiting', message: reason, severity: 'warning' },
    ]);
  });
}
