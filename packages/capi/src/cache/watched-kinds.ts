import type { Kind, KubeObject } from '@jeroboam/kubernetes';
import {
  clusters,
  kubeadmConfigs,
  kubeadmConfigTemplates,
  kubeadmControlPlanes,
  machineDeployments,
  machineHealthChecks,
  machines,
  machineSets,
  type InfrastructureKinds,
} from '../kinds.ts';
import type { Part } from './cluster-cache.ts';
import type { HeldObject } from './held.ts';
import {
  keepCluster,
  keepControlPlane,
  keepDeployment,
  keepInfrastructureCluster,
  keepMachine,
  keepMachineSet,
  keepObject,
} from './keep.ts';

/** A kind that is watched, what is kept of its objects, and as which part of a cluster. */
export interface WatchedKind {
  kind: Kind;
  part: Part;
  keep: (object: KubeObject) => HeldObject;
}

export const watchedKinds = (infrastructure: InfrastructureKinds): WatchedKind[] => [
  { kind: clusters, part: 'cluster', keep: keepCluster },
  { kind: infrastructure.cluster, part: 'infrastructureCluster', keep: keepInfrastructureCluster },
  { kind: kubeadmControlPlanes, part: 'controlPlane', keep: keepControlPlane },
  { kind: machineDeployments, part: 'deployments', keep: keepDeployment },
  { kind: machineSets, part: 'machineSets', keep: keepMachineSet },
  { kind: machines, part: 'machines', keep: keepMachine },
  { kind: machineHealthChecks, part: 'healthChecks', keep: keepObject },
  { kind: kubeadmConfigTemplates, part: 'templates', keep: keepObject },
  { kind: infrastructure.machineTemplate, part: 'templates', keep: keepObject },
  { kind: infrastructure.machine, part: 'parts', keep: keepObject },
  { kind: kubeadmConfigs, part: 'parts', keep: keepObject },
];
