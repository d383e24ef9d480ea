import type { DesiredCluster } from '@jeroboam/domain';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import { clusters } from '../kinds.ts';
import { clusterNameOf } from '../names.ts';
import { reference, rendered, type Rendered } from './rendered.ts';

/** What Magnum's drivers take where no label says otherwise. */
const networkDefaults = { pods: '10.100.0.0/16', services: '10.254.0.0/16', domain: 'cluster.local' };

/** The label that holds the pods' network goes by the name of the network driver. */
function podNetwork({ labels, networkDriver }: DesiredCluster): string {
  const byDriver = networkDriver === 'cilium' ? labels['cilium_ipv4pool'] : labels['calico_ipv4pool'];
  return byDriver ?? labels['calico_ipv4pool'] ?? labels['cilium_ipv4pool'] ?? networkDefaults.pods;
}

export const renderInfrastructureCluster = (
  cluster: DesiredCluster,
  infrastructure: Infrastructure,
  live: unknown,
): Rendered =>
  rendered(
    'infrastructure',
    infrastructure.kinds.cluster,
    clusterNameOf(cluster),
    { cluster },
    infrastructure.clusterSpec(cluster, live),
  );

/** The root of all; the endpoint is not among its fields, since the infrastructure fills it in. */
export const renderRoot = (
  cluster: DesiredCluster,
  parts: { infrastructureCluster: Rendered; controlPlane: Rendered },
): Rendered =>
  rendered(
    'cluster',
    clusters,
    clusterNameOf(cluster),
    { cluster },
    {
      clusterNetwork: {
        pods: { cidrBlocks: [podNetwork(cluster)] },
        services: { cidrBlocks: [cluster.labels['service_cluster_ip_range'] ?? networkDefaults.services] },
        serviceDomain: cluster.labels['dns_cluster_domain'] ?? networkDefaults.domain,
        ...(cluster.apiserverPort === null ? {} : { apiServerPort: cluster.apiserverPort }),
      },
      infrastructureRef: reference(parts.infrastructureCluster),
      controlPlaneRef: reference(parts.controlPlane),
    },
  );
