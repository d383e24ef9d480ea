import { Fault } from '@jeroboam/domain';
import { sql, type Kysely } from 'kysely';
import type { Schema } from '../store/index.ts';

/**
 * Refuses a cluster beyond the project's limit; clusters in any status count. Called once early, so that a
 * full project learns it first, and once more inside the transaction that writes, where it holds.
 */
export async function checkQuota(
  database: Kysely<Schema>,
  projectId: string,
  defaultLimit: number,
): Promise<void> {
  const { rows } = await sql<{ hard_limit: number | null; clusters: number }>`
    select (select hard_limit from quota where project_id = ${projectId} and resource = 'Cluster') as hard_limit,
           (select count(*)::int from cluster where project_id = ${projectId}) as clusters`.execute(database);
  const limit = rows[0]?.hard_limit ?? defaultLimit;
  if ((rows[0]?.clusters ?? 0) < limit) return;
  const message =
    `Resource limit exceeded: You have reached the maximum clusters per project, ${limit}. ` +
    'You may delete a cluster to make room for a new one.';
  throw new Fault('forbidden', message);
}

/** Creations of one project wait for each other here, so that a hundred at once still keep to the limit. */
export const lockProject = (database: Kysely<Schema>, projectId: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('quota'), hashtext(${projectId}))`.execute(database);
