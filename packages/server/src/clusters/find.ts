import { Fault } from '@jeroboam/domain';
import {
  findClusters,
  identKind,
  type ClusterWithGroups,
  type Executor,
  type Scope,
} from '../store/index.ts';

export const clusterNotFound = (ident: string): Fault =>
  new Fault('not_found', `Cluster ${ident} could not be found.`);

/** The one cluster an identifier means for this caller. */
export async function findCluster(
  executor: Executor,
  ident: string,
  scope: Scope,
): Promise<ClusterWithGroups> {
  const kind = identKind(ident);
  const found = kind === 'nothing' ? [] : await findClusters(executor, kind, ident, scope);
  const [cluster, another] = found;
  if (cluster === undefined) throw clusterNotFound(ident);
  if (another !== undefined) {
    throw new Fault(
      'conflict',
      'Multiple clusters exist with same name. Please use the cluster uuid instead.',
    );
  }
  return cluster;
}
