import { checkResize, Fault, invalidField, isDeleting, parseBody, resizeAttributes } from '@jeroboam/domain';
import { enforce, ownScope } from '../access.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';
import { acceptChange, beingDeleted, changeGroup } from './accept.ts';
import { allowsZeroNodes, zeroNodesRefused } from './create.ts';
import { driverOf } from './driver-of.ts';
import { groupRefusals } from './driver-refusals.ts';
import { findCluster } from './find.ts';
import { defaultWorkers, findNodeGroup } from './find-node-group.ts';

/** Gives a group another number of nodes. Whether a control plane can have it is the driver's to say. */
export async function resizeCluster(
  services: Services,
  caller: Caller,
  ident: string,
  body: unknown,
  minor: number,
): Promise<string> {
  const { options, store } = services;
  const parsed = parseBody(resizeAttributes, body);
  const nodeCount = parsed['node_count'];
  if (typeof nodeCount !== 'number')
    throw invalidField('node_count', nodeCount, 'Value should be an integer');
  if (nodeCount === 0 && !allowsZeroNodes(minor)) throw zeroNodesRefused();
  const cluster = await findCluster(store.pool, ident, ownScope(caller));
  enforce(options.policy, caller, 'cluster:resize', cluster);
  const groupIdent = parsed['nodegroup'];
  const group =
    typeof groupIdent === 'string'
      ? await findNodeGroup(store.pool, cluster.uuid, groupIdent)
      : await defaultWorkers(store.pool, cluster, 'name the group to resize in nodegroup');
  if (group.role === 'master') {
    const refusal = driverOf(options.drivers, cluster).validateMasterResize(nodeCount);
    if (refusal !== null) throw new Fault('not_supported', refusal, { field: 'node_count' });
  } else {
    checkResize(group.name, nodeCount, group.min_node_count, group.max_node_count);
  }
  if (isDeleting(cluster.status) || isDeleting(group.status))
    throw beingDeleted(isDeleting(cluster.status) ? cluster : group, 'Resizing');
  const nodesToRemove = (parsed['nodes_to_remove'] as string[] | null | undefined) ?? [];
  const change = { node_count: nodeCount };
  const [refusal] = await groupRefusals(services, cluster, group, change, nodesToRemove);
  if (refusal !== undefined) throw refusal;
  const summary = `The resize of ${group.name} from ${group.node_count} to ${nodeCount} nodes`;
  await acceptChange(
    services,
    cluster,
    async (transaction) => {
      await changeGroup(transaction, group, change);
      return {};
    },
    { detail: { nodesToRemove, summary }, caller },
  );
  return cluster.uuid;
}
