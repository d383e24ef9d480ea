import { randomUUID } from 'node:crypto';
import type { Labels } from '@jeroboam/domain';
import type { Services } from '../services.ts';
import { acceptOperation, drawCertificateRefs, type ClusterTemplateRow } from '../store/index.ts';
import { checkQuota, lockProject } from './quota.ts';

/** A cluster to be, with everything decided. */
export interface NewCluster {
  uuid: string;
  name: string;
  template: ClusterTemplateRow;
  keypair: string | null;
  nodeCount: number;
  masterCount: number;
  dockerVolumeSize: number | null;
  labels: Labels;
  masterFlavorId: string | null;
  flavorId: string | null;
  createTimeout: number | null;
  discoveryUrl: string | null;
  fixedNetwork: string | null;
  fixedSubnet: string | null;
  floatingIpEnabled: boolean;
  masterLbEnabled: boolean;
}

/** A label may say how few workers the default group may shrink to. */
function minimumFromLabel(labels: Labels, nodeCount: number): number {
  const minimum = Number(labels['min_node_count'] ?? 0);
  return Number.isInteger(minimum) && minimum >= 0 ? Math.min(minimum, nodeCount) : 0;
}

/**
 * Writes a cluster, its default groups, the references of its certificates and the work to be done, all or
 * nothing, so that whoever got the answer can read it back at once.
 */
export async function insertCluster(
  services: Services,
  cluster: NewCluster & { projectId: string; userId: string },
): Promise<void> {
  const { template } = cluster;
  const group = (
    name: string,
    role: string,
    nodeCount: number,
    flavorId: string | null,
    minimum: number,
  ) => ({
    uuid: randomUUID(),
    name,
    role,
    cluster_uuid: cluster.uuid,
    project_id: cluster.projectId,
    docker_volume_size: cluster.dockerVolumeSize,
    labels: JSON.stringify(cluster.labels),
    flavor_id: flavorId,
    image_id: template.image_id,
    node_addresses: '[]',
    node_count: nodeCount,
    min_node_count: minimum,
    max_node_count: null,
    is_default: true,
    status: 'CREATE_IN_PROGRESS' as const,
    node_labels: '{}',
    node_taints: '[]',
  });
  await services.store.database.transaction().execute(async (transaction) => {
    await lockProject(transaction, cluster.projectId);
    await checkQuota(transaction, cluster.projectId, services.options.maxClustersPerProject);
    await transaction
      .insertInto('cluster')
      .values({
        uuid: cluster.uuid,
        name: cluster.name,
        project_id: cluster.projectId,
        user_id: cluster.userId,
        cluster_template_id: template.uuid,
        template_name: template.name,
        template_labels: JSON.stringify(template.labels),
        driver: template.driver,
        coe: template.coe,
        server_type: template.server_type,
        cluster_distro: template.cluster_distro,
        image_id: template.image_id,
        keypair: cluster.keypair,
        docker_volume_size: cluster.dockerVolumeSize,
        docker_storage_driver: template.docker_storage_driver,
        labels: JSON.stringify(cluster.labels),
        master_flavor_id: cluster.masterFlavorId,
        flavor_id: cluster.flavorId,
        network_driver: template.network_driver,
        volume_driver: template.volume_driver,
        external_network_id: template.external_network_id,
        fixed_network: cluster.fixedNetwork,
        fixed_subnet: cluster.fixedSubnet,
        dns_nameserver: template.dns_nameserver,
        apiserver_port: template.apiserver_port,
        http_proxy: template.http_proxy,
        https_proxy: template.https_proxy,
        no_proxy: template.no_proxy,
        registry_enabled: template.registry_enabled,
        insecure_registry: template.insecure_registry,
        tls_disabled: template.tls_disabled,
        floating_ip_enabled: cluster.floatingIpEnabled,
        master_lb_enabled: cluster.masterLbEnabled,
        create_timeout: cluster.createTimeout,
        discovery_url: cluster.discoveryUrl,
        status: 'CREATE_IN_PROGRESS',
        health_status_reason: '{}',
        ...drawCertificateRefs(),
      })
      .execute();
    const minimum = minimumFromLabel(cluster.labels, cluster.nodeCount);
    await transaction
      .insertInto('nodegroup')
      .values([
        group('default-master', 'master', cluster.masterCount, cluster.masterFlavorId, 0),
        group('default-worker', 'worker', cluster.nodeCount, cluster.flavorId, minimum),
      ])
      .execute();
    await acceptOperation(transaction, cluster.uuid, 'create');
  });
}
