import type { Selectable } from 'kysely';
import type { QueryResultRow } from 'pg';
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

/** The columns that a cluster shows in a list. */
const summaryColumns = [
  'uuid',
  'name',
  'cluster_template_id',
  'keypair',
  'docker_volume_size',
  'labels',
  'status',
  'master_flavor_id',
  'flavor_id',
  'create_timeout',
  'health_status',
  'stack_id',
] as const satisfies (keyof ClusterRow)[];

/** Those that it shows alone; the rest is for those who work on it, and costs time to read. */
const viewColumns = [
  ...summaryColumns,
  'status_reason',
  'health_status_reason',
  'discovery_url',
  'api_address',
  'coe_version',
  'container_version',
  'project_id',
  'user_id',
  'fixed_network',
  'fixed_subnet',
  'floating_ip_enabled',
  'master_lb_enabled',
  'template_labels',
  'created_at',
  'updated_at',
] as const satisfies (keyof ClusterRow)[];

/** Enough to find one's way to the groups of a cluster. */
const parentColumns = ['uuid', 'project_id', 'user_id', 'labels'] as const satisfies (keyof ClusterRow)[];

export type ClusterSummary = ClusterCounts & Pick<ClusterRow, (typeof summaryColumns)[number]>;

/** A cluster as it is shown, with what its groups add to it. */
export type ClusterShown = ClusterCounts &
  Pick<ClusterRow, (typeof viewColumns)[number]> & {
    /** One list per group; a group without addresses gives an empty one. */
    worker_addresses: string[][] | null;
    master_addresses: string[][] | null;
    /** Group → reason, of the groups that failed. */
    group_faults: Record<string, string | null> | null;
  };

/** A whole cluster and the number of its nodes, for those who work on it. */
export type ClusterWithCounts = ClusterRow & ClusterCounts;

export type ParentCluster = Pick<ClusterRow, (typeof parentColumns)[number]>;

const named = (columns: readonly string[]): string => columns.map((column) => `t.${column}`).join(', ');

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

function findQuery(
  select: string,
  by: 'uuid' | 'name',
  ident: string,
  scope: Scope,
): { text: string; values: unknown[] } {
  const filter = scopeFilter(scope);
  // Two are enough to know that a name is ambiguous.
  const text = `${select} where ${filter.text} and t.${by} = $${filter.values.length + 1} limit 2`;
  return { text, values: [...filter.values, ident] };
}

/** Finds clusters by uuid or name within a scope: none, one, or for a name several. */
export type FindClusters<Row> = (
  executor: Executor,
  by: 'uuid' | 'name',
  ident: string,
  scope: Scope,
) => Promise<Row[]>;

function finder<Row extends QueryResultRow>(select: string): FindClusters<Row> {
  return (executor, by, ident, scope) => {
    const { text, values } = findQuery(select, by, ident, scope);
    return prepared(executor, text, values);
  };
}

export const findClusters = finder<ClusterWithCounts>(withGroups('t.*', counts, 'cluster'));
export const findShownClusters = finder<ClusterShown>(
  withGroups(named(viewColumns), groupColumns, 'cluster'),
);
export const findParentClusters = finder<ParentCluster>(`select ${named(parentColumns)} from cluster t`);

function listQuery(
  columns: readonly string[],
  aggregates: string,
  page: Page,
  scope: Scope,
): { text: string; values: unknown[] } {
  const filter = scopeFilter(scope);
  const clauses = pageClauses(page, 't', filter.values.length + 1);
  const values = [...filter.values, ...clauses.values, page.limit];
  // The page is cut before groups are joined: their cost follows the page, not the table.
  const cut = `(select t.* from cluster t where ${filter.text} and ${clauses.where} ${clauses.order} limit $${values.length})`;
  return { text: `${withGroups(named(columns), aggregates, cut)} ${clauses.order}`, values };
}

export function listClusterSummaries(
  executor: Executor,
  page: Page,
  scope: Scope,
): Promise<ClusterSummary[]> {
  const query = listQuery(summaryColumns, counts, page, scope);
  return prepared(executor, query.text, query.values);
}

export function listClusterDetails(executor: Executor, page: Page, scope: Scope): Promise<ClusterShown[]> {
  const query = listQuery(viewColumns, groupColumns, page, scope);
  return prepared(executor, query.text, query.values);
}
