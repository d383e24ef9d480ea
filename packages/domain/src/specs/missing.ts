import { bootVolumeSize } from '../cluster-template-rules.ts';
import { Fault } from '../faults.ts';
import type { Labels } from '../labels.ts';
import { controlPlaneName, type ClusterSpec, type NodeGroupSpec } from './types.ts';

const missing = (field: string, what: string): Fault =>
  new Fault('invalid_input', `${field} is missing: ${what}`, { field });

/** The name of a group's attribute within a request for a whole cluster. */
export const groupField = (group: string, attribute: string): string => `nodegroups/${group}/${attribute}`;

/** Servers that boot from a volume get along without a flavor's disk; all others need a flavor. */
function bootsFromVolume(group: NodeGroupSpec, defaultSize: number): boolean {
  return group.root_volume !== null || bootSize(group.labels, defaultSize) !== 0;
}

/** A label that is no number is refused elsewhere. */
function bootSize(labels: Labels, fallback: number): number {
  try {
    return bootVolumeSize(labels, fallback);
  } catch (error) {
    if (error instanceof Fault) return 0;
    throw error;
  }
}

const noImage = 'give the image of the nodes, or a source that says it.';
const noFlavor = 'give the flavor of the nodes, or a source that says it.';

/** What a cluster cannot be made without. */
export function missingOfCluster(
  cluster: ClusterSpec,
  groups: readonly NodeGroupSpec[],
  defaultBootSize: number,
): Fault[] {
  const faults: Fault[] = [];
  if (cluster.image_id === null) faults.push(missing('image_id', noImage));
  for (const group of groups) {
    if (cluster.image_id !== null && group.image_id === null)
      faults.push(missing(groupField(group.name, 'image_id'), noImage));
    if (group.flavor_id === null && !bootsFromVolume(group, defaultBootSize)) {
      const own = group.name === controlPlaneName ? 'master_flavor_id' : groupField(group.name, 'flavor_id');
      faults.push(missing(own, noFlavor));
    }
  }
  return faults;
}

/** What a group cannot be made without. */
export function missingOfGroup(group: NodeGroupSpec, defaultBootSize: number): Fault[] {
  const faults: Fault[] = [];
  if (group.image_id === null) faults.push(missing('image_id', noImage));
  if (group.flavor_id === null && !bootsFromVolume(group, defaultBootSize))
    faults.push(missing('flavor_id', noFlavor));
  return faults;
}
