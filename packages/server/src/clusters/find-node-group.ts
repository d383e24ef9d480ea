import { Fault, maxInteger } from '@jeroboam/domain';
import { findNodeGroup as find, identKind, type Executor, type NodeGroupRow } from '../store/index.ts';

export const nodeGroupNotFound = (ident: string): Fault =>
  new Fault('not_found', `Nodegroup ${ident} could not be found.`);

/** The group of a cluster that an identifier means: its number, uuid or name. */
export async function findNodeGroup(
  executor: Executor,
  clusterUuid: string,
  ident: string,
): Promise<NodeGroupRow> {
  const kind = identKind(ident);
  const number = /^\d{1,10}$/.test(ident) ? Number(ident) : null;
  const byNumber =
    number === null || number > maxInteger ? undefined : await find(executor, clusterUuid, 'id', number);
  const group = byNumber ?? (kind === 'nothing' ? undefined : await find(executor, clusterUuid, kind, ident));
  if (group === undefined) throw nodeGroupNotFound(ident);
  return group;
}

/** The group an action means when it names none. */
export async function defaultWorkers(executor: Executor, clusterUuid: string): Promise<NodeGroupRow> {
  return findNodeGroup(executor, clusterUuid, 'default-worker');
}
