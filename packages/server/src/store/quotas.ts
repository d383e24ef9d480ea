import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import type { QuotaTable } from './schema.ts';

export type QuotaRow = Selectable<QuotaTable>;

export const findQuota = (
  database: Database,
  projectId: string,
  resource: string,
): Promise<QuotaRow | undefined> =>
  database
    .selectFrom('quota')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('resource', '=', resource)
    .executeTakeFirst();

/** Undefined when the project has a limit of this kind already. */
export const insertQuota = (
  database: Database,
  quota: { project_id: string; resource: string; hard_limit: number },
): Promise<QuotaRow | undefined> =>
  database
    .insertInto('quota')
    .values(quota)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateQuota = (
  database: Database,
  projectId: string,
  resource: string,
  hardLimit: number,
): Promise<QuotaRow | undefined> =>
  database
    .updateTable('quota')
    .set({ hard_limit: hardLimit, updated_at: new Date().toISOString() })
    .where('project_id', '=', projectId)
    .where('resource', '=', resource)
    .returningAll()
    .executeTakeFirst();

export async function deleteQuota(database: Database, projectId: string, resource: string): Promise<boolean> {
  const result = await database
    .deleteFrom('quota')
    .where('project_id', '=', projectId)
    .where('resource', '=', resource)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
