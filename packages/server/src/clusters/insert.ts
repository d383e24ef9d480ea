import { randomUUID } from 'node:crypto';
import {
  controlPlaneName,
  defaultWorkersName,
  type DesiredCluster,
  type NodeGroupSpec,
  type ResolvedCluster,
} from '@jeroboam/domain';
import type { Insertable } from 'kysely';
import type { Services } from '../services.ts';
import {
  acceptOperation,
  desiredCluster,
  drawCertificateRefs,
  type ClusterRow,
  type ClusterTemplateRow,
  type NodeGroupRow,
  type NodeGroupTable,
} from '../store/index.ts';
import { checkQuota, lockProject } from './quota.ts';

/** A cluster to be, with everything decided. */
export interface NewCluster {
  uuid: string;
  name: string;
  projectId: string;
  userId: string;
  /** What it was made from, only to be remembered. */
  template: ClusterTemplateRow | null;
  resolved: ResolvedCluster;
  distro: string | null;
  driver: string | null;
}

const isDefaultGroup = ({ name }: NodeGroupSpec): boolean =>
  name === controlPlaneName || name === defaultWorkersName;

/** The row of a new group. */
export function newGroupRow(
  group: NodeGroupSpec,
  cluster: { uuid: string; projectId: string },
  { isDefault }: { isDefault: boolean },
): Insertable<NodeGroupTable> & { uuid: string } {
  return {
    uuid: randomUUID(),
    name: group.name,
    role: group.role,
    cluster_uuid: cluster.uuid,
    project_id: cluster.projectId,
    docker_volume_size: group.docker_volume_size,
    labels: JSON.stringify(group.labels),
    flavor_id: group.flavor_id,
    image_id: group.image_id,
    kubernetes_version: group.kubernetes_version,
    node_addresses: '[]',
    node_count: group.node_count,
    min_node_count: group.min_node_count,
    max_node_count: group.max_node_count,
    is_default: isDefault,
    status: 'CREATE_IN_PROGRESS',
    node_labels: JSON.stringify(group.node_labels),
    node_taints: JSON.stringify(group.node_taints),
    root_volume: group.root_volume === null ? null : JSON.stringify(group.root_volume),
    data_volumes: JSON.stringify(group.data_volumes),
    availability_zones: JSON.stringify(group.availability_zones),
    networks: JSON.stringify(group.networks),
    security_groups: JSON.stringify(group.security_groups),
    server_group_policy: group.server_group_policy,
    update_strategy: group.update_strategy,
  };
}

export interface InsertedCluster {
  row: ClusterRow;
  groups: NodeGroupRow[];
}

/**
 * Writes a cluster, its groups, the references of its certificates and the work to be done, all or nothing, so that
 * whoever got the answer can read it back at once.
 */
export function insertCluster(services: Services, cluster: NewCluster): Promise<InsertedCluster> {
  const { template, resolved } = cluster;
  const { name: _drawn, node_count: _nodes, master_count: _masters, ...spec } = resolved.spec;
  const { store, queue } = services;
  return store.database.transaction().execute(async (transaction) => {
    await lockProject(transaction, cluster.projectId);
    await checkQuota(transaction, cluster.projectId, services.options.maxClustersPerProject);
    const row = await transaction
      .insertInto('cluster')
      .values({
        ...spec,
        uuid: cluster.uuid,
        name: cluster.name,
        project_id: cluster.projectId,
        user_id: cluster.userId,
        // Clients look a cluster's template up; one that came from none is looked up under its own id.
        cluster_template_id: template?.uuid ?? cluster.uuid,
        template_name: template === null ? cluster.name : template.name,
        template_labels: JSON.stringify(template === null ? spec.labels : (template.labels ?? {})),
        driver: cluster.driver,
        cluster_distro: cluster.distro,
        image_id: spec.image_id ?? '',
        labels: JSON.stringify(spec.labels),
        status: 'CREATE_IN_PROGRESS',
        health_status_reason: '{}',
        ...drawCertificateRefs(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const groups = await transaction
      .insertInto('nodegroup')
      .values(
        resolved.groups.map(({ spec }) => newGroupRow(spec, cluster, { isDefault: isDefaultGroup(spec) })),
      )
      .returningAll()
      .execute();
    await acceptOperation(transaction, queue, row, 'create');
    return { row, groups };
  });
}

/** What its driver will be asked to make. */
export const newDesired = ({ resolved, distro, ...cluster }: NewCluster): DesiredCluster =>
  desiredCluster(
    {
      ...resolved.spec,
      uuid: cluster.uuid,
      name: cluster.name,
      project_id: cluster.projectId,
      user_id: cluster.userId,
      cluster_distro: distro,
      image_id: resolved.spec.image_id ?? '',
      stack_id: null,
    },
    resolved.groups.map(({ spec }) => ({
      ...spec,
      uuid: randomUUID(),
      is_default: isDefaultGroup(spec),
      status: 'CREATE_IN_PROGRESS',
    })),
  );
