import { changeVerb, statusAfter, statusOf, type ObservedCluster, type Verb } from '@jeroboam/domain';
import { sql, type Transaction } from 'kysely';
import {
  deleteCertificates,
  lockCluster,
  replaceCertificates,
  type Schema,
  type Store,
} from '../store/index.ts';
import type { Scope } from './scope.ts';

const now = (): string => new Date().toISOString();

/** Writes what the driver saw, once, if the operation is still the one in turn. */
export async function writeSeen(store: Store, scope: Scope, seen: ObservedCluster): Promise<void> {
  const running = seen.phase === 'IN_PROGRESS';
  await inTurn(store, scope, (transaction, last) =>
    writeObserved(transaction, scope, seen, { running, last }),
  );
}

/**
 * Runs a write under the lock of the cluster's row, if the operation is still the first one; `last` tells
 * whether nothing else was accepted after it.
 */
async function inTurn(
  store: Store,
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
  if (!running) await finish(transaction, { cluster, operation }, seen.phase === 'COMPLETE');
  if (after.status === null) {
    await transaction.deleteFrom('cluster').where('uuid', '=', cluster.uuid).execute();
    return;
  }
  // What was accepted meanwhile is still to be done, and what was read before it may be outdated: statuses stay
  // "in progress" until its own turn.
  if (!last) return;
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

/** An operation leaves the queue. Only if the driver took new certificates do they replace those in force. */
async function finish(
  transaction: Transaction<Schema>,
  { cluster, operation }: Pick<Scope, 'cluster' | 'operation'>,
  succeeded: boolean,
): Promise<void> {
  await transaction.deleteFrom('operation').where('id', '=', operation.id).execute();
  const { newCertificates } = operation.detail;
  if (newCertificates === undefined) return;
  if (succeeded) await replaceCertificates(transaction, cluster, newCertificates);
  else await deleteCertificates(transaction, newCertificates);
}

/** The driver refused to begin: nothing was changed, so what is under way has failed with its words. */
export async function writeFailure(store: Store, scope: Scope, reason: string): Promise<void> {
  await inTurn(store, scope, async (transaction, last) => {
    const { cluster, operation } = scope;
    await finish(transaction, scope, false);
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
