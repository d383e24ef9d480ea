import type { DesiredCluster, ObservedCluster } from '@jeroboam/domain';
import type { ClusterObjects, HeldCluster, HeldObject } from '../cache/held.ts';
import { nodeGroupLabel } from '../markers.ts';
import { isDue, type Plan } from '../plan/plan.ts';
import { remaining } from '../plan/remove.ts';
import { remark } from './conditions.ts';
import { healthOf } from './health.ts';
import { observeGroup } from './node-groups.ts';

export const absent: ObservedCluster = {
  phase: 'ABSENT',
  reason: null,
  apiAddress: null,
  coeVersion: null,
  nodeGroups: [],
};

/** What is seen of a cluster that exists. `plan`: what is still to be done; null: nobody works on it. */
export function observeCluster(
  desired: DesiredCluster,
  cluster: HeldCluster,
  live: ClusterObjects,
  { plan, apiAddress }: { plan: Plan | null; apiAddress: string | null },
): ObservedCluster {
  const nodeGroups = desired.nodeGroups.map((group) =>
    observeGroup(desired, group, live, {
      pending: plan !== null && isConcerned(plan, group.uuid),
      waiting: plan?.waits.find(({ nodeGroup }) => nodeGroup === group.uuid)?.reason ?? null,
      working: plan !== null,
    }),
  );
  const isPending = plan !== null && (isDue(plan) || plan.waits.length > 0);
  const isWhole =
    cluster.observedGeneration >= cluster.generation &&
    ['Available', 'InfrastructureReady'].every((type) => remark(cluster, [type]) === null) &&
    cluster.controlPlaneInitialized;
  const isComplete = !isPending && isWhole && nodeGroups.every(({ phase }) => phase !== 'IN_PROGRESS');
  return {
    phase: isComplete ? 'COMPLETE' : 'IN_PROGRESS',
    reason: isComplete ? null : reasonOf(cluster, live, nodeGroups, plan),
    apiAddress,
    coeVersion: live.controlPlane?.runningVersion ?? null,
    nodeGroups,
    health: healthOf(cluster, live),
  };
}

/** Whether something is still to be done for a group. */
const isConcerned = ({ waits, choose, apply }: Plan, group: string): boolean =>
  waits.some(({ nodeGroup }) => nodeGroup === group) ||
  choose.some(({ nodeGroup }) => nodeGroup === group) ||
  apply.some(({ object }) => object.metadata.labels?.[nodeGroupLabel] === group);

/** The first thing that is in the way: the infrastructure, then the control plane, then the groups. */
function reasonOf(
  cluster: HeldCluster,
  live: ClusterObjects,
  groups: ObservedCluster['nodeGroups'],
  plan: Plan | null,
): string | null {
  const infrastructure = (object: HeldObject | null): string | null =>
    object === null || cluster.infrastructureProvisioned
      ? null
      : (remark(object, ['Ready']) ?? remark(cluster, ['InfrastructureReady']));
  const inGroups = groups.flatMap(({ reason }) => reason ?? [])[0] ?? null;
  return (
    infrastructure(live.infrastructureCluster) ??
    inGroups ??
    plan?.waits[0]?.reason ??
    remark(cluster, ['Available', 'InfrastructureReady', 'ControlPlaneAvailable', 'WorkersAvailable'])
  );
}

/** What is seen of a cluster that is going. */
export function observeLeaving(live: ClusterObjects): ObservedCluster {
  const left = remaining(live);
  const told = live.cluster === null ? null : remark(live.cluster, ['Deleting']);
  const names = left.slice(0, 3).map(({ kind, name }) => `${kind} ${name}`);
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : '';
  return {
    ...absent,
    phase: 'IN_PROGRESS',
    reason: told ?? `Waiting to be gone: ${names.join(', ')}${more}`,
  };
}
