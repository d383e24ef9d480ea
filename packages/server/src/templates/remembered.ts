import {
  identKind,
  scopeFilter,
  type ClusterRow,
  type ClusterTemplateRow,
  type Executor,
  type Scope,
} from '../store/index.ts';

/**
 * A template that was deleted, as the clusters that came from it remember it. Clients look a cluster's
 * template up to read `coe` or `tls_disabled` (`openstack coe cluster config`, Terraform, Horizon), so its id
 * goes on to answer for whoever can see such a cluster.
 */
export async function findRememberedTemplate(
  executor: Executor,
  ident: string,
  scope: Scope,
): Promise<ClusterTemplateRow | null> {
  if (identKind(ident) !== 'uuid') return null;
  const filter = scopeFilter(scope);
  const text = `select t.* from cluster t where ${filter.text} and t.cluster_template_id = $${filter.values.length + 1}
    and not exists (select 1 from cluster_template ct where ct.uuid = t.cluster_template_id) order by t.id limit 1`;
  const { rows } = await executor.query<ClusterRow>(text, [...filter.values, ident]);
  const [cluster] = rows;
  return cluster === undefined ? null : asTemplate(cluster);
}

const asTemplate = (cluster: ClusterRow): ClusterTemplateRow => ({
  id: 0,
  uuid: cluster.cluster_template_id,
  name: cluster.template_name,
  project_id: cluster.project_id,
  user_id: cluster.user_id,
  coe: cluster.coe,
  image_id: cluster.image_id,
  flavor_id: cluster.flavor_id,
  master_flavor_id: cluster.master_flavor_id,
  dns_nameserver: cluster.dns_nameserver,
  keypair_id: cluster.keypair,
  external_network_id: cluster.external_network_id,
  fixed_network: cluster.fixed_network,
  fixed_subnet: cluster.fixed_subnet,
  network_driver: cluster.network_driver,
  apiserver_port: cluster.apiserver_port,
  docker_volume_size: cluster.docker_volume_size,
  docker_storage_driver: cluster.docker_storage_driver,
  cluster_distro: cluster.cluster_distro,
  http_proxy: cluster.http_proxy,
  https_proxy: cluster.https_proxy,
  no_proxy: cluster.no_proxy,
  volume_driver: cluster.volume_driver,
  registry_enabled: cluster.registry_enabled,
  labels: cluster.template_labels,
  tls_disabled: cluster.tls_disabled,
  public: false,
  server_type: cluster.server_type,
  insecure_registry: cluster.insecure_registry,
  master_lb_enabled: cluster.master_lb_enabled,
  floating_ip_enabled: cluster.floating_ip_enabled,
  hidden: false,
  tags: null,
  driver: cluster.driver,
  kubernetes_version: cluster.kubernetes_version,
  node_count: null,
  master_count: null,
  create_timeout: cluster.create_timeout,
  discovery_url: cluster.discovery_url,
  control_plane_only: false,
  created_at: cluster.created_at,
  updated_at: cluster.updated_at,
});
