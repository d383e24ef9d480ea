import type pg from 'pg';
import { createdTemplateName, type Sample } from '../scenarios.ts';
import {
  fillGroupsTemplate,
  fillTemplates,
  numberedTemplates,
  publicTemplates,
  templateCount,
} from './templates.ts';

interface Owner {
  project: string;
  user: string;
}

const batch = 11_000;
/** Every eleventh cluster is another project's, so that finding the caller's own is real work. */
const stride = 11;

/** Clusters as the API and the conductor leave them behind once they are complete. */
const insertClusters = `
  insert into cluster (uuid, name, project_id, user_id, cluster_template_id, template_name, template_labels, driver,
    coe, server_type, cluster_distro, image_id, keypair, docker_volume_size, labels, master_flavor_id, flavor_id,
    network_driver, volume_driver, external_network_id, dns_nameserver, registry_enabled, tls_disabled,
    floating_ip_enabled, master_lb_enabled, create_timeout, stack_id, api_address, coe_version, container_version,
    status, health_status, health_status_reason, ca_cert_ref, magnum_cert_ref, etcd_ca_cert_ref,
    front_proxy_ca_cert_ref, created_at, updated_at)
  select gen_random_uuid(), 'cluster-' || g, w.project, w.owner, t.uuid, t.name, t.labels, t.driver,
    t.coe, t.server_type, t.cluster_distro, t.image_id, t.keypair_id, t.docker_volume_size,
    case when g % 4 = 0 then t.labels || '{"boot_volume_size": "50", "monitoring_enabled": "true"}' else t.labels end,
    t.master_flavor_id, t.flavor_id, t.network_driver, t.volume_driver, t.external_network_id, t.dns_nameserver,
    t.registry_enabled, t.tls_disabled, t.floating_ip_enabled, t.master_lb_enabled, 60,
    'cluster-' || g || '-' || substr(md5(g::text), 1, 12),
    'https://172.24.' || g / 250 % 250 || '.' || g % 250 || ':6443', 'v1.31.4', '2.0.1',
    case when g % 10 = 0 then 'UPDATE_COMPLETE' else 'CREATE_COMPLETE' end, 'HEALTHY',
    jsonb_build_object('api', 'ok', 'nodes', 'ok'), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
    gen_random_uuid(), now() - g * interval '1 second', case when g % 10 = 0 then now() end
  from generate_series($1::int, $2::int) g
  cross join lateral (select
    case when g % ${stride} = 0 then md5('project' || g / ${stride} % 9) else $3 end as project,
    case when g % ${stride} = 0 then md5('user' || g / ${stride} % 9) else $4 end as owner,
    case when g % ${stride} = 0 then g / ${stride} % ${publicTemplates} else g % ${templateCount} end as template) w
  join ${numberedTemplates} t on t.n = w.template
  order by g`;

/** The two default groups of every cluster that has none yet. */
const insertGroups = `
  insert into nodegroup (uuid, name, cluster_uuid, project_id, docker_volume_size, labels, flavor_id, image_id,
    node_addresses, node_count, role, min_node_count, is_default, stack_id, status, version)
  select gen_random_uuid(), 'default-' || r.role, c.uuid, c.project_id, c.docker_volume_size, c.labels,
    case r.role when 'master' then c.master_flavor_id else c.flavor_id end, c.image_id,
    (select jsonb_agg('10.0.' || c.id % 250 || '.' || r.first + i) from generate_series(1, r.nodes) i),
    r.nodes, r.role, 0, true, c.stack_id, c.status, c.coe_version
  from cluster c cross join lateral (values
    ('master', 1 + c.id % 2 * 2, 10), ('worker', 1 + c.id % 5, 100)) r (role, nodes, first)
  where c.id > $1
  order by c.id, r.role`;

/** Fills the tables until the caller has so many clusters; others then have a tenth as many. */
export async function fillClusters(
  pool: pg.Pool,
  owner: Owner,
  clusters: number,
  stop: AbortSignal,
): Promise<void> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from cluster');
  const have = rows[0]?.count ?? 0;
  if (have === 0) {
    await fillTemplates(pool, owner);
    for (const groups of [1, 10]) await fillGroupsTemplate(pool, groups);
  }
  const wanted = (clusters / (stride - 1)) * stride;
  for (let from = have + 1; from <= wanted; from += batch) {
    stop.throwIfAborted();
    const last = await pool.query<{ id: number }>('select coalesce(max(id), 0)::int as id from cluster');
    await pool.query(insertClusters, [from, Math.min(from + batch - 1, wanted), owner.project, owner.user]);
    await pool.query(insertGroups, [last.rows[0]?.id ?? 0]);
  }
  await settle(pool);
}

/** What autovacuum and the checkpointer would do sooner or later is done now, outside of any measurement. */
async function settle(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum (analyze)');
  await pool.query('checkpoint');
}

const sampleSize = 1000;

/** Clusters from all over the caller's list. */
export async function drawSample(pool: pg.Pool, owner: Owner): Promise<Sample> {
  const drawn = await pool.query<{ uuid: string }>(
    'select uuid from cluster where project_id = $1 order by md5(uuid::text) limit $2',
    [owner.project, sampleSize],
  );
  const middle = await pool.query<{ uuid: string }>(
    `select uuid from cluster where project_id = $1 order by id
     offset (select count(*) / 2 from cluster where project_id = $1) limit 1`,
    [owner.project],
  );
  const [row] = middle.rows;
  if (row === undefined) throw new Error('no clusters were filled');
  return { clusters: drawn.rows.map(({ uuid }) => uuid), middle: row.uuid };
}

/** Templates that a scenario made must not weigh on the next one. */
export async function removeCreatedTemplates(pool: pg.Pool): Promise<void> {
  const { rowCount } = await pool.query('delete from cluster_template where name = $1', [
    createdTemplateName,
  ]);
  if ((rowCount ?? 0) > 0) await settle(pool);
}
