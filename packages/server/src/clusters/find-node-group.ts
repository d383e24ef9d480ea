import { controlPlaneName, defaultWorkersName, Fault, maxInteger } from '@jeroboam/domain';
import { findNodeGroup as find, identKind, type Executor, type NodeGroupRow } from '../store/index.ts';

export const nodeGroupNotFound = (ident: string): Fault =>
  new Fault('not_found', `Nodegroup ${ident} could not be found.`);

const numberIn = (ident: string): number | null => {
  const number = /^\d{1,10}$/.test(ident) ? Number(ident) : null;
  return number === null || number > maxInteger ? null : number;
};

/** The group of a cluster that an identifier means: its number, uuid or name. */
export async function findNodeGroup(
  executor: Executor,
  clusterUuid: string,
  ident: string,
): Promise<NodeGroupRow> {
  const kind = identKind(ident);
  const number = numberIn(ident);
  const byNumber = number === null ? undefined : await find(executor, clusterUuid, 'id', number);
  const group = byNumber ?? (kind === 'nothing' ? undefined : await find(executor, clusterUuid, kind, ident));
  if (group === undefined) throw nodeGroupNotFound(ident);
  return group;
}

/** The same among groups that were read already. */
export function groupAmong(groups: readonly NodeGroupRow[], ident: string): NodeGroupRow {
  const number = numberIn(ident);
  const kind = identKind(ident);
  const group =
    groups.find(({ id }) => id === number) ??
    (kind === 'nothing' ? undefined : groups.find((each) => each[kind] === ident));
  if (group === undefined) throw nodeGroupNotFound(ident);
  return group;
}

/** A cluster need not have the group that Magnum's clients mean when they name none. */
export const noDefaultWorkers = (cluster: string, instead: string): Fault =>
  new Fault('not_found', `Cluster ${cluster} has no node group ${defaultWorkersName}: ${instead}.`, {
    field: 'node_count',
  });

const findByName = (executor: Executor, clusterUuid: string, name: string) =>
  find(executor, clusterUuid, 'name', name);

/** The group that a number of nodes means when it names none. */
export async function defaultWorkers(
  executor: Executor,
  cluster: { uuid: string; name: string },
  instead: string,
): Promise<NodeGroupRow> {
  const workers = await findByName(executor, cluster.uuid, defaultWorkersName);
  if (workers === undefined) throw noDefaultWorkers(cluster.name, instead);
  return workers;
}

/** One of the groups that stand for the whole cluster: the default workers, else the control plane. */
export async function anyDefaultGroup(executor: Executor, clusterUuid: string): Promise<NodeGroupRow> {
  const group =
    (await findByName(executor, clusterUuid, defaultWorkersName)) ??
    (await findByName(executor, clusterUuid, controlPlaneName));
  if (group === undefined) throw nodeGroupNotFound(controlPlaneName);
  return group;
}
