import { randomUUID } from 'node:crypto';
import type { TemplateOfGroup } from '@jeroboam/domain';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { visibleTemplates, type ClusterTemplateRow } from './cluster-templates.ts';
import { prepared, type Database } from './database.ts';
import type { Executor } from './listing.ts';
import type { NodeGroupTemplateTable } from './schema.ts';
import type { Scope } from './scope.ts';

export type NodeGroupTemplateRow = Selectable<NodeGroupTemplateTable>;

/** Columns that hold documents. */
const documents = new Set([
  'labels',
  'node_labels',
  'node_taints',
  'root_volume',
  'data_volumes',
  'availability_zones',
  'networks',
  'security_groups',
]);

/** Attribute values as the store keeps them; null is open. */
export const storedGroupValues = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      documents.has(name) && value !== null ? JSON.stringify(value) : value,
    ]),
  );

/** The row of a new node-group template. Within a cluster template it is as visible as that. */
export function newGroupTemplateRow(
  template: Pick<TemplateOfGroup, 'name' | 'values' | 'mergesLabels'>,
  owner: {
    projectId: string;
    userId: string;
    clusterTemplate: { uuid: string; public: boolean; hidden: boolean } | null;
  },
): Insertable<NodeGroupTemplateTable> {
  const { clusterTemplate } = owner;
  return {
    ...storedGroupValues(template.values),
    uuid: randomUUID(),
    name: template.name,
    project_id: owner.projectId,
    user_id: owner.userId,
    cluster_template_id: clusterTemplate?.uuid ?? null,
    merge_labels: template.mergesLabels,
    public: clusterTemplate?.public ?? false,
    hidden: clusterTemplate?.hidden ?? false,
  };
}

/** The node-group templates of this uuid or name that are visible: none, one, or for a name several. */
export function findNodeGroupTemplates(
  executor: Executor,
  by: 'uuid' | 'name',
  ident: string,
  scope: Scope,
): Promise<NodeGroupTemplateRow[]> {
  const filter = visibleTemplates(scope);
  const values = [...filter.values, ident];
  return prepared(
    executor,
    `nodegroup template|${by}|${filter.text}`,
    values,
    () => `select t.* from nodegroup_template t where ${filter.text} and t.${by} = $${values.length} limit 2`,
  );
}

/** What a cluster template says to the node-group templates within it. */
export type Surrounding = Pick<ClusterTemplateRow, 'uuid' | 'name' | 'public' | 'hidden'> & {
  groups: Pick<NodeGroupTemplateRow, 'uuid' | 'name' | 'role'>[];
};

/**
 * A cluster template with what it holds; undefined when it is gone. Locked, it keeps others from changing either until
 * the transaction ends: what was found about its groups then still holds when one is written.
 */
export async function readSurrounding(
  database: Database,
  uuid: string,
  { locked }: { locked: boolean },
): Promise<Surrounding | undefined> {
  const query = database
    .selectFrom('cluster_template')
    .select(['uuid', 'name', 'public', 'hidden'])
    .where('uuid', '=', uuid);
  const clusterTemplate = await (locked ? query.forUpdate() : query).executeTakeFirst();
  if (clusterTemplate === undefined) return undefined;
  const groups = await database
    .selectFrom('nodegroup_template')
    .select(['uuid', 'name', 'role'])
    .where('cluster_template_id', '=', uuid)
    .orderBy('id')
    .execute();
  return { ...clusterTemplate, groups };
}

/** Undefined when the uuid, or the name within the cluster template, is taken. */
export const insertNodeGroupTemplate = (
  database: Database,
  row: Insertable<NodeGroupTemplateTable>,
): Promise<NodeGroupTemplateRow | undefined> =>
  database
    .insertInto('nodegroup_template')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

/** Undefined when it is gone. */
export const updateNodeGroupTemplate = (
  database: Database,
  id: number,
  change: Updateable<NodeGroupTemplateTable>,
): Promise<NodeGroupTemplateRow | undefined> =>
  database
    .updateTable('nodegroup_template')
    .set({ ...change, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

export async function deleteNodeGroupTemplate(database: Database, id: number): Promise<boolean> {
  const result = await database.deleteFrom('nodegroup_template').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
