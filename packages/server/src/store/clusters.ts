import type { Selectable } from 'kysely';
import { prepared } from './database.ts';
import type { Executor } from './listing.ts';
import { pageClauses, type Page } from './page.ts';
import type { ClusterTable } from './schema.ts';
import { scopeFilter, type Scope } from './scope.ts';

export type ClusterRow = Selectable<ClusterTable>;

/** What is summed over a cluster's groups: all whose role is not master, and the masters. */
export interface ClusterCounts {
  node_count: number;
  master_count: number;
}

export type ClusterSummary = ClusterCounts &
  Pick<
    ClusterRow,
    | 'uuid'
    | 'name'
    | 'cluster_template_id'
    | 'keypair'
    | 'docker_volume_size'
    | 'labels'
    | 'status'
    | 'master_flavor_id'
    | 'flavor_id'
    | 'create_timeout'
    | 'health_status'
    | 'stack_id'
  >;

/** A cluster with what its groups add to it. */
export interface ClusterWithGroups extends ClusterRow, ClusterCounts {
  /** One list per group; a group without addresses gives an empty one. */
  worker_addresses: string[][] | null;
  master_addresses: string[][] | null;
  /** Group → reason, of the groups that failed. */
  group_faults: Record<string, string | null> | null;
}

const summaryColumns = `t.id, t.uuid, t.name, t.cluster_template_id, t.keypair, t.docker_volume_size, t.labels, t.status,
  t.master_flavor_id, t.flavor_id, t.create_timeout, t.health_status, t.stack_id`;

// Not as int: two groups may each be as large as an integer is.
const counts = `
  coalesce(sum(g.node_count) filter (where g.role <> 'master'), 0)::float8 as node_count,
  coalesce(sum(g.node_count) filter (where g.role = 'master'), 0)::float8 as master_count`;

const groupColumns = `${counts},
  jsonb_agg(g.node_addresses order by g.id) filter (where g.role <> 'master') as worker_addresses,
  jsonb_agg(g.node_addresses order by g.id) filter (where g.role = 'master') as master_addresses,
  jsonb_object_agg(g.name, g.status_reason) filter (where g.status like '%\\_FAILED') as group_faults`;

/** Selects from `source` (known as `t`) with aggregates over the groups of each row. */
const withGroups = (columns: string, aggregates: string, source: string): string => `
  select ${columns}, s.* from ${source} t cross join lateral
    (select ${aggregates} from nodegroup g where g.cluster_uuid = t.uuid) s`;

/** The clusters of this uuid or name in scope: none, one, or for a name several. */
export function findClusters(
  executor: Executor,
  by: 'uuid' | 'name',
  ident: string,
  scope: Scope,
): Promise<ClusterWithGroups[]> {
  const filter = scopeFilter(scope);
  // Two are enough to know that a name is ambiguous.
  const text = `${withGroups('t.*', groupColumns, 'cluster')} where ${filter.text} and t.${by} = $${filter.values.length + 1} limit 2`;
  return prepared(executor, text, [...filter.values, ident]);
}

function listQuery(
  columns: string,
  aggregates: string,
  page: Page,
  scope: Scope,
): { text: string; values: unknown[] } {
  const filter = scopeFilter(scope);
  const clauses = pageClauses(page, 't', filter.values.length + 1);
  const values = [...filter.values, ...clauses.values, page.limit];
  // The page is cut before groups are joined: their cost follows the page, not the table.
  const cut = `(select t.* from cluster t where ${filter.text} and ${clauses.where} ${clauses.order} limit $${values.length})`;
  return { text: `${withGroups(columns, aggregates, cut)} ${clauses.order}`, values };
}

export function listClusterSummaries(
  executor: Executor,
  page: Page,
  scope: Scope,
): Promise<ClusterSummary[]> {
  const query = listQuery(summaryColumns, counts, page, scope);
  return prepared(executor, query.text, query.values);
}

export function listClusterDetails(
  executor: Executor,
  page: Page,
  scope: Scope,
): Promise<ClusterWithGroups[]> {
  const query = listQuery('t.*', groupColumns, page, scope);
  return prepared(executor, query.text, query.values);
}
