import type { Selectable, Insertable, Updateable } from 'kysely';
import { prepared, type Database } from './database.ts';
import type { Executor, Filter } from './listing.ts';
import type { ClusterTemplateTable } from './schema.ts';
import { scopeFilter, type Scope } from './scope.ts';

export type ClusterTemplateRow = Selectable<ClusterTemplateTable>;

/** Own templates, and those of others that are public and not hidden. */
export function visibleTemplates(scope: Scope): Filter {
  const own = scopeFilter(scope);
  return 'everything' in scope
    ? own
    : { text: `(${own.text} or (t.public and not t.hidden))`, values: own.values };
}

/** The templates of this uuid, name or number that are visible: none, one, or for a name several. */
export function findTemplates(
  executor: Executor,
  by: 'uuid' | 'name' | 'id',
  ident: string | number,
  scope: Scope,
): Promise<ClusterTemplateRow[]> {
  const filter = visibleTemplates(scope);
  const values = [...filter.values, ident];
  return prepared(
    executor,
    `template|${by}|${filter.text}`,
    values,
    () => `select t.* from cluster_template t where ${filter.text} and t.${by} = $${values.length} limit 2`,
  );
}

/** Undefined when the uuid is taken. */
export const insertTemplate = (
  database: Database,
  row: Insertable<ClusterTemplateTable>,
): Promise<ClusterTemplateRow | undefined> =>
  database
    .insertInto('cluster_template')
    .values(row)
    .onConflict((conflict) => conflict.column('uuid').doNothing())
    .returningAll()
    .executeTakeFirst();

/** Changes a template; the node-group templates it holds stay as visible as it is. Undefined when it is gone. */
export const updateTemplate = (
  database: Database,
  template: Pick<ClusterTemplateRow, 'id' | 'uuid'>,
  change: Updateable<ClusterTemplateTable>,
): Promise<ClusterTemplateRow | undefined> =>
  database.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('cluster_template')
      .set({ ...change, updated_at: new Date().toISOString() })
      .where('id', '=', template.id)
      .returningAll()
      .executeTakeFirst();
    if (row !== undefined && (change.public !== undefined || change.hidden !== undefined)) {
      await transaction
        .updateTable('nodegroup_template')
        .set({ public: row.public, hidden: row.hidden })
        .where('cluster_template_id', '=', template.uuid)
        .execute();
    }
    return row;
  });

export async function deleteTemplate(database: Database, id: number): Promise<boolean> {
  const result = await database.deleteFrom('cluster_template').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}
