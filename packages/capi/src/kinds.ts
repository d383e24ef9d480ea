import type { Kind } from '@jeroboam/kubernetes';

const served = (group: string, kind: string): Kind => ({
  group,
  version: 'v1beta2',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});

export const clusterGroup = 'cluster.x-k8s.io';
export const bootstrapGroup = 'bootstrap.cluster.x-k8s.io';
export const controlPlaneGroup = 'controlplane.cluster.x-k8s.io';
export const infrastructureGroup = 'infrastructure.cluster.x-k8s.io';

export const clusters = served(clusterGroup, 'Cluster');
export const machineDeployments = served(clusterGroup, 'MachineDeployment');
export const machineSets = served(clusterGroup, 'MachineSet');
export const machines = served(clusterGroup, 'Machine');
export const machineHealthChecks = served(clusterGroup, 'MachineHealthCheck');
export const kubeadmControlPlanes = served(controlPlaneGroup, 'KubeadmControlPlane');
export const kubeadmConfigTemplates = served(bootstrapGroup, 'KubeadmConfigTemplate');
export const kubeadmConfigs = served(bootstrapGroup, 'KubeadmConfig');

/** The kinds of one infrastructure provider. */
export interface InfrastructureKinds {
  readonly cluster: Kind;
  readonly machineTemplate: Kind;
  readonly machine: Kind;
}

export const devKinds: InfrastructureKinds = {
  cluster: served(infrastructureGroup, 'DevCluster'),
  machineTemplate: served(infrastructureGroup, 'DevMachineTemplate'),
  machine: served(infrastructureGroup, 'DevMachine'),
};
