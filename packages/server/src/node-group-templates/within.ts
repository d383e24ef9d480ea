import { Fault, isControlPlane } from '@jeroboam/domain';
import type { NodeGroupTemplateRow, Surrounding } from '../store/index.ts';

type Placed = Pick<NodeGroupTemplateRow, 'uuid' | 'name' | 'role'>;

const conflict = (message: string, field: string): Fault => new Fault('conflict', message, { field });

/** Why a node-group template has no place within a cluster template: each name once, and one control plane. */
export function placeConflicts(template: Placed, { name: parent, groups }: Surrounding): Fault[] {
  const others = groups.filter(({ uuid }) => uuid !== template.uuid);
  const faults: Fault[] = [];
  if (others.some(({ name }) => name === template.name)) {
    const message = `A node-group template with name ${template.name} already exists in the cluster template ${parent}.`;
    faults.push(conflict(message, 'name'));
  }
  const controlPlane = isControlPlane(template) ? others.find(isControlPlane) : undefined;
  if (controlPlane !== undefined) {
    const message = `The cluster template ${parent} has a template of the control plane already, ${controlPlane.name}: change that one.`;
    faults.push(conflict(message, 'role'));
  }
  return faults;
}

/** Who sees a node-group template within a cluster template is said by that, and only there. */
export const visibilityConflicts = (
  flags: readonly ('public' | 'hidden')[],
  { name: parent }: Pick<Surrounding, 'name'>,
): Fault[] =>
  flags.map((flag) => {
    const message = `A node-group template within a cluster template is as ${flag} as that: change ${flag} of the cluster template ${parent}.`;
    return conflict(message, flag);
  });

export const visibilityFlags = ['public', 'hidden'] as const;
