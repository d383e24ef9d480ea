import { clusterSpec, diffLabels, isFailed } from '@jeroboam/domain';
import type { ClusterShown, ClusterShownWhole, ClusterSummary, NodeGroupRow } from '../../store/index.ts';
import { linksOf } from '../links.ts';
import { wholeNodeGroupView } from './node-group-view.ts';

/** From this microversion on the driver's name for a cluster is called cluster_id. */
const clusterIdMinor = 13;

const stackKey = (minor: number): 'cluster_id' | 'stack_id' =>
  minor >= clusterIdMinor ? 'cluster_id' : 'stack_id';

/** A cluster in a list. */
export const clusterSummaryView = (
  cluster: ClusterSummary,
  base: string,
  minor: number,
): Record<string, unknown> => ({
  uuid: cluster.uuid,
  name: cluster.name,
  cluster_template_id: cluster.cluster_template_id,
  keypair: cluster.keypair,
  node_count: cluster.node_count,
  master_count: cluster.master_count,
  docker_volume_size: cluster.docker_volume_size,
  labels: cluster.labels,
  master_flavor_id: cluster.master_flavor_id,
  flavor_id: cluster.flavor_id,
  create_timeout: cluster.create_timeout,
  links: linksOf(base, `clusters/${cluster.uuid}`),
  [stackKey(minor)]: cluster.stack_id,
  status: cluster.status,
  health_status: cluster.health_status,
  merge_labels: false,
});

/**
 * A cluster with everything about it; `faults` only alone, and only of a cluster that failed. Written out rather than
 * spread from the summary: long pages make this a thousand times.
 */
export function clusterView(
  cluster: ClusterShown,
  base: string,
  minor: number,
  options: { withFaults: boolean },
): Record<string, unknown> {
  const difference = diffLabels(cluster.template_labels, cluster.labels);
  const view: Record<string, unknown> = {
    uuid: cluster.uuid,
    name: cluster.name,
    cluster_template_id: cluster.cluster_template_id,
    keypair: cluster.keypair,
    node_count: cluster.node_count,
    master_count: cluster.master_count,
    docker_volume_size: cluster.docker_volume_size,
    labels: cluster.labels,
    master_flavor_id: cluster.master_flavor_id,
    flavor_id: cluster.flavor_id,
    create_timeout: cluster.create_timeout,
    links: linksOf(base, `clusters/${cluster.uuid}`),
    [stackKey(minor)]: cluster.stack_id,
    status: cluster.status,
    status_reason: cluster.status_reason,
    health_status: cluster.health_status,
    health_status_reason: cluster.health_status_reason,
    discovery_url: cluster.discovery_url,
    api_address: cluster.api_address,
    coe_version: cluster.coe_version,
    container_version: cluster.container_version,
    project_id: cluster.project_id,
    user_id: cluster.user_id,
    node_addresses: cluster.node_addresses,
    master_addresses: cluster.master_addresses,
    fixed_network: cluster.fixed_network,
    fixed_subnet: cluster.fixed_subnet,
    floating_ip_enabled: cluster.floating_ip_enabled,
    merge_labels: false,
    labels_overridden: difference.labels_overridden,
    labels_added: difference.labels_added,
    labels_skipped: difference.labels_skipped,
    master_lb_enabled: cluster.master_lb_enabled,
    created_at: cluster.created_at,
    updated_at: cluster.updated_at,
  };
  if (options.withFaults && isFailed(cluster.status)) view['faults'] = cluster.faults;
  return view;
}

/** What Magnum does not show of a cluster. */
const extensionAttributes = clusterSpec
  .filter(({ extension }) => extension === true)
  .map(({ name }) => name as keyof ClusterShownWhole);

/** A cluster with every attribute, as those see it who know of the extensions. */
export const wholeClusterView = (
  cluster: ClusterShownWhole,
  base: string,
  minor: number,
  options: { withFaults: boolean },
): Record<string, unknown> => ({
  ...clusterView(cluster, base, minor, options),
  ...Object.fromEntries(extensionAttributes.map((name) => [name, cluster[name]])),
  cluster_distro: cluster.cluster_distro,
});

/** The same with its groups. */
export const clusterWithGroupsView = (
  cluster: ClusterShownWhole & { groups: readonly NodeGroupRow[] },
  base: string,
  minor: number,
): Record<string, unknown> => ({
  ...wholeClusterView(cluster, base, minor, { withFaults: true }),
  nodegroups: cluster.groups.map((group) => wholeNodeGroupView(group, cluster.labels, base)),
});
