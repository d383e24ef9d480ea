import type { ClusterObjects, HeldControlPlane, HeldDeployment } from '../cache/held.ts';
import { isTrue } from './conditions.ts';

const busy = ['RollingOut', 'ScalingUp', 'ScalingDown', 'Remediating', 'Deleting'];

/** Whether the controllers have seen the latest wish. */
export const isSeen = (object: HeldControlPlane | HeldDeployment): boolean =>
  object.observedGeneration >= object.generation;

/**
 * Whether all machines of a group are of the version and made from the templates that the group names, and the sets of
 * former machines are gone, which hold on to former templates. Looked at machine by machine: for a moment after a
 * change, a group's own counts still tell of what was wanted before.
 */
export function isUpToDate(object: HeldControlPlane | HeldDeployment, live: ClusterObjects): boolean {
  const isMine = ({ nodeGroup }: { nodeGroup: string | null }): boolean => nodeGroup === object.nodeGroup;
  const templates = [object.machineTemplate, 'bootstrapTemplate' in object ? object.bootstrapTemplate : null];
  const isCurrent = (template: string | null): boolean => template === null || templates.includes(template);
  return (
    live.machines.filter(isMine).every(({ version }) => version === object.version) &&
    live.parts.filter(isMine).every(({ clonedFrom }) => isCurrent(clonedFrom)) &&
    live.machineSets
      .filter(isMine)
      .every((set) => isCurrent(set.machineTemplate) && isCurrent(set.bootstrapTemplate))
  );
}

/** Whether all machines are there, as they should be, and working, and nothing is going on. */
export function isSettled(object: HeldControlPlane | HeldDeployment, live: ClusterObjects): boolean {
  const { wanted, there, upToDate, available } = object.replicas;
  return (
    object.deletingSince === null &&
    isSeen(object) &&
    [there, upToDate, available].every((count) => count === wanted) &&
    !busy.some((type) => isTrue(object, type)) &&
    isUpToDate(object, live)
  );
}

/** Whether its machines are being replaced by ones of another kind or version. */
export const isRolling = (object: HeldControlPlane | HeldDeployment, live: ClusterObjects): boolean =>
  isTrue(object, 'RollingOut') ||
  object.replicas.upToDate < object.replicas.there ||
  !isSeen(object) ||
  !isUpToDate(object, live);
