import type { DesiredCluster, DesiredNodeGroup, ObservedNodeGroup } from '@jeroboam/domain';
import { masterRole } from '@jeroboam/domain';
import type { ClusterObjects, HeldControlPlane, HeldDeployment, HeldMachine } from '../cache/held.ts';
import { autoscalingOf } from '../group-settings.ts';
import { machinesOf } from '../plan/nodes-to-remove.ts';
import { deploymentOf } from '../plan/versions.ts';
import { remark } from './conditions.ts';
import { isSettled } from './settled.ts';

/** What says most about why a group is not ready, the most telling first. */
const controlPlaneRemarks = [
  'Remediating',
  'MachinesReady',
  'EtcdClusterHealthy',
  'ControlPlaneComponentsHealthy',
  'ScalingUp',
  'ScalingDown',
  'RollingOut',
  'Initialized',
  'CertificatesAvailable',
  'Available',
];
const workerRemarks = ['Remediating', 'MachinesReady', 'ScalingUp', 'ScalingDown', 'RollingOut', 'Available'];

export interface GroupView {
  /** Steps of ours are still to come for it. */
  pending: boolean;
  /** What the next of them waits for. */
  waiting: string | null;
  /** Work goes on, so that sizes there may be older than sizes desired. */
  working: boolean;
}

/** One group: how far it is, and why it is not further. */
export function observeGroup(
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
  live: ClusterObjects,
  { pending, waiting, working }: GroupView,
): ObservedNodeGroup {
  const { name } = group;
  const isMaster = group.role === masterRole;
  const object = isMaster ? live.controlPlane : deploymentOf(live, cluster, group);
  const machines = machinesOf(live, group);
  const going = machines.filter(({ deletingSince }) => deletingSince !== null);
  const addresses = addressesOf(machines);
  if (object === null) {
    if (machines.length > 0) return { name, phase: 'IN_PROGRESS', reason: leaving(machines), addresses };
    return pending && !group.deleting
      ? { name, phase: 'IN_PROGRESS', reason: waiting }
      : { name, phase: 'ABSENT', reason: null };
  }
  // Sizes that others set are told as they are; while we work, what is there may just not be changed yet.
  const isOthers = !isMaster && autoscalingOf(cluster, group) !== null;
  const size = isOthers || !working ? { nodeCount: object.replicas.wanted } : {};
  if (group.deleting || !isSettled(object, live) || going.length > 0 || pending) {
    const reason =
      reasonOf(object, isMaster) ?? (going.length > 0 ? leaving(going) : (waiting ?? unnoticed(object)));
    return { name, phase: 'IN_PROGRESS', reason, addresses, ...size };
  }
  return { name, phase: 'COMPLETE', reason: null, addresses, ...size };
}

const reasonOf = (object: HeldControlPlane | HeldDeployment, isMaster: boolean): string | null =>
  remark(object, isMaster ? controlPlaneRemarks : workerRemarks);

/** Controllers that have not reported yet have nothing to say. */
const unnoticed = ({ kind, name }: HeldControlPlane | HeldDeployment): string =>
  `${kind} ${name}: waiting for Cluster API to act on it`;

function leaving(machines: readonly HeldMachine[]): string | null {
  const told = machines.flatMap((machine) => remark(machine, ['Deleting']) ?? []);
  const names = machines.map(({ name }) => name).join(', ');
  return told[0] ?? `Waiting for these machines to go: ${names}`;
}

/** One address of each node, the outer one where there is one. */
const addressesOf = (machines: readonly HeldMachine[]): string[] =>
  machines
    .filter(({ deletingSince }) => deletingSince === null)
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .flatMap(({ addresses }) => {
      const of = (type: string) => addresses.find((address) => address.type === type)?.address;
      return of('ExternalIP') ?? of('InternalIP') ?? [];
    });
