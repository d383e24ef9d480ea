import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import type { ServiceTable } from './schema.ts';

export type ServiceRow = Selectable<ServiceTable>;

export const listServices = (database: Database): Promise<ServiceRow[]> =>
  database.selectFrom('service').selectAll().orderBy('id').execute();

/** Tells the others that the conductor of this host lives. */
export async function reportService(database: Database, host: string, binary: string): Promise<void> {
  const now = new Date().toISOString();
  const updated = await database
    .updateTable('service')
    .set((row) => ({ report_count: row('report_count', '+', 1), last_seen_up: now, updated_at: now }))
    .where('host', '=', host)
    .where('binary', '=', binary)
    .executeTakeFirst();
  if (updated.numUpdatedRows > 0n) return;
  await database
    .insertInto('service')
    .values({ host, binary, disabled: false, forced_down: false, report_count: 1, last_seen_up: now })
    .onConflict((conflict) => conflict.columns(['host', 'binary']).doNothing())
    .execute();
}
