import type { Selectable } from 'kysely';
import { prepared } from './database.ts';
import type { Executor, Filter } from './listing.ts';
import type { NodeGroupTable } from './schema.ts';

export type NodeGroupRow = Selectable<NodeGroupTable>;

/** The groups of a cluster, or those of one role. */
export const nodeGroupFilter = (clusterUuid: string, role: string | null): Filter =>
  role === null
    ? { text: 't.cluster_uuid = $1', values: [clusterUuid] }
    : { text: 't.cluster_uuid = $1 and t.role = $2', values: [clusterUuid, role] };

/** A group of a cluster by uuid, name or number. */
export async function findNodeGroup(
  executor: Executor,
  clusterUuid: string,
  by: 'uuid' | 'name' | 'id',
  ident: string | number,
): Promise<NodeGroupRow | undefined> {
  const [group] = await prepared<NodeGroupRow>(
    executor,
    `nodegroup|${by}`,
    [clusterUuid, ident],
    () => `select * from nodegroup where cluster_uuid = $1 and ${by} = $2`,
  );
  return group;
}

export const nodeGroupsOf = (executor: Executor, clusterUuid: string): Promise<NodeGroupRow[]> =>
  prepared(
    executor,
    'nodegroups of a cluster',
    [clusterUuid],
    () => 'select * from nodegroup where cluster_uuid = $1 order by id',
  );
