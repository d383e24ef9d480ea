import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import { isDeleting } from '@jeroboam/domain';
import type { ClusterRow } from './clusters.ts';
import type { NodeGroupRow } from './node-groups.ts';

/** What drivers are asked to make, out of the rows. */
export const desiredCluster = (cluster: ClusterRow, groups: readonly NodeGroupRow[]): DesiredCluster => ({
  uuid: cluster.uuid,
  name: cluster.name,
  projectId: cluster.project_id,
  userId: cluster.user_id,
  stackId: cluster.stack_id,
  coe: cluster.coe,
  imageId: cluster.image_id,
  keypair: cluster.keypair,
  labels: cluster.labels,
  networkDriver: cluster.network_driver,
  externalNetworkId: cluster.external_network_id,
  fixedNetwork: cluster.fixed_network,
  fixedSubnet: cluster.fixed_subnet,
  dnsNameserver: cluster.dns_nameserver,
  floatingIpEnabled: cluster.floating_ip_enabled,
  masterLbEnabled: cluster.master_lb_enabled,
  nodeGroups: groups.map(desiredNodeGroup),
});

const desiredNodeGroup = (group: NodeGroupRow): DesiredNodeGroup => ({
  uuid: group.uuid,
  name: group.name,
  role: group.role,
  isDefault: group.is_default,
  nodeCount: group.node_count,
  minNodeCount: group.min_node_count,
  maxNodeCount: group.max_node_count,
  flavorId: group.flavor_id,
  imageId: group.image_id,
  dockerVolumeSize: group.docker_volume_size,
  labels: group.labels,
  nodeLabels: group.node_labels,
  nodeTaints: group.node_taints,
  deleting: isDeleting(group.status),
});
