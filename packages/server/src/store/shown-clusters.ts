import { clusterSpec, isFailed } from '@jeroboam/domain';
import { finder, lister, named, viewColumns, type ClusterRow, type FindClusters } from './clusters.ts';
import type { Executor } from './listing.ts';
import type { Page } from './page.ts';
import type { NodeGroupRow } from './node-groups.ts';
import { isoTimestamp } from './reading.ts';
import type { Scope } from './scope.ts';
import type { ClusterWithGroups } from './sources.ts';

/** A cluster as it is shown, with what its groups add to it. */
export type ClusterShown = Pick<ClusterRow, (typeof viewColumns)[number]> & {
  node_addresses: string[];
  master_addresses: string[];
  /** Group → reason, of the groups that failed. */
  faults: Record<string, string | null>;
};

/** A group in such a row: PostgreSQL numbers the columns of a row that has no type. */
interface Group {
  /** name */
  f1: string;
  /** role */
  f2: string;
  /** node_addresses */
  f3: string[];
  /** status */
  f4: string;
  /** status_reason */
  f5: string | null;
}

type Document = Pick<ClusterRow, (typeof viewColumns)[number]> & { groups: Group[] };

/**
 * One cluster comes as one document: reading thirty columns costs the service twice as much CPU, most of it for what is
 * the same for all rows of a query, and aggregates over two or three groups cost the database more than the groups.
 */
const document = `
  select (select row_to_json(r) from (
    select ${named(viewColumns)}, array(
      select row(g.name, g.role, g.node_addresses, g.status, g.status_reason)
      from nodegroup g where g.cluster_uuid = t.uuid order by g.id) as groups) r)::text as document
  from cluster t`;

function shown({ document }: { document: string }): ClusterShown {
  const { groups, ...cluster } = JSON.parse(document) as Document;
  const masters = groups.filter((group) => group.f2 === 'master');
  const workers = groups.filter((group) => group.f2 !== 'master');
  return {
    ...cluster,
    created_at: isoTimestamp(cluster.created_at),
    updated_at: cluster.updated_at === null ? null : isoTimestamp(cluster.updated_at),
    node_addresses: workers.flatMap((group) => group.f3),
    master_addresses: masters.flatMap((group) => group.f3),
    faults: Object.fromEntries(
      groups.filter((group) => isFailed(group.f4)).map((group) => [group.f1, group.f5]),
    ),
  };
}

const findDocuments = finder<{ document: string }>('shown cluster', document);

/** Finds clusters to be shown: none, one, or for a name several. */
export const findShownClusters: FindClusters<ClusterShown> = async (executor, by, ident, scope) =>
  (await findDocuments(executor, by, ident, scope)).map(shown);

interface AddressLists {
  /** One list per group; null when there is no such group. */
  worker_lists: string[][] | null;
  master_lists: string[][] | null;
}

/** Many clusters come as rows: columns are then the cheaper form, and equal labels are one object. */
const rowLister = <Row extends object>(what: string, columns: readonly string[]) =>
  lister<Row & AddressLists>(
    what,
    (source) => `
  select ${named(columns)}, s.* from ${source} t cross join lateral (select
    jsonb_agg(g.node_addresses order by g.id) filter (where g.role <> 'master') as worker_lists,
    jsonb_agg(g.node_addresses order by g.id) filter (where g.role = 'master') as master_lists
    from nodegroup g where g.cluster_uuid = t.uuid) s`,
  );

type Addresses = Pick<ClusterShown, 'node_addresses' | 'master_addresses' | 'faults'>;

/** The faults of groups are only shown of a single cluster. */
const withAddresses = <Row extends AddressLists>(row: Row): Row & Addresses =>
  // Rows are ours alone and become what is shown where they are: a copy of each would double a long page.
  Object.assign(row, {
    node_addresses: row.worker_lists?.flat() ?? [],
    master_addresses: row.master_lists?.flat() ?? [],
    faults: {},
  });

const listRows = rowLister<Pick<ClusterRow, (typeof viewColumns)[number]>>('shown clusters', viewColumns);

/** Lists clusters to be shown. */
export const listShownClusters = async (
  executor: Executor,
  page: Page,
  scope: Scope,
): Promise<ClusterShown[]> => (await listRows(executor, page, scope)).map(withAddresses);

/** A cluster with all that makes it up, for those who know more than Magnum's clients. */
export type ClusterShownWhole = ClusterRow & Addresses;

/** The database keeps all of a cluster's attributes in columns of their names. */
const wholeColumns = [...new Set([...viewColumns, ...clusterSpec.map(({ name }) => name), 'cluster_distro'])];

const listWholeRows = rowLister<ClusterRow>('whole clusters', wholeColumns);

/** Lists clusters to be shown whole, without their groups. */
export const listWholeClusters = async (
  executor: Executor,
  page: Page,
  scope: Scope,
): Promise<ClusterShownWhole[]> => (await listWholeRows(executor, page, scope)).map(withAddresses);

/** The groups of a cluster that was read with them, as if each had been read alone: JSON has timestamps of its own. */
export const groupsOf = ({ groups }: ClusterWithGroups): NodeGroupRow[] =>
  groups.map((group) => ({
    ...group,
    created_at: isoTimestamp(group.created_at),
    updated_at: group.updated_at === null ? null : isoTimestamp(group.updated_at),
  }));

/** A cluster that was read with its groups, to be shown whole. */
export function shownWhole(cluster: ClusterWithGroups): ClusterShownWhole & { groups: NodeGroupRow[] } {
  const groups = groupsOf(cluster);
  const failed = groups.filter((group) => isFailed(group.status));
  const addressesOf = (some: readonly NodeGroupRow[]): string[] =>
    some.flatMap((group) => group.node_addresses);
  return {
    ...cluster,
    groups,
    node_addresses: addressesOf(groups.filter((group) => group.role !== 'master')),
    master_addresses: addressesOf(groups.filter((group) => group.role === 'master')),
    faults: Object.fromEntries(failed.map((group) => [group.name, group.status_reason])),
  };
}
