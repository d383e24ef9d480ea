import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';

type Sized = Pick<DesiredNodeGroup, 'role' | 'labels' | 'minNodeCount' | 'maxNodeCount'>;

const label = (
  cluster: DesiredCluster,
  group: Pick<DesiredNodeGroup, 'labels'>,
  name: string,
): string | null => group.labels[name] ?? cluster.labels[name] ?? null;

const isYes = (text: string | null): boolean =>
  ['true', 'yes', '1', 'on'].includes(text?.toLowerCase() ?? '');
const isNo = (text: string | null): boolean =>
  ['false', 'no', '0', 'off'].includes(text?.toLowerCase() ?? '');

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;

/** Unless switched off, machines that stay unhealthy are replaced. */
export const isHealed = (cluster: DesiredCluster, group: Pick<DesiredNodeGroup, 'labels'>): boolean =>
  !isNo(label(cluster, group, 'auto_healing_enabled'));

export interface Bounds {
  minimum: number;
  maximum: number;
}

/** The bounds within which an autoscaler sizes a group; null: we size it. Without an upper bound nothing can scale. */
export function autoscalingOf(cluster: DesiredCluster, group: Sized): Bounds | null {
  if (group.role === 'master' || !isYes(label(cluster, group, 'auto_scaling_enabled'))) return null;
  const own = group.maxNodeCount !== null && group.maxNodeCount > 0 ? group.maxNodeCount : null;
  const maximum = own ?? wholeNumber(label(cluster, group, 'max_node_count'));
  if (maximum === null) return null;
  const minimum =
    group.minNodeCount > 0 ? group.minNodeCount : wholeNumber(label(cluster, group, 'min_node_count'));
  return { minimum: Math.min(minimum ?? 0, maximum), maximum };
}
