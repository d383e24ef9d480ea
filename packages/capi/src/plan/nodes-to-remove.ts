import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import type { ClusterObjects, HeldMachine } from '../cache/held.ts';

/** Whether somebody may mean a machine by a name: its own, its node's, the cloud's, or the last part of that. */
export const isMeant = (machine: HeldMachine, ident: string): boolean =>
  [machine.name, machine.nodeName, machine.providerId, machine.providerId?.split('/').at(-1)].includes(ident);

export const machinesOf = (live: ClusterObjects, group: DesiredNodeGroup): HeldMachine[] =>
  live.machines.filter((machine) => machine.nodeGroup === group.uuid);

/** The machines that are to be marked before their groups shrink. Of a group that does not shrink none may go. */
export function machinesToChoose(
  cluster: DesiredCluster,
  live: ClusterObjects,
  idents: readonly string[],
): HeldMachine[] {
  return cluster.nodeGroups.flatMap((group) => {
    const staying = machinesOf(live, group).filter(({ deletingSince }) => deletingSince === null);
    if (staying.length <= group.nodeCount) return [];
    return staying.filter(
      (machine) => !machine.chosenToGo && idents.some((ident) => isMeant(machine, ident)),
    );
  });
}
