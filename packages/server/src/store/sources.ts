import type { ClusterTemplateRow } from './cluster-templates.ts';
import { visibleTemplates } from './cluster-templates.ts';
import { finder, type ClusterRow, type FindClusters } from './clusters.ts';
import { prepared } from './database.ts';
import { isUuid } from './identifiers.ts';
import type { Executor } from './listing.ts';
import type { NodeGroupTemplateRow } from './node-group-templates.ts';
import type { NodeGroupRow } from './node-groups.ts';
import { scopeFilter, type Scope } from './scope.ts';

/** A template with all its node-group templates, read as one. */
export type TemplateWithGroups = ClusterTemplateRow & { groups: NodeGroupTemplateRow[] };

const templateGroups = `(select coalesce(json_agg(n order by n.id), '[]') from nodegroup_template n
  where n.cluster_template_id = t.uuid) as groups`;

/** The visible templates of this uuid, name or number: none, one, or for a name several. */
export function findTemplatesWithGroups(
  executor: Executor,
  by: 'uuid' | 'name' | 'id',
  ident: string | number,
  scope: Scope,
): Promise<TemplateWithGroups[]> {
  const filter = visibleTemplates(scope);
  const values = [...filter.values, ident];
  return prepared(
    executor,
    `template with groups|${by}|${filter.text}`,
    values,
    () =>
      `select t.*, ${templateGroups} from cluster_template t
       where ${filter.text} and t.${by} = $${values.length} limit 2`,
  );
}

/** A cluster with all its groups, read as one. */
export type ClusterWithGroups = ClusterRow & { groups: NodeGroupRow[] };

export const findClustersWithGroups: FindClusters<ClusterWithGroups> = finder<ClusterWithGroups>(
  'cluster with groups',
  `select t.*, (select coalesce(json_agg(g order by g.id), '[]') from nodegroup g
     where g.cluster_uuid = t.uuid) as groups from cluster t`,
);

/** The visible node-group templates that have one of these uuids or names; of a name, two at most. */
export function findNodeGroupTemplatesByIdents(
  executor: Executor,
  uuids: readonly string[],
  names: readonly string[],
  scope: Scope,
): Promise<NodeGroupTemplateRow[]> {
  const filter = visibleTemplates(scope);
  const first = filter.values.length + 1;
  return prepared(
    executor,
    `nodegroup templates by idents|${filter.text}`,
    [...filter.values, uuids, names],
    () => `select * from (
      select t.*, row_number() over (partition by t.name order by t.id) as place from nodegroup_template t
      where ${filter.text} and (t.uuid = any($${first}::uuid[]) or t.name = any($${first + 1}::text[]))) r
      where r.place <= 2 or r.uuid = any($${first}::uuid[])`,
  );
}

/** A group of some cluster that is a source. */
export type SourceNodeGroup = NodeGroupRow & { cluster_name: string };

/** The groups of visible clusters that have one of these uuids, or are called so in a cluster called so. */
export function findSourceNodeGroups(
  executor: Executor,
  uuids: readonly string[],
  paths: readonly { cluster: string; group: string }[],
  scope: Scope,
): Promise<SourceNodeGroup[]> {
  const filter = scopeFilter(scope);
  const first = filter.values.length + 1;
  const byName = paths.filter(({ cluster }) => !isUuid(cluster));
  const byUuid = paths.filter(({ cluster }) => isUuid(cluster));
  const columns = [byName, byUuid].flatMap((some) => [
    some.map(({ cluster }) => cluster),
    some.map(({ group }) => group),
  ]);
  return prepared(
    executor,
    `source nodegroups|${filter.text}`,
    [...filter.values, uuids, ...columns],
    () => `
      select g.*, t.name as cluster_name from nodegroup g join cluster t on t.uuid = g.cluster_uuid
      where ${filter.text} and g.uuid = any($${first}::uuid[])
      union
      select g.*, t.name as cluster_name
      from unnest($${first + 1}::text[], $${first + 2}::text[]) as p (cluster, name)
      join cluster t on t.name = p.cluster
      join nodegroup g on g.cluster_uuid = t.uuid and g.name = p.name
      where ${filter.text}
      union
      select g.*, t.name as cluster_name
      from unnest($${first + 3}::uuid[], $${first + 4}::text[]) as p (cluster, name)
      join cluster t on t.uuid = p.cluster
      join nodegroup g on g.cluster_uuid = t.uuid and g.name = p.name
      where ${filter.text}`,
  );
}
