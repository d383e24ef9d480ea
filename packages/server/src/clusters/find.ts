import { Fault } from '@jeroboam/domain';
import {
  findClusters,
  findClustersWithGroups,
  findParentClusters,
  findShownClusters,
  identKind,
  type ClusterShown,
  type ClusterRow,
  type ClusterWithGroups,
  type Executor,
  type FindClusters,
  type ParentCluster,
  type Scope,
} from '../store/index.ts';

export const clusterNotFound = (ident: string): Fault =>
  new Fault('not_found', `Cluster ${ident} could not be found.`);

async function only<Row>(
  find: FindClusters<Row>,
  executor: Executor,
  ident: string,
  scope: Scope,
): Promise<Row> {
  const kind = identKind(ident);
  const [cluster, another] = kind === 'nothing' ? [] : await find(executor, kind, ident, scope);
  if (cluster === undefined) throw clusterNotFound(ident);
  if (another === undefined) return cluster;
  throw new Fault('conflict', 'Multiple clusters exist with same name. Please use the cluster uuid instead.');
}

/** The one cluster an identifier means for this caller, whole. */
export const findCluster = (executor: Executor, ident: string, scope: Scope): Promise<ClusterRow> =>
  only(findClusters, executor, ident, scope);

/** The same, as it is shown. */
export const findShownCluster = (executor: Executor, ident: string, scope: Scope): Promise<ClusterShown> =>
  only(findShownClusters, executor, ident, scope);

/** The same, no more than its groups need. */
export const findParentCluster = (executor: Executor, ident: string, scope: Scope): Promise<ParentCluster> =>
  only(findParentClusters, executor, ident, scope);

/** The same, whole and with its groups as of one moment. */
export const findClusterWithGroups = (
  executor: Executor,
  ident: string,
  scope: Scope,
): Promise<ClusterWithGroups> => only(findClustersWithGroups, executor, ident, scope);
