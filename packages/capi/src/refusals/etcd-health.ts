import { Fault, type DesiredChange } from '@jeroboam/domain';
import type { ClusterObjects } from '../cache/held.ts';
import { find, tell } from '../observe/conditions.ts';
import { controlPlaneOf } from '../render/render-cluster.ts';
import { groupBefore } from './rules.ts';

const memberConditions = ['EtcdMemberHealthy', 'EtcdPodHealthy'];
const wholeConditions = ['EtcdClusterHealthy', 'ControlPlaneComponentsHealthy'];

/**
 * A control plane grows and shrinks one member of etcd at a time, each time by agreement of the majority: begun with a
 * member that does not answer, that can end without a majority. A control plane that was never up has none to lose.
 */
export function etcdRefusals(change: DesiredChange, live: ClusterObjects): Fault[] {
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
  const members = live.machines.filter((machine) => machine.isControlPlane && machine.deletingSince === null);
  for (const machine of members) {
    const conditions = memberConditions.flatMap((type) => find(machine, type) ?? []);
    const ill = conditions.find(({ status }) => status !== 'True');
    if (ill !== undefined) return refused(tell(machine, ill));
  }
  for (const type of wholeConditions) {
    const condition = find(controlPlane, type);
    if (condition !== undefined && condition.status !== 'True') return refused(tell(controlPlane, condition));
  }
  return [];
}
