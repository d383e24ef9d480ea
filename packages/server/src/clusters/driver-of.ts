import type { Driver, DriverRegistry } from '@jeroboam/domain';
import type { ClusterRow } from '../store/index.ts';

/** The driver that makes and keeps a cluster. */
export const driverOf = (
  drivers: DriverRegistry,
  cluster: Pick<ClusterRow, 'driver' | 'server_type' | 'cluster_distro' | 'coe'>,
): Driver =>
  drivers.forCluster(cluster.driver, {
    serverType: cluster.server_type,
    os: cluster.cluster_distro ?? '',
    coe: cluster.coe,
  });
