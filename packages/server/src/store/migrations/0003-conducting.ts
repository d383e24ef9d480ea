import { sql, type Kysely } from 'kysely';

/** What conductors need to share clusters safely, to end what takes too long, and to tell what happened. */
const statements = [
  `alter table operation
    add column attempt integer not null default 0,
    add column holder integer, add column job uuid,
    add column deadline timestamptz`,
  `create index operation_held on operation (holder) where holder is not null`,
  `alter table cluster
    add column refused boolean not null default false,
    add column pending_template jsonb`,

  // They live and die with the cluster: what happened to it is nobody's business once it is gone.
  `create table event (
    id bigint generated always as identity primary key,
    cluster_uuid uuid not null references cluster (uuid) on delete cascade,
    project_id text not null,
    kind text not null, object text not null, reason text not null, message text not null, severity text not null,
    created_at timestamptz not null default clock_timestamp()
  )`,
  `create index event_by_cluster on event (cluster_uuid, id)`,
];

export const conducting = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
