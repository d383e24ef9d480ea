import type {
  DataVolume,
  GroupNetwork,
  HealthStatus,
  Labels,
  NodeTaint,
  RootVolume,
  Status,
} from '@jeroboam/domain';
import type { ColumnType, Generated } from 'kysely';

/** Timestamps are kept as the text that the API answers, so that no microsecond is lost on the way. */
type Timestamp = ColumnType<string, string | undefined, string>;
/** A jsonb column: read as a value, written as its text. */
type Json<T> = ColumnType<T, string, string>;
type JsonOrNull<T> = ColumnType<T | null, string | null, string | null>;

/** Any attribute of a template may be left open: null. */
export interface ClusterTemplateTable {
  id: Generated<number>;
  uuid: string;
  name: string | null;
  project_id: string;
  user_id: string;
  coe: string | null;
  image_id: string | null;
  flavor_id: string | null;
  master_flavor_id: string | null;
  dns_nameserver: string | null;
  keypair_id: string | null;
  external_network_id: string | null;
  fixed_network: string | null;
  fixed_subnet: string | null;
  network_driver: string | null;
  apiserver_port: number | null;
  docker_volume_size: number | null;
  docker_storage_driver: string | null;
  cluster_distro: string | null;
  http_proxy: string | null;
  https_proxy: string | null;
  no_proxy: string | null;
  volume_driver: string | null;
  registry_enabled: boolean | null;
  labels: Json<Labels>;
  tls_disabled: boolean | null;
  public: boolean;
  server_type: string | null;
  insecure_registry: string | null;
  master_lb_enabled: boolean | null;
  floating_ip_enabled: boolean | null;
  hidden: boolean;
  tags: string | null;
  driver: string | null;
  kubernetes_version: string | null;
  node_count: number | null;
  master_count: number | null;
  create_timeout: number | null;
  discovery_url: string | null;
  /** Without node-group templates of workers, its clusters have none. */
  control_plane_only: Generated<boolean>;
  created_at: Timestamp;
  updated_at: Timestamp | null;
}

/**
 * A cluster holds every attribute it needs. `cluster_template_id` and `template_*` only remember what it came
 * from: no row of another table is needed to run, show or rebuild it.
 */
export interface ClusterTable {
  id: Generated<number>;
  uuid: string;
  name: string;
  project_id: string;
  user_id: string;
  cluster_template_id: string;
  template_name: string | null;
  template_labels: Json<Labels>;
  driver: string | null;
  coe: string;
  server_type: string;
  cluster_distro: string | null;
  image_id: string;
  kubernetes_version: string | null;
  keypair: string | null;
  docker_volume_size: number | null;
  docker_storage_driver: string | null;
  labels: Json<Labels>;
  master_flavor_id: string | null;
  flavor_id: string | null;
  network_driver: string | null;
  volume_driver: string | null;
  external_network_id: string | null;
  fixed_network: string | null;
  fixed_subnet: string | null;
  dns_nameserver: string | null;
  apiserver_port: number | null;
  http_proxy: string | null;
  https_proxy: string | null;
  no_proxy: string | null;
  registry_enabled: boolean;
  insecure_registry: string | null;
  tls_disabled: boolean;
  floating_ip_enabled: boolean;
  master_lb_enabled: boolean;
  create_timeout: number | null;
  discovery_url: string | null;
  /** Nodes of all groups but the masters, and masters; the database keeps these sums. */
  node_count: Generated<number>;
  master_count: Generated<number>;
  stack_id: string | null;
  api_address: string | null;
  coe_version: string | null;
  container_version: string | null;
  status: Status;
  status_reason: string | null;
  /** The driver refused to begin what was asked last: its back end being whole says nothing about that. */
  refused: Generated<boolean>;
  /** What an upgrade under way comes from; recorded as the cluster's template once it is done. */
  pending_template: JsonOrNull<PendingTemplate>;
  health_status: HealthStatus | null;
  health_status_reason: Json<Record<string, unknown>>;
  ca_cert_ref: string;
  magnum_cert_ref: string;
  etcd_ca_cert_ref: string;
  front_proxy_ca_cert_ref: string;
  created_at: Timestamp;
  updated_at: Timestamp | null;
}

export interface NodeGroupTable {
  id: Generated<number>;
  uuid: string;
  name: string;
  cluster_uuid: string;
  project_id: string;
  docker_volume_size: number | null;
  labels: Json<Labels>;
  flavor_id: string | null;
  image_id: string | null;
  node_addresses: Json<string[]>;
  node_count: number;
  role: string;
  min_node_count: number;
  max_node_count: number | null;
  is_default: boolean;
  stack_id: string | null;
  status: Status;
  status_reason: string | null;
  version: string | null;
  node_labels: Json<Labels>;
  node_taints: Json<NodeTaint[]>;
  kubernetes_version: string | null;
  root_volume: JsonOrNull<RootVolume>;
  data_volumes: Json<DataVolume[]>;
  availability_zones: Json<string[]>;
  networks: Json<GroupNetwork[]>;
  security_groups: Json<string[]>;
  server_group_policy: string | null;
  update_strategy: string;
  created_at: Timestamp;
  updated_at: Timestamp | null;
}

/** A node group to be, any attribute left open; alone, or part of a cluster template and then as visible as that. */
export interface NodeGroupTemplateTable {
  id: Generated<number>;
  uuid: string;
  name: string | null;
  project_id: string;
  user_id: string;
  cluster_template_id: string | null;
  role: string | null;
  node_count: number | null;
  min_node_count: number | null;
  max_node_count: number | null;
  flavor_id: string | null;
  image_id: string | null;
  kubernetes_version: string | null;
  docker_volume_size: number | null;
  labels: JsonOrNull<Labels>;
  merge_labels: boolean;
  node_labels: JsonOrNull<Labels>;
  node_taints: JsonOrNull<NodeTaint[]>;
  root_volume: JsonOrNull<RootVolume>;
  data_volumes: JsonOrNull<DataVolume[]>;
  availability_zones: JsonOrNull<string[]>;
  networks: JsonOrNull<GroupNetwork[]>;
  security_groups: JsonOrNull<string[]>;
  server_group_policy: string | null;
  update_strategy: string | null;
  public: boolean;
  hidden: boolean;
  tags: string | null;
  created_at: Timestamp;
  updated_at: Timestamp | null;
}

export interface QuotaTable {
  id: Generated<number>;
  project_id: string;
  resource: string;
  hard_limit: number;
  created_at: Timestamp;
  updated_at: Timestamp | null;
}

export interface ServiceTable {
  id: Generated<number>;
  host: string;
  binary: string;
  disabled: boolean;
  disabled_reason: string | null;
  last_seen_up: Timestamp;
  forced_down: boolean;
  report_count: number;
  created_at: Timestamp;
  updated_at: Timestamp | null;
}

export interface CertificateTable {
  ref: string;
  cluster_uuid: string;
  certificate_pem: string;
  sealed_private_key: string;
  created_at: Timestamp;
}

/** Work that was accepted and is not done yet, carried out per cluster in the order of `id`. */
export interface OperationTable {
  id: Generated<number>;
  cluster_uuid: string;
  kind: OperationKind;
  detail: Json<OperationDetail>;
  started: boolean;
  accepted_at: Timestamp;
  /** How often a conductor took it; a write of one that took it earlier is no longer its to make. */
  attempt: Generated<number>;
  /** The conductor that has it, and the job of the queue by which. */
  holder: number | null;
  job: string | null;
  /** When it has failed if it is not done by then. */
  deadline: ColumnType<string | null, string | null | undefined, string | null>;
}

export type OperationKind = 'create' | 'change' | 'delete' | 'rotate-ca' | 'rotate-credential';

/** A template as a cluster remembers it. */
export interface PendingTemplate {
  uuid: string;
  name: string | null;
  labels: Labels;
}

/** Something that happened to a cluster; kept as long as the cluster, and no more than the newest. */
export interface EventTable {
  /** In the order in which they happened, within one cluster. */
  id: ColumnType<string, never, never>;
  cluster_uuid: string;
  project_id: string;
  kind: EventKind;
  object: string;
  reason: string;
  message: string;
  severity: EventSeverity;
  created_at: Timestamp;
}

export type EventKind = 'operation' | 'cluster' | 'nodegroup' | 'machine';
export type EventSeverity = 'info' | 'warning' | 'error';

export interface OperationDetail {
  /** What it is, as the subject of a sentence; else it is named by its kind. */
  summary?: string;
  nodesToRemove?: string[];
  maxBatchSize?: number | null;
  /** Of a rotation: drawn when it was accepted, so that a conductor that dies halfway makes no second set. */
  newCertificates?: CertificateRefs;
}

/** Where the certificates of a cluster are kept: three authorities and the service's own client. */
export type CertificateRefs = Pick<
  ClusterTable,
  'ca_cert_ref' | 'magnum_cert_ref' | 'etcd_ca_cert_ref' | 'front_proxy_ca_cert_ref'
>;

export interface Schema {
  cluster_template: ClusterTemplateTable;
  cluster: ClusterTable;
  nodegroup: NodeGroupTable;
  nodegroup_template: NodeGroupTemplateTable;
  quota: QuotaTable;
  service: ServiceTable;
  certificate: CertificateTable;
  operation: OperationTable;
  event: EventTable;
}
