import type { HeldControlPlane, HeldDeployment } from '../cache/held.ts';
import { isTrue } from './conditions.ts';

const busy = ['RollingOut', 'ScalingUp', 'ScalingDown', 'Remediating', 'Deleting'];

/** Whether all machines are there, as they should be, and working, and the controllers have seen the latest wish. */
export function isSettled(object: HeldControlPlane | HeldDeployment): boolean {
  const { wanted, there, upToDate, available } = object.replicas;
  return (
    object.deletingSince === null &&
    object.observedGeneration >= object.generation &&
    [there, upToDate, available].every((count) => count === wanted) &&
    !busy.some((type) => isTrue(object, type))
  );
}

/** Whether its machines are being replaced by ones of another kind or version. */
export const isRolling = (object: HeldControlPlane | HeldDeployment): boolean =>
  isTrue(object, 'RollingOut') ||
  object.replicas.upToDate < object.replicas.there ||
  object.observedGeneration < object.generation;
