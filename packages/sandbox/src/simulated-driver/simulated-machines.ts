import type { DesiredCluster, ObservedCondition, ObservedMachine } from '@jeroboam/domain';

/** What a group of machines that are not there looks like. */
export interface SimulatedMachines {
  nodeCount: number;
  deleting: boolean;
  fault: string | null;
}

export interface SimulatedStand {
  readyAt: number;
  deleting: boolean;
  version: string | null;
  groups: Readonly<Record<string, SimulatedMachines>>;
}

/** Nothing keeps one from asking for two thousand million machines that are not there. */
const mostShown = 1_000;

function readiness(fault: string | null, ready: boolean, changedAt: string): ObservedCondition {
  const said = { type: 'Ready', changedAt };
  if (fault !== null) return { ...said, status: 'False', reason: 'FlavorTooSmall', message: fault };
  return ready
    ? { ...said, status: 'True', reason: 'Ready', message: null }
    : { ...said, status: 'False', reason: 'Provisioning', message: null };
}

function phaseOf(stand: SimulatedStand, group: SimulatedMachines, ready: boolean): string {
  if (stand.deleting || group.deleting) return 'Deleting';
  if (group.fault !== null) return 'Failed';
  return ready ? 'Running' : 'Provisioning';
}

/** The machines a cluster would have: as many as its groups want, with names and addresses that stay theirs. */
export function simulatedMachines(
  cluster: DesiredCluster,
  stand: SimulatedStand,
  now: number,
): ObservedMachine[] {
  const ready = now >= stand.readyAt;
  const changedAt = new Date(stand.readyAt).toISOString();
  let host = 9;
  return Object.entries(stand.groups).flatMap(([name, group]) => {
    // Its nodes are gone when the work is.
    if (group.deleting && ready) return [];
    const desired = cluster.nodeGroups.find((each) => each.name === name);
    return Array.from({ length: Math.min(group.nodeCount, mostShown) }, (_, index): ObservedMachine => {
      host += 1;
      const machine = `${cluster.stackId ?? cluster.name}-${name}-${index}`;
      return {
        name: machine,
        nodeGroup: name,
        role: desired?.role ?? 'worker',
        phase: phaseOf(stand, group, ready),
        addresses: [{ type: 'InternalIP', address: `10.0.${host >> 8}.${host & 255}` }],
        kubernetesVersion: stand.version,
        providerId: `simulated:///${cluster.uuid}/${name}/${index}`,
        nodeName: ready ? machine : null,
        zone: desired?.availabilityZones[0] ?? null,
        conditions: [readiness(group.fault, ready, changedAt)],
        createdAt: null,
        changedAt,
        deleting: stand.deleting || group.deleting,
      };
    });
  });
}
