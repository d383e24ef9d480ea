import type { DesiredCluster, ObservedMachine } from '@jeroboam/domain';
import { masterRole } from '@jeroboam/domain';
import type { ClusterObjects, HeldMachine } from '../cache/held.ts';

/** The machines of a cluster as the service shows them, masters first. */
export function observedMachines(cluster: DesiredCluster, live: ClusterObjects): ObservedMachine[] {
  const group = (machine: HeldMachine) => cluster.nodeGroups.find(({ uuid }) => uuid === machine.nodeGroup);
  return live.machines
    .toSorted(
      (one, other) =>
        Number(other.isControlPlane) - Number(one.isControlPlane) || one.name.localeCompare(other.name),
    )
    .map((machine) => ({
      name: machine.name,
      nodeGroup: group(machine)?.name ?? '',
      role: group(machine)?.role ?? (machine.isControlPlane ? masterRole : 'worker'),
      phase: machine.phase,
      addresses: machine.addresses,
      kubernetesVersion: machine.version,
      providerId: machine.providerId,
      nodeName: machine.nodeName,
      zone: machine.failureDomain,
      conditions: machine.conditions,
      createdAt: machine.createdAt,
      changedAt: lastChange(machine),
      deleting: machine.deletingSince !== null,
    }));
}

function lastChange({ createdAt, deletingSince, conditions }: HeldMachine): string | null {
  const times = [createdAt, deletingSince, ...conditions.map(({ changedAt }) => changedAt)];
  return (
    times
      .filter((time) => time !== null)
      .toSorted()
      .at(-1) ?? null
  );
}
