import {
  isFailed,
  sameValue,
  type ClusterAfter,
  type GroupAfter,
  type ObservedCluster,
} from '@jeroboam/domain';
import type { Transaction, UpdateObject } from 'kysely';
import type { ClusterRow, NewEvent, NodeGroupRow, Schema } from '../store/index.ts';
import type { Rows } from './scope.ts';

/** What has to be written for the rows to tell what was seen; of what is so already nothing. */
export interface Differences {
  cluster: Partial<ClusterRow>;
  groups: { row: NodeGroupRow; change: Partial<NodeGroupRow> | 'gone' }[];
  events: NewEvent[];
}

/** The part of an object that is not already so in another. */
const differing = <Row extends object>(row: Row, wanted: Partial<Row>): Partial<Row> =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== undefined && !sameValue(value, row[name as keyof Row]),
    ),
  ) as Partial<Row>;

/** Compares what is stored with what was seen; `mirrored`: sizes that others decided are taken over. */
export function differences(
  { cluster, groups }: Rows,
  after: ClusterAfter,
  seen: ObservedCluster,
  { mirrored }: { mirrored: boolean },
): Differences {
  const change =
    after.status === null
      ? {}
      : differing<ClusterRow>(cluster, {
          status: after.status,
          status_reason: after.reason,
          ...seenOfCluster(seen),
          ...(seen.phase === 'COMPLETE' ? upgraded(cluster) : {}),
        });
  const changes = groups.flatMap((row) => {
    const group = after.groups.find(({ name }) => name === row.name);
    if (group === undefined) return [];
    const own = groupChange(row, group, seen, mirrored);
    return own === 'gone' || Object.keys(own).length > 0 ? [{ row, change: own }] : [];
  });
  return { cluster: change, groups: changes, events: told(cluster, change, changes) };
}

/** What a driver does not tell stays as it is. */
const seenOfCluster = ({ apiAddress, coeVersion, health }: ObservedCluster): Partial<ClusterRow> => ({
  ...(apiAddress === null ? {} : { api_address: apiAddress }),
  ...(coeVersion === null ? {} : { coe_version: coeVersion }),
  ...(health === undefined
    ? {}
    : { health_status: health.status, health_status_reason: { ...health.reason } }),
});

/** A cluster that has become what it was upgraded to comes from that template. */
const upgraded = ({ pending_template: template }: ClusterRow): Partial<ClusterRow> =>
  template === null
    ? {}
    : {
        cluster_template_id: template.uuid,
        template_name: template.name,
        template_labels: template.labels,
        pending_template: null,
      };

function groupChange(
  row: NodeGroupRow,
  after: GroupAfter,
  seen: ObservedCluster,
  mirrored: boolean,
): Partial<NodeGroupRow> | 'gone' {
  if (after.status === null) return 'gone';
  const nodeCount = seen.nodeGroups.find(({ name }) => name === row.name)?.nodeCount;
  return differing<NodeGroupRow>(row, {
    status: after.status,
    status_reason: after.reason,
    ...(after.addresses === null ? {} : { node_addresses: [...after.addresses] }),
    ...(mirrored && nodeCount !== undefined ? { node_count: nodeCount } : {}),
  });
}

function told(cluster: ClusterRow, change: Partial<ClusterRow>, groups: Differences['groups']): NewEvent[] {
  const events: NewEvent[] = statusEvents('cluster', cluster, change);
  for (const { row, change: own } of groups) {
    if (own === 'gone')
      events.push({
        kind: 'nodegroup',
        object: row.name,
        reason: 'Gone',
        message: 'The node group is gone.',
      });
    else events.push(...statusEvents('nodegroup', row, own));
    if (own === 'gone' || own.node_count === undefined) continue;
    const message = `The back end wants ${own.node_count} nodes instead of ${row.node_count}.`;
    events.push({ kind: 'nodegroup', object: row.name, reason: 'Resized', message });
  }
  return events;
}

/** A status, or the reason of one, that is not what it was. */
function statusEvents(
  kind: 'cluster' | 'nodegroup',
  row: { name: string; status: string; status_reason: string | null },
  change: { status?: string; status_reason?: string | null },
): NewEvent[] {
  if (change.status === undefined && (change.status_reason ?? null) === null) return [];
  const status = change.status ?? row.status;
  const reason = change.status_reason === undefined ? row.status_reason : change.status_reason;
  return [
    {
      kind,
      object: row.name,
      reason: status,
      message: reason ?? `The status is ${status}.`,
      severity: isFailed(status) ? 'error' : 'info',
    },
  ];
}

export const isNothing = ({ cluster, groups }: Differences): boolean =>
  Object.keys(cluster).length === 0 && groups.length === 0;

/** Maps and lists are stored as their JSON text. */
const stored = (change: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(change).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );

/** Writes differences of a cluster that stays. */
export async function writeDifferences(
  transaction: Transaction<Schema>,
  uuid: string,
  { cluster, groups }: Differences,
): Promise<void> {
  const updated_at = new Date().toISOString();
  if (Object.keys(cluster).length > 0) {
    const change: UpdateObject<Schema, 'cluster'> = { ...stored(cluster), updated_at };
    await transaction.updateTable('cluster').set(change).where('uuid', '=', uuid).execute();
  }
  for (const { row, change } of groups) {
    if (change === 'gone') {
      await transaction.deleteFrom('nodegroup').where('uuid', '=', row.uuid).execute();
      continue;
    }
    const own: UpdateObject<Schema, 'nodegroup'> = { ...stored(change), updated_at };
    await transaction.updateTable('nodegroup').set(own).where('uuid', '=', row.uuid).execute();
  }
}
