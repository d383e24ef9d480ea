import { randomUUID } from 'node:crypto';
import type { Verb } from '@jeroboam/domain';
import type { ClusterRow, NodeGroupRow } from '../store/index.ts';

/** What happened to a cluster, as far as those outside are told. */
export interface ClusterNotice {
  action: Verb;
  outcome: 'pending' | 'success' | 'failure';
  cluster: ClusterRow;
  groups: readonly NodeGroupRow[];
  /** Who asked; else who owns the cluster. */
  initiator?: { userId: string; projectId: string | null };
}

/** A notification as Magnum emits it: a CADF event in an envelope. */
export interface Notification {
  event_type: string;
  publisher_id: string;
  priority: 'INFO' | 'ERROR';
  timestamp: string;
  payload: Record<string, unknown>;
}

const clusterType = 'service/magnum/cluster';

const ofRole = (groups: readonly NodeGroupRow[], masters: boolean): NodeGroupRow[] =>
  groups.filter(({ role }) => (role === 'master') === masters);

const nodes = (groups: readonly NodeGroupRow[]): number =>
  groups.reduce((sum, group) => sum + group.node_count, 0);

/** What is told of a cluster. Magnum spells one of the names with a colon, and its readers know it so. */
const clusterData = (cluster: ClusterRow, groups: readonly NodeGroupRow[]): Record<string, unknown> => ({
  status: cluster.status,
  status_reason: cluster.status_reason,
  project_id: cluster.project_id,
  created_at: cluster.created_at,
  updated_at: cluster.updated_at,
  cluster_template_id: cluster.cluster_template_id,
  keypair: cluster.keypair,
  'docker_volume_size:': cluster.docker_volume_size,
  labels: cluster.labels,
  master_flavor_id: cluster.master_flavor_id,
  flavor_id: cluster.flavor_id,
  stack_id: cluster.stack_id,
  health_status: cluster.health_status,
  create_timeout: cluster.create_timeout,
  api_address: cluster.api_address,
  discovery_url: cluster.discovery_url,
  node_addresses: ofRole(groups, false).flatMap((group) => group.node_addresses),
  master_addresses: ofRole(groups, true).flatMap((group) => group.node_addresses),
  node_count: nodes(ofRole(groups, false)),
  master_count: nodes(ofRole(groups, true)),
});

export function cadfNotification(notice: ClusterNotice, host: string, now: Date): Notification {
  const { cluster, groups, outcome } = notice;
  const action = notice.action.toLowerCase();
  const initiator = notice.initiator ?? { userId: cluster.user_id, projectId: cluster.project_id };
  return {
    event_type: `magnum.cluster.${action}`,
    publisher_id: `container-infra.${host}`,
    priority: outcome === 'failure' ? 'ERROR' : 'INFO',
    timestamp: now.toISOString(),
    payload: {
      typeURI: 'http://schemas.dmtf.org/cloud/audit/1.0/event',
      eventType: 'activity',
      id: randomUUID(),
      eventTime: now.toISOString(),
      action,
      outcome,
      observer: { id: 'target', typeURI: clusterType },
      initiator: {
        id: initiator.userId,
        typeURI: 'service/security/account/user',
        user_id: initiator.userId,
        project_id: initiator.projectId,
      },
      target: {
        id: cluster.uuid,
        name: cluster.name,
        typeURI: clusterType,
        attachments: [{ name: 'cluster_data', typeURI: clusterType, content: clusterData(cluster, groups) }],
      },
    },
  };
}
