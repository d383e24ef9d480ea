import type pg from 'pg';

export const templateCount = 20;
/** So many of them are public; clusters of other projects come from these. */
export const publicTemplates = 5;

/** The templates that clusters come from, as the API would have written them for the caller. */
export async function fillTemplates(pool: pg.Pool, owner: { project: string; user: string }): Promise<void> {
  await pool.query(
    `insert into cluster_template (uuid, name, project_id, user_id, coe, image_id, flavor_id, master_flavor_id,
       dns_nameserver, keypair_id, external_network_id, network_driver, docker_volume_size, cluster_distro,
       volume_driver, registry_enabled, labels, tls_disabled, public, server_type, master_lb_enabled,
       floating_ip_enabled, hidden, driver)
     select gen_random_uuid(), 'bench-template-' || n, $1, $2, 'kubernetes', 'ubuntu-kube-v1.31', 'm1.small', 'm1.small',
       '8.8.8.8', 'default', 'public', 'calico', 20, 'ubuntu',
       'cinder', false,
       jsonb_build_object('kube_tag', 'v1.31.' || n % 5, 'boot_volume_size', '20', 'boot_volume_type', 'fast',
         'auto_healing_enabled', 'true', 'auto_scaling_enabled', 'false', 'octavia_provider', 'ovn'),
       false, n < $3, 'vm', true, true, false, 'k8s_capi_helm_v1'
     from generate_series(0, $4 - 1) n`,
    [owner.project, owner.user, publicTemplates, templateCount],
  );
}

/** Templates that hold so many groups, for scenarios that make clusters of them. */
export const groupsTemplate = (groups: number): string => `bench-groups-${groups}`;

/** A copy of the first template with node-group templates of its own. */
export async function fillGroupsTemplate(pool: pg.Pool, groups: number): Promise<void> {
  const name = groupsTemplate(groups);
  await pool.query(
    `insert into cluster_template (uuid, name, project_id, user_id, coe, image_id, flavor_id, master_flavor_id,
       dns_nameserver, keypair_id, external_network_id, network_driver, docker_volume_size, cluster_distro,
       volume_driver, registry_enabled, labels, tls_disabled, public, server_type, master_lb_enabled,
       floating_ip_enabled, hidden, driver)
     select gen_random_uuid(), $1, project_id, user_id, coe, image_id, flavor_id, master_flavor_id,
       dns_nameserver, keypair_id, external_network_id, network_driver, docker_volume_size, cluster_distro,
       volume_driver, registry_enabled, labels, tls_disabled, false, server_type, master_lb_enabled,
       floating_ip_enabled, false, driver
     from cluster_template where name = 'bench-template-0'`,
    [name],
  );
  await pool.query(
    `insert into nodegroup_template (uuid, name, project_id, user_id, cluster_template_id, node_count, flavor_id,
       node_labels, availability_zones, public, hidden)
     select gen_random_uuid(), 'group-' || n, t.project_id, t.user_id, t.uuid, n, 'm1.large',
       jsonb_build_object('group', 'group-' || n), '["nova"]', false, false
     from cluster_template t, generate_series(1, $2) n where t.name = $1`,
    [name, groups],
  );
}

/** A template's number, for joining: the templates in the order in which they were made. */
export const numberedTemplates = `(select *, row_number() over (order by id) - 1 as n
  from cluster_template where name like 'bench-template-%')`;
