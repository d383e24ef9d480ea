import { diffLabels, nodeGroupSpec, type Labels } from '@jeroboam/domain';
import type { AcceptedNodeGroup } from '../../clusters/node-group-create.ts';
import type { NodeGroupRow } from '../../store/index.ts';
import { linksOf } from '../links.ts';

const groupPath = (clusterUuid: string, uuid: string): string => `clusters/${clusterUuid}/nodegroups/${uuid}`;

/** A group in a list: Magnum never shows the real bounds here, and clients know to ask for each group. */
export const nodeGroupSummaryView = (group: NodeGroupRow): Record<string, unknown> => ({
  uuid: group.uuid,
  name: group.name,
  flavor_id: group.flavor_id,
  image_id: group.image_id,
  node_count: group.node_count,
  role: group.role,
  min_node_count: 0,
  max_node_count: null,
  is_default: group.is_default,
  stack_id: group.stack_id,
  status: group.status,
  merge_labels: false,
});

export const nodeGroupView = (
  group: NodeGroupRow,
  clusterLabels: Labels,
  base: string,
): Record<string, unknown> => ({
  id: group.id,
  uuid: group.uuid,
  name: group.name,
  cluster_id: group.cluster_uuid,
  project_id: group.project_id,
  docker_volume_size: group.docker_volume_size,
  labels: group.labels,
  links: linksOf(base, groupPath(group.cluster_uuid, group.uuid)),
  flavor_id: group.flavor_id,
  image_id: group.image_id,
  node_addresses: group.node_addresses,
  node_count: group.node_count,
  role: group.role,
  min_node_count: group.min_node_count,
  max_node_count: group.max_node_count,
  is_default: group.is_default,
  stack_id: group.stack_id,
  status: group.status,
  status_reason: group.status_reason,
  version: group.version,
  merge_labels: false,
  ...diffLabels(clusterLabels, group.labels),
  node_labels: group.node_labels,
  node_taints: group.node_taints,
  created_at: group.created_at,
  updated_at: group.updated_at,
});

/** A group that was just accepted, as Magnum echoes it: what was not asked for is not shown. */
export const acceptedNodeGroupView = (
  { uuid, projectId, spec, given }: AcceptedNodeGroup,
  cluster: { uuid: string; labels: Labels },
  base: string,
): Record<string, unknown> => ({
  uuid,
  name: spec.name,
  cluster_id: cluster.uuid,
  project_id: projectId,
  ...(given.has('docker_volume_size') ? { docker_volume_size: spec.docker_volume_size } : {}),
  labels: spec.labels,
  links: linksOf(base, groupPath(cluster.uuid, uuid)),
  flavor_id: spec.flavor_id,
  image_id: spec.image_id,
  node_count: spec.node_count,
  role: spec.role,
  min_node_count: spec.min_node_count,
  max_node_count: spec.max_node_count,
  ...(given.has('is_default') ? { is_default: false } : {}),
  merge_labels: false,
  ...diffLabels(cluster.labels, spec.labels),
  ...(given.has('node_labels') ? { node_labels: spec.node_labels } : {}),
  ...(given.has('node_taints') ? { node_taints: spec.node_taints } : {}),
});

/** What Magnum does not show of a group. */
const extensionAttributes = nodeGroupSpec
  .filter(({ extension }) => extension === true)
  .map(({ name }) => name as keyof NodeGroupRow);

/** A group with every attribute, as those see it who know of the extensions. */
export const wholeNodeGroupView = (
  group: NodeGroupRow,
  clusterLabels: Labels,
  base: string,
): Record<string, unknown> => ({
  ...nodeGroupView(group, clusterLabels, base),
  ...Object.fromEntries(extensionAttributes.map((name) => [name, group[name]])),
});
