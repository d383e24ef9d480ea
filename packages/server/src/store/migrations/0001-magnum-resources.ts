import { sql, type Kysely } from 'kysely';

/** Magnum's resources, with the attributes of a cluster whole in its own row. */
const statements = [
  `create table cluster_template (
    id integer generated always as identity primary key,
    uuid uuid not null unique,
    name text, project_id text not null, user_id text not null,
    coe text not null, image_id text not null, flavor_id text, master_flavor_id text,
    dns_nameserver text, keypair_id text, external_network_id text, fixed_network text, fixed_subnet text,
    network_driver text, apiserver_port integer, docker_volume_size integer, docker_storage_driver text,
    cluster_distro text, http_proxy text, https_proxy text, no_proxy text, volume_driver text,
    registry_enabled boolean not null, labels jsonb not null, tls_disabled boolean not null,
    public boolean not null, server_type text not null, insecure_registry text,
    master_lb_enabled boolean not null, floating_ip_enabled boolean not null, hidden boolean not null,
    tags text, driver text,
    created_at timestamptz not null default now(), updated_at timestamptz
  )`,
  `create index cluster_template_by_project on cluster_template (project_id, id)`,
  `create index cluster_template_by_name on cluster_template (name)`,
  `create index cluster_template_public on cluster_template (id) where public`,

  `create table cluster (
    id integer generated always as identity primary key,
    uuid uuid not null unique,
    name text not null, project_id text not null, user_id text not null,
    cluster_template_id uuid not null, template_name text, template_labels jsonb not null,
    driver text, coe text not null, server_type text not null, cluster_distro text, image_id text not null,
    keypair text, docker_volume_size integer, docker_storage_driver text, labels jsonb not null,
    master_flavor_id text, flavor_id text, network_driver text, volume_driver text,
    external_network_id text, fixed_network text, fixed_subnet text, dns_nameserver text, apiserver_port integer,
    http_proxy text, https_proxy text, no_proxy text, registry_enabled boolean not null, insecure_registry text,
    tls_disabled boolean not null, floating_ip_enabled boolean not null, master_lb_enabled boolean not null,
    create_timeout integer, discovery_url text,
    node_count float8 not null default 0, master_count float8 not null default 0,
    stack_id text, api_address text, coe_version text, container_version text,
    status text not null, status_reason text, health_status text, health_status_reason jsonb not null default '{}',
    ca_cert_ref uuid not null, magnum_cert_ref uuid not null,
    etcd_ca_cert_ref uuid not null, front_proxy_ca_cert_ref uuid not null,
    created_at timestamptz not null default now(), updated_at timestamptz
  )`,
  `create index cluster_by_project on cluster (project_id, id)`,
  `create index cluster_by_user on cluster (user_id, id)`,
  `create index cluster_by_project_name on cluster (project_id, name nulls first, id)`,
  `create index cluster_by_name on cluster (name)`,
  `create index cluster_by_template on cluster (cluster_template_id)`,
  `create index cluster_in_progress on cluster (id) where status like '%\\_IN\\_PROGRESS'`,

  `create table nodegroup (
    id integer generated always as identity primary key,
    uuid uuid not null unique,
    name text not null,
    cluster_uuid uuid not null references cluster (uuid) on delete cascade,
    project_id text not null, docker_volume_size integer, labels jsonb not null,
    flavor_id text, image_id text, node_addresses jsonb not null default '[]',
    node_count integer not null, role text not null, min_node_count integer not null, max_node_count integer,
    is_default boolean not null, stack_id text, status text not null, status_reason text, version text,
    node_labels jsonb not null default '{}', node_taints jsonb not null default '[]',
    created_at timestamptz not null default now(), updated_at timestamptz,
    unique (cluster_uuid, name)
  )`,

  // A cluster shows the sums over its groups, and lists of a thousand must not look into two thousand groups for them.
  // Kept by the database itself, they are right whoever writes. Not integers: two groups may each be as large as one.
  `create function sum_nodes() returns trigger language plpgsql as $$
    begin
      update cluster c set node_count = s.nodes, master_count = s.masters
      from (
        select d.cluster_uuid,
          coalesce(sum(g.node_count) filter (where g.role <> 'master'), 0) as nodes,
          coalesce(sum(g.node_count) filter (where g.role = 'master'), 0) as masters
        from (select distinct cluster_uuid from changed) d left join nodegroup g on g.cluster_uuid = d.cluster_uuid
        group by d.cluster_uuid
      ) s
      where c.uuid = s.cluster_uuid and (c.node_count, c.master_count) is distinct from (s.nodes, s.masters);
      return null;
    end $$`,
  `create trigger nodegroup_inserted after insert on nodegroup
    referencing new table as changed for each statement execute function sum_nodes()`,
  `create trigger nodegroup_updated after update on nodegroup
    referencing new table as changed for each statement execute function sum_nodes()`,
  `create trigger nodegroup_deleted after delete on nodegroup
    referencing old table as changed for each statement execute function sum_nodes()`,

  `create table quota (
    id integer generated always as identity primary key,
    project_id text not null, resource text not null, hard_limit integer not null,
    created_at timestamptz not null default now(), updated_at timestamptz,
    unique (project_id, resource)
  )`,

  `create table service (
    id integer generated always as identity primary key,
    host text not null, "binary" text not null,
    disabled boolean not null default false, disabled_reason text,
    last_seen_up timestamptz not null default now(), forced_down boolean not null default false,
    report_count integer not null default 0,
    created_at timestamptz not null default now(), updated_at timestamptz,
    unique (host, "binary")
  )`,

  `create table certificate (
    ref uuid primary key,
    cluster_uuid uuid not null references cluster (uuid) on delete cascade,
    certificate_pem text not null, sealed_private_key text not null,
    created_at timestamptz not null default now()
  )`,
  `create index certificate_by_cluster on certificate (cluster_uuid)`,

  `create table operation (
    id integer generated always as identity primary key,
    cluster_uuid uuid not null references cluster (uuid) on delete cascade,
    kind text not null, detail jsonb not null default '{}', started boolean not null default false,
    accepted_at timestamptz not null default now()
  )`,
  `create index operation_by_cluster on operation (cluster_uuid, id)`,
];

export const magnumResources = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
