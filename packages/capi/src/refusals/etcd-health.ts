import { Fault } from '@jeroboam/domain';
import type { ClusterObjects, HeldMachine } from '../cache/held.ts';
import { find, tell } from '../observe/conditions.ts';
import { controlPlaneOf } from '../render/render-cluster.ts';
import { groupBefore, type Change } from './rules.ts';

const memberConditions = ['EtcdMemberHealthy', 'EtcdPodHealthy'];
const wholeConditions = ['EtcdClusterHealthy', 'ControlPlaneComponentsHealthy'];

const isIll = (machine: HeldMachine): boolean =>
  memberConditions.some((type) => {
    const condition = find(machine, type);
    return condition !== undefined && condition.status !== 'True';
  });

/**
 * A control plane grows and shrinks one member of etcd at a time, each time by agreement of the majority: begun with a
 * member that does not answer, that can end without a majority. A control plane that was never up has none to lose.
 */
export function etcdRefusals(change: Change, live: ClusterObjects): Fault[] {
  const masters = controlPlaneOf(change.after);
  const before = groupBefore(change, masters);
  const { controlPlane, cluster } = live;
  if (before === null || before.nodeCount === masters.nodeCount || controlPlane === null) return [];
  if (cluster === null || !cluster.controlPlaneInitialized) return [];
  const refused = (why: string): Fault[] => [
    new Fault('conflict', `The control plane cannot be resized while etcd is not healthy: ${why}`, {
      field: 'node_count',
    }),
  ];
  for (const machine of live.machines.filter((one) => one.isControlPlane && one.deletingSince === null)) {
    const ill = memberConditions
      .flatMap((type) => find(machine, type) ?? [])
      .find(({ status }) => status !== 'True');
    if (isIll(machine) && ill !== undefined) return refused(tell(machine, ill));
  }
  for (const type of wholeConditions) {
    const condition = find(controlPlane, type);
    if (condition !== undefined && condition.status !== 'True') return refused(tell(controlPlane, condition));
  }
  return [];
}
