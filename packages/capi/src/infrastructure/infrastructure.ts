import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import type { InfrastructureKinds } from '../kinds.ts';

/** An argument of kubelet, API server or the like; as a list, since some may be given twice. */
export interface Argument {
  name: string;
  value: string;
}

/** What nodes must be told at birth to fit the infrastructure they run on. */
export interface NodeRegistration {
  criSocket?: string;
  name?: string;
  kubeletExtraArgs?: readonly Argument[];
}

/** The machines under Cluster API: which kinds of objects describe them, and how. Pure, like all rendering. */
export interface Infrastructure {
  readonly name: string;
  readonly kinds: InfrastructureKinds;
  /**
   * The cluster's own part: networks, endpoint. `live` is the spec that is there already, null at first: fields
   * that can never change are copied from it.
   */
  clusterSpec(cluster: DesiredCluster, live: unknown): unknown;
  /** What a machine of a group is made from (`spec.template` of the template); another answer rolls the group. */
  machineTemplate(cluster: DesiredCluster, group: DesiredNodeGroup): unknown;
  /** Where all machines of a group are to be; null: anywhere. */
  failureDomain(cluster: DesiredCluster, group: DesiredNodeGroup): string | null;
  nodeRegistration(cluster: DesiredCluster, group: DesiredNodeGroup): NodeRegistration;
  /** Names and addresses beyond the endpoint for which the API server's certificate must be good. */
  apiServerNames(cluster: DesiredCluster): readonly string[];
}
