import type { Selectable } from 'kysely';
import type { QueryResultRow } from 'pg';
import { prepared } from './database.ts';
import { pageKey, type Executor } from './listing.ts';
import { pageClauses, type Page } from './page.ts';
import type { ClusterTable } from './schema.ts';
import { scopeFilter, type Scope } from './scope.ts';

export type ClusterRow = Selectable<ClusterTable>;

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
  'node_count',
  'master_count',
] as const satisfies (keyof ClusterRow)[];

/** Those that it shows alone; the rest is for those who work on it, and costs time to read. */
export const viewColumns = [
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

export type ClusterSummary = Pick<ClusterRow, (typeof summaryColumns)[number]>;

export type ParentCluster = Pick<ClusterRow, (typeof parentColumns)[number]>;

export const named = (columns: readonly string[]): string =>
  columns.map((column) => `t.${column}`).join(', ');

/** Finds clusters by uuid or name within a scope: none, one, or for a name several. */
export type FindClusters<Row> = (
  executor: Executor,
  by: 'uuid' | 'name',
  ident: string,
  scope: Scope,
) => Promise<Row[]>;

export function finder<Row extends QueryResultRow>(what: string, select: string): FindClusters<Row> {
  return (executor, by, ident, scope) => {
    const filter = scopeFilter(scope);
    const values = [...filter.values, ident];
    // Two are enough to know that a name is ambiguous.
    const text = () => `${select} where ${filter.text} and t.${by} = $${values.length} limit 2`;
    return prepared(executor, `${what}|${by}|${filter.text}`, values, text);
  };
}

export const findClusters = finder<ClusterRow>('cluster', 'select t.* from cluster t');
export const findParentClusters = finder<ParentCluster>(
  'parent cluster',
  `select ${named(parentColumns)} from cluster t`,
);

/** Lists clusters: the page is cut first, and `select` makes the query out of what is left (known as `t`). */
export function lister<Row extends QueryResultRow>(
  what: string,
  select: (source: string) => string,
): (executor: Executor, page: Page, scope: Scope) => Promise<Row[]> {
  return (executor, page, scope) => {
    const filter = scopeFilter(scope);
    const clauses = pageClauses(page, 't', filter.values.length + 1);
    const values = [...filter.values, ...clauses.values, page.limit];
    return prepared(executor, pageKey(what, filter, page), values, () => {
      const cut = `(select t.* from cluster t where ${filter.text} and ${clauses.where} ${clauses.order} limit $${values.length})`;
      return `${select(cut)} ${clauses.order}`;
    });
  };
}

export const listClusterSummaries = lister<ClusterSummary>(
  'clusters',
  (source) => `select ${named(summaryColumns)} from ${source} t`,
);
