import { Fault } from './faults.ts';
import type { Labels } from './labels.ts';
import type { DataVolume, GroupNetwork, RootVolume } from './specs/types.ts';
import type { HealthStatus, Phase, Verb } from './status.ts';

/** A kind of cluster a driver can make. */
export interface ClusterType {
  serverType: string;
  os: string;
  coe: string;
}

/** What a driver can do beyond creating and deleting; API, command line and dashboard ask here, never by name. */
export interface DriverCapabilities {
  controlPlaneResize: boolean;
  rotateCaCertificates: boolean;
  rotateCredential: boolean;
  upgrade: boolean;
}

/** One group of equal nodes as it should be. */
export interface DesiredNodeGroup {
  uuid: string;
  name: string;
  role: string;
  isDefault: boolean;
  nodeCount: number;
  minNodeCount: number;
  maxNodeCount: number | null;
  flavorId: string | null;
  imageId: string | null;
  /** null: the image decides. */
  kubernetesVersion: string | null;
  dockerVolumeSize: number | null;
  labels: Labels;
  nodeLabels: Labels;
  nodeTaints: readonly NodeTaint[];
  /** null: nodes boot from the flavor's disk. */
  rootVolume: RootVolume | null;
  dataVolumes: readonly DataVolume[];
  /** Empty: the cloud chooses. */
  availabilityZones: readonly string[];
  /** Networks and security groups are beside the cluster's own. */
  networks: readonly GroupNetwork[];
  securityGroups: readonly string[];
  serverGroupPolicy: string | null;
  updateStrategy: string;
  /** The group is to go; the driver removes its nodes. */
  deleting: boolean;
}

export interface NodeTaint {
  key: string;
  effect: string;
  value?: string;
}

/** A whole cluster as it should be: all a driver needs, no reference to what it was made from. */
export interface DesiredCluster {
  uuid: string;
  name: string;
  projectId: string;
  userId: string;
  stackId: string | null;
  coe: string;
  serverType: string;
  /** The operating system of the image. */
  distro: string | null;
  imageId: string;
  kubernetesVersion: string | null;
  keypair: string | null;
  flavorId: string | null;
  masterFlavorId: string | null;
  labels: Labels;
  dockerVolumeSize: number | null;
  dockerStorageDriver: string | null;
  networkDriver: string | null;
  volumeDriver: string | null;
  externalNetworkId: string | null;
  fixedNetwork: string | null;
  fixedSubnet: string | null;
  dnsNameserver: string | null;
  floatingIpEnabled: boolean;
  masterLbEnabled: boolean;
  apiserverPort: number | null;
  tlsDisabled: boolean;
  httpProxy: string | null;
  httpsProxy: string | null;
  noProxy: string | null;
  registryEnabled: boolean;
  insecureRegistry: string | null;
  /** Minutes; null and 0: no limit. */
  createTimeout: number | null;
  discoveryUrl: string | null;
  nodeGroups: readonly DesiredNodeGroup[];
}

/** A change that is not accepted yet; `before` is null for a new cluster. */
export interface DesiredChange {
  before: DesiredCluster | null;
  after: DesiredCluster;
  /** Nodes that are to go first when a group shrinks, by whatever name the back end knows them. */
  nodesToRemove?: readonly string[];
}

/** What a driver saw of one node group. `absent`: nothing of it is left. */
export interface ObservedNodeGroup {
  name: string;
  phase: Phase | 'ABSENT';
  reason: string | null;
  addresses?: readonly string[];
  /** How many nodes the back end wants, where somebody else than we may have changed that, such as an autoscaler. */
  nodeCount?: number;
}

/** One machine as the back end sees it now. */
export interface ObservedMachine {
  name: string;
  nodeGroup: string;
  role: string;
  phase: string;
  addresses: readonly { type: string; address: string }[];
  kubernetesVersion: string | null;
  /** The cloud's own identity of it. */
  providerId: string | null;
  nodeName: string | null;
  zone: string | null;
  conditions: readonly ObservedCondition[];
  createdAt: string | null;
  /** When anything about it last changed. */
  changedAt: string | null;
  deleting: boolean;
}

export interface ObservedCondition {
  type: string;
  status: string;
  reason: string | null;
  message: string | null;
  changedAt: string | null;
}

/** Whether a driver can work now; while it cannot, accepted work waits and says why. */
export type Availability = { ready: true } | { ready: false; reason: string };

/** A certificate with its private key, in PEM. */
export interface CertifiedKey {
  certificate: string;
  privateKey: string;
}

/** The authorities of a cluster, by what they vouch for; asked for when needed, since opening them costs time. */
export interface ClusterAuthorities {
  kubernetes: CertifiedKey;
  etcd: CertifiedKey;
  frontProxy: CertifiedKey;
}

/** What a driver saw of a cluster; statuses are computed from this, in one place. */
export interface ObservedCluster {
  phase: Phase | 'ABSENT';
  reason: string | null;
  apiAddress: string | null;
  coeVersion: string | null;
  nodeGroups: readonly ObservedNodeGroup[];
  health?: { status: HealthStatus; reason: Readonly<Record<string, string>> };
  /** When it is worth looking again; a driver that is told of changes leaves it out. */
  lookAgainMs?: number;
}

export interface ObserveOptions extends ApplyOptions {
  working: boolean;
}

export interface ApplyOptions {
  verb: Verb;
  nodesToRemove: readonly string[];
  maxBatchSize: number | null;
}

/**
 * A way to make clusters. The life-cycle methods start work and return; they are called again after a crash
 * with the same desired state and must then do nothing twice. A driver that fails throws; the message reaches
 * the user as the status reason.
 */
export interface Driver {
  readonly name: string;
  readonly provides: readonly ClusterType[];
  readonly capabilities: DriverCapabilities;
  /** The size of a new control plane; returns the reason of a refusal, or null. */
  validateMasterSize(size: number): string | null;
  /** A new size for an existing control plane; the same. */
  validateMasterResize(size: number): string | null;
  /**
   * What a change would be refused for, asked before it is accepted: by rules of
   * the driver and by the back end itself, which is asked to try it and keep nothing.
   */
  refusals(change: DesiredChange): Promise<readonly Fault[]>;
  availability(): Availability;
  /** Tells of clusters (by uuid) that may have changed; null: any of them, as when the driver becomes ready. Answers how to end that. */
  watch(changed: (cluster: string | null) => void): () => void;
  /** The machines of a cluster, out of what is known already. */
  machines(cluster: DesiredCluster): Promise<readonly ObservedMachine[]>;
  /** The name the back end will know the cluster by, drawn before anything is made. Throws what can be known at once. */
  prepareCluster(cluster: DesiredCluster): Promise<{ stackId: string }>;
  createCluster(cluster: DesiredCluster, authorities: () => Promise<ClusterAuthorities>): Promise<void>;
  /** Makes the cluster as desired: sizes, groups added and deleting, versions. */
  applyCluster(cluster: DesiredCluster, options: ApplyOptions): Promise<void>;
  deleteCluster(cluster: DesiredCluster): Promise<void>;
  /**
   * What is there now. While work goes on, a driver that needs several steps takes the next one that is due; when
   * `working` is false it only looks: what others did is shown as it is.
   */
  observeCluster(cluster: DesiredCluster, options: ObserveOptions): Promise<ObservedCluster>;
  rotateCaCertificates(cluster: DesiredCluster): Promise<void>;
  rotateCredential(cluster: DesiredCluster): Promise<void>;
}

/** Odd and at least one: an even number of etcd members tolerates no more failures than one fewer. */
export function oddMasterSize(size: number): string | null {
  if (size % 2 === 0) return `master nodegroup size of ${size} is invalid, size cannot be an even number.`;
  if (size < 1) return `master nodegroup size of ${size} is invalid, size must be at least 1.`;
  return null;
}

/** What every driver starts from: odd control planes, and nothing beyond the essentials supported. */
export abstract class BaseDriver implements Driver {
  abstract readonly name: string;
  abstract readonly provides: readonly ClusterType[];
  readonly capabilities: DriverCapabilities = {
    controlPlaneResize: false,
    rotateCaCertificates: false,
    rotateCredential: false,
    upgrade: false,
  };

  validateMasterSize(size: number): string | null {
    return oddMasterSize(size);
  }

  validateMasterResize(_size: number): string | null {
    return 'Resizing the master nodegroup is not supported by this driver.';
  }

  refusals(_change: DesiredChange): Promise<readonly Fault[]> {
    return Promise.resolve([]);
  }

  availability(): Availability {
    return { ready: true };
  }

  watch(_changed: (cluster: string | null) => void): () => void {
    return () => undefined;
  }

  machines(_cluster: DesiredCluster): Promise<readonly ObservedMachine[]> {
    return Promise.resolve([]);
  }

  abstract prepareCluster(cluster: DesiredCluster): Promise<{ stackId: string }>;
  abstract createCluster(
    cluster: DesiredCluster,
    authorities: () => Promise<ClusterAuthorities>,
  ): Promise<void>;
  abstract applyCluster(cluster: DesiredCluster, options: ApplyOptions): Promise<void>;
  abstract deleteCluster(cluster: DesiredCluster): Promise<void>;
  abstract observeCluster(cluster: DesiredCluster, options: ObserveOptions): Promise<ObservedCluster>;

  rotateCaCertificates(_cluster: DesiredCluster): Promise<void> {
    return Promise.reject(
      new Fault('not_supported', "'rotate_ca_certificate' is not supported by this driver."),
    );
  }

  rotateCredential(_cluster: DesiredCluster): Promise<void> {
    return Promise.reject(new Fault('not_supported', 'Credential rotation is not supported by driver.'));
  }
}
