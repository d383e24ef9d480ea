import { sql, type Kysely } from 'kysely';

/** Every attribute in clusters, groups and templates alike; templates may leave any of them open. */
const statements = [
  `alter table cluster add column kubernetes_version text`,

  `alter table cluster_template
    alter column coe drop not null, alter column image_id drop not null,
    alter column registry_enabled drop not null, alter column tls_disabled drop not null,
    alter column server_type drop not null, alter column master_lb_enabled drop not null,
    alter column floating_ip_enabled drop not null,
    add column kubernetes_version text, add column node_count integer, add column master_count integer,
    add column create_timeout integer, add column discovery_url text,
    add column control_plane_only boolean not null default false`,

  `alter table nodegroup
    add column kubernetes_version text,
    add column root_volume jsonb,
    add column data_volumes jsonb not null default '[]',
    add column availability_zones jsonb not null default '[]',
    add column networks jsonb not null default '[]',
    add column security_groups jsonb not null default '[]',
    add column server_group_policy text,
    add column update_strategy text not null default 'rolling'`,

  // Templates within a cluster template go with it, and are as visible as it is: `public` and `hidden` are kept alike.
  `create table nodegroup_template (
    id integer generated always as identity primary key,
    uuid uuid not null unique,
    name text, project_id text not null, user_id text not null,
    cluster_template_id uuid references cluster_template (uuid) on delete cascade,
    role text, node_count integer, min_node_count integer, max_node_count integer,
    flavor_id text, image_id text, kubernetes_version text, docker_volume_size integer,
    labels jsonb, merge_labels boolean not null default false, node_labels jsonb, node_taints jsonb,
    root_volume jsonb, data_volumes jsonb, availability_zones jsonb, networks jsonb, security_groups jsonb,
    server_group_policy text, update_strategy text,
    public boolean not null, hidden boolean not null, tags text,
    created_at timestamptz not null default now(), updated_at timestamptz,
    unique (cluster_template_id, name)
  )`,
  `create index nodegroup_template_by_project on nodegroup_template (project_id, id)`,
  `create index nodegroup_template_by_name on nodegroup_template (name)`,
  `create index nodegroup_template_public on nodegroup_template (id) where public`,
];

export const wholeResources = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
