import type { NodeTaint } from '../driver.ts';
import type { Labels } from '../labels.ts';

/** What makes up a cluster beside its groups; described attribute by attribute in `clusterSpec`. */
export interface ClusterSpec {
  name: string | null;
  keypair: string | null;
  /** Of the group `default-worker`, where there is one. */
  node_count: number;
  /** Of the control plane. */
  master_count: number;
  docker_volume_size: number | null;
  labels: Labels;
  master_flavor_id: string | null;
  flavor_id: string | null;
  create_timeout: number | null;
  discovery_url: string | null;
  fixed_network: string | null;
  fixed_subnet: string | null;
  floating_ip_enabled: boolean;
  master_lb_enabled: boolean;
  coe: string;
  image_id: string | null;
  kubernetes_version: string | null;
  external_network_id: string | null;
  dns_nameserver: string | null;
  network_driver: string | null;
  volume_driver: string | null;
  apiserver_port: number | null;
  docker_storage_driver: string | null;
  http_proxy: string | null;
  https_proxy: string | null;
  no_proxy: string | null;
  registry_enabled: boolean;
  insecure_registry: string | null;
  tls_disabled: boolean;
  server_type: string;
  driver: string | null;
}

/** What makes up a group of nodes; described attribute by attribute in `nodeGroupSpec`. */
export interface NodeGroupSpec {
  name: string;
  role: string;
  node_count: number;
  min_node_count: number;
  max_node_count: number | null;
  flavor_id: string | null;
  image_id: string | null;
  kubernetes_version: string | null;
  docker_volume_size: number | null;
  labels: Labels;
  node_labels: Labels;
  node_taints: readonly NodeTaint[];
  root_volume: RootVolume | null;
  data_volumes: readonly DataVolume[];
  availability_zones: readonly string[];
  networks: readonly GroupNetwork[];
  security_groups: readonly string[];
  server_group_policy: string | null;
  update_strategy: string;
}

export interface RootVolume {
  size: number;
  type?: string;
}

export interface DataVolume {
  name: string;
  size: number;
  type?: string;
  mount_path?: string;
}

export interface GroupNetwork {
  network: string;
  subnet?: string;
}

/** The groups that Magnum's clients know by these names. */
export const controlPlaneName = 'default-master';
export const defaultWorkersName = 'default-worker';

export const masterRole = 'master';
