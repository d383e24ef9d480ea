import { Client } from 'pg';

/** Runs statements on the database of a service, beside it. */
export async function withDatabase<T>(
  connectionString: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Fill {
  projectId: string;
  userId: string;
  count: number;
}

/**
 * Clusters with two groups each, written straight into the store. Every third has no value where there may be
 * none, and the values that are there repeat, so that sorting meets both.
 */
export const fillClusters = (client: Client, { projectId, userId, count }: Fill): Promise<unknown> =>
  client.query(
    `with made as (
      insert into cluster (uuid, name, project_id, user_id, cluster_template_id, template_labels, coe, server_type,
        image_id, labels, registry_enabled, tls_disabled, floating_ip_enabled, master_lb_enabled, status,
        keypair, docker_volume_size, flavor_id, master_flavor_id, stack_id, api_address, status_reason, health_status,
        create_timeout, discovery_url, coe_version, container_version, fixed_network, fixed_subnet,
        health_status_reason, updated_at, ca_cert_ref, magnum_cert_ref, etcd_ca_cert_ref, front_proxy_ca_cert_ref)
      select gen_random_uuid(), 'filled-' || n % 7, $1, $2, gen_random_uuid(), '{}', 'kubernetes', 'vm', 'image',
        jsonb_build_object('a', n % 5), false, false, n % 2 = 0, n % 4 = 0,
        (array['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_FAILED'])[n % 3 + 1],
        v, n % 6, v, v, v, v, v, case when v is null then null else 'HEALTHY' end,
        n % 9, v, v, v, v, v, jsonb_build_object('b', n % 4),
        case when v is null then null else now() - (n % 5) * interval '1 minute' end,
        gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid()
      from (select n, case when n % 3 = 0 then null else 'value-' || n % 4 end as v
            from generate_series(1, $3::int) as n) as numbered
      returning uuid)
    insert into nodegroup (uuid, name, cluster_uuid, project_id, labels, node_count, role, min_node_count, is_default, status)
    select gen_random_uuid(), 'default-' || role, made.uuid, $1, '{}', 1, role, 0, true, 'CREATE_COMPLETE'
    from made, (values ('master'), ('worker')) as roles (role)`,
    [projectId, userId, count],
  );

export const fillTemplates = (client: Client, { projectId, userId, count }: Fill): Promise<unknown> =>
  client.query(
    `insert into cluster_template (uuid, name, project_id, user_id, coe, image_id, registry_enabled, labels,
       tls_disabled, public, server_type, master_lb_enabled, floating_ip_enabled, hidden, flavor_id,
       docker_volume_size, tags, updated_at)
     select gen_random_uuid(), v, $1, $2, 'kubernetes', 'image', n % 2 = 0, jsonb_build_object('a', n % 5),
       false, n % 4 = 0, 'vm', false, n % 3 = 0, false, v, n % 5, v, case when v is null then null else now() end
     from (select n, case when n % 3 = 0 then null else 'value-' || n % 4 end as v
           from generate_series(1, $3::int) as n) as numbered`,
    [projectId, userId, count],
  );

/** More groups for one cluster. */
export const fillNodeGroups = (client: Client, cluster: string, count: number): Promise<unknown> =>
  client.query(
    `insert into nodegroup (uuid, name, cluster_uuid, project_id, labels, node_count, role, min_node_count,
       max_node_count, is_default, status, flavor_id, docker_volume_size, status_reason)
     select gen_random_uuid(), 'group-' || gen_random_uuid(), c.uuid, c.project_id, '{}', n % 6, 'worker', 0,
       case when n % 3 = 0 then null else n % 4 end, false, 'CREATE_COMPLETE',
       case when n % 3 = 0 then null else 'flavor-' || n % 4 end, n % 2, case when n % 4 = 0 then null else 'why' end
     from cluster c, generate_series(1, $2::int) as n where c.uuid = $1`,
    [cluster, count],
  );
