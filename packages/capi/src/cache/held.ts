/** What is kept of objects: whole ones of thousands of clusters would be hundreds of megabytes. */

export interface HeldCondition {
  type: string;
  status: string;
  reason: string | null;
  message: string | null;
  changedAt: string | null;
}

/** What is kept of every object. */
export interface HeldObject {
  kind: string;
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  /** The uuid of the cluster, and of the node group where it belongs to one. */
  cluster: string;
  nodeGroup: string | null;
  /** The hash of what we last applied. */
  rendered: string | null;
  /** The template it was made from, where it was. */
  clonedFrom: string | null;
  createdAt: string | null;
  deletingSince: string | null;
  generation: number;
  observedGeneration: number;
  conditions: readonly HeldCondition[];
}

export interface HeldCluster extends HeldObject {
  endpoint: { host: string; port: number } | null;
  infrastructureProvisioned: boolean;
  controlPlaneInitialized: boolean;
}

/** The spec is kept whole: what can never change in it is copied into what is applied. */
export interface HeldInfrastructureCluster extends HeldObject {
  spec: unknown;
}

/** How many machines should be, are, are as they should be, and work. */
export interface Replicas {
  wanted: number;
  there: number;
  upToDate: number;
  available: number;
}

export interface HeldControlPlane extends HeldObject {
  replicas: Replicas;
  version: string | null;
  /** The oldest version among its machines. */
  runningVersion: string | null;
  machineTemplate: string | null;
}

export interface HeldDeployment extends HeldObject {
  replicas: Replicas;
  version: string | null;
  failureDomain: string | null;
  machineTemplate: string | null;
  bootstrapTemplate: string | null;
}

export interface HeldMachineSet extends HeldObject {
  machineTemplate: string | null;
  bootstrapTemplate: string | null;
}

export interface HeldMachine extends HeldObject {
  version: string | null;
  providerId: string | null;
  nodeName: string | null;
  failureDomain: string | null;
  phase: string;
  addresses: readonly { type: string; address: string }[];
  /** The next to go when its group shrinks. */
  chosenToGo: boolean;
  isControlPlane: boolean;
}

/** What is held of one cluster. */
export interface ClusterObjects {
  cluster: HeldCluster | null;
  infrastructureCluster: HeldInfrastructureCluster | null;
  controlPlane: HeldControlPlane | null;
  deployments: readonly HeldDeployment[];
  machineSets: readonly HeldMachineSet[];
  machines: readonly HeldMachine[];
  healthChecks: readonly HeldObject[];
  /** Templates of machines and of how nodes join. */
  templates: readonly HeldObject[];
  /** Machines of the infrastructure and the configurations of single nodes, which nobody but Cluster API makes. */
  parts: readonly HeldObject[];
}

/** What is held of a cluster that nothing was heard of. */
export const emptyCluster: ClusterObjects = {
  cluster: null,
  infrastructureCluster: null,
  controlPlane: null,
  deployments: [],
  machineSets: [],
  machines: [],
  healthChecks: [],
  templates: [],
  parts: [],
};
