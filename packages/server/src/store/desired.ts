import type { DesiredCluster, DesiredNodeGroup, NodeGroupSpec } from '@jeroboam/domain';
import { isDeleting } from '@jeroboam/domain';
import type { ClusterRow } from './clusters.ts';
import type { NodeGroupRow } from './node-groups.ts';
import type { CertificateRefs } from './schema.ts';

/** What of a row is not for drivers: what it came from, what they told themselves, and what is kept with it. */
type NotForDrivers =
  | 'id'
  | 'cluster_template_id'
  | 'template_name'
  | 'template_labels'
  | 'driver'
  | 'node_count'
  | 'master_count'
  | 'api_address'
  | 'coe_version'
  | 'container_version'
  | 'status'
  | 'status_reason'
  | 'refused'
  | 'pending_template'
  | 'health_status'
  | 'health_status_reason'
  | 'created_at'
  | 'updated_at'
  | keyof CertificateRefs;

/** As much of a row as is desired; of a cluster to be there is no more. */
export type DesiredClusterRow = Omit<ClusterRow, NotForDrivers>;

export type DesiredGroupRow = NodeGroupSpec & Pick<NodeGroupRow, 'uuid' | 'is_default' | 'status'>;

/** What drivers are asked to make, out of the rows. */
export const desiredCluster = (
  cluster: DesiredClusterRow,
  groups: readonly DesiredGroupRow[],
): DesiredCluster => ({
  uuid: cluster.uuid,
  name: cluster.name,
  projectId: cluster.project_id,
  userId: cluster.user_id,
  stackId: cluster.stack_id,
  coe: cluster.coe,
  serverType: cluster.server_type,
  distro: cluster.cluster_distro,
  imageId: cluster.image_id,
  kubernetesVersion: cluster.kubernetes_version,
  keypair: cluster.keypair,
  flavorId: cluster.flavor_id,
  masterFlavorId: cluster.master_flavor_id,
  labels: cluster.labels,
  dockerVolumeSize: cluster.docker_volume_size,
  dockerStorageDriver: cluster.docker_storage_driver,
  networkDriver: cluster.network_driver,
  volumeDriver: cluster.volume_driver,
  externalNetworkId: cluster.external_network_id,
  fixedNetwork: cluster.fixed_network,
  fixedSubnet: cluster.fixed_subnet,
  dnsNameserver: cluster.dns_nameserver,
  floatingIpEnabled: cluster.floating_ip_enabled,
  masterLbEnabled: cluster.master_lb_enabled,
  apiserverPort: cluster.apiserver_port,
  tlsDisabled: cluster.tls_disabled,
  httpProxy: cluster.http_proxy,
  httpsProxy: cluster.https_proxy,
  noProxy: cluster.no_proxy,
  registryEnabled: cluster.registry_enabled,
  insecureRegistry: cluster.insecure_registry,
  createTimeout: cluster.create_timeout,
  discoveryUrl: cluster.discovery_url,
  nodeGroups: groups.map(desiredNodeGroup),
});

const desiredNodeGroup = (group: DesiredGroupRow): DesiredNodeGroup => ({
  uuid: group.uuid,
  name: group.name,
  role: group.role,
  isDefault: group.is_default,
  nodeCount: group.node_count,
  minNodeCount: group.min_node_count,
  maxNodeCount: group.max_node_count,
  flavorId: group.flavor_id,
  imageId: group.image_id,
  kubernetesVersion: group.kubernetes_version,
  dockerVolumeSize: group.docker_volume_size,
  labels: group.labels,
  nodeLabels: group.node_labels,
  nodeTaints: group.node_taints,
  rootVolume: group.root_volume,
  dataVolumes: group.data_volumes,
  availabilityZones: group.availability_zones,
  networks: group.networks,
  securityGroups: group.security_groups,
  serverGroupPolicy: group.server_group_policy,
  updateStrategy: group.update_strategy,
  deleting: isDeleting(group.status),
});
