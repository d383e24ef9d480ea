import { BaseDriver, type ClusterType, type DesiredCluster, type ObservedCluster } from '@jeroboam/domain';

/** A driver with nothing but what every driver has. */
export class PlainDriver extends BaseDriver {
  readonly name: string;
  readonly provides: readonly ClusterType[];

  constructor(name = 'plain', provides: readonly ClusterType[] = []) {
    super();
    this.name = name;
    this.provides = provides;
  }

  prepareCluster(cluster: DesiredCluster): Promise<{ stackId: string }> {
    return Promise.resolve({ stackId: cluster.name });
  }

  createCluster(): Promise<void> {
    return Promise.resolve();
  }

  applyCluster(): Promise<void> {
    return Promise.resolve();
  }

  deleteCluster(): Promise<void> {
    return Promise.resolve();
  }

  observeCluster(): Promise<ObservedCluster> {
    return Promise.resolve({
      phase: 'ABSENT',
      reason: null,
      apiAddress: null,
      coeVersion: null,
      nodeGroups: [],
    });
  }
}
