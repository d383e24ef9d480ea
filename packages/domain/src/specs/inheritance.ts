import type { Labels } from '../labels.ts';
import { sameValue } from '../same-value.ts';
import { isMap, type Draft, type Origin, type Values } from './draft.ts';
import { controlPlaneName, defaultWorkersName } from './types.ts';

/** Attributes of a group, and the attribute of its cluster that they come from when the group says nothing. */
type Inherited = Readonly<Record<string, string>>;

const byEveryGroup: Inherited = {
  image_id: 'image_id',
  kubernetes_version: 'kubernetes_version',
  labels: 'labels',
};

const byWorkers: Inherited = { ...byEveryGroup, flavor_id: 'flavor_id' };

const byControlPlane: Inherited = {
  ...byEveryGroup,
  flavor_id: 'master_flavor_id',
  node_count: 'master_count',
  docker_volume_size: 'docker_volume_size',
};

const byDefaultWorkers: Inherited = {
  ...byWorkers,
  node_count: 'node_count',
  docker_volume_size: 'docker_volume_size',
};

/**
 * What a group takes from its cluster. The size and the volume of a cluster are those of its two default groups, as in
 * Magnum; groups that were added have their own.
 */
export function inheritedBy(groupName: string): Inherited {
  if (groupName === controlPlaneName) return byControlPlane;
  return groupName === defaultWorkersName ? byDefaultWorkers : byWorkers;
}

/** What a cluster says about one of its groups. */
export function fromCluster(cluster: Draft, groupName: string): Draft {
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  for (const [attribute, source] of Object.entries(inheritedBy(groupName))) {
    const origin = cluster.origins[source];
    if (!Object.hasOwn(cluster.values, source) || origin === undefined) continue;
    values[attribute] = cluster.values[source];
    origins[attribute] = origin;
  }
  return { values, origins, mergesLabels: false };
}

/** Attributes of a group that hold against what is said of its cluster. */
type Held = (attribute: string) => boolean;

/**
 * A group under what is said of its cluster above it. What is said of a cluster is said of its two default groups, as
 * in Magnum: there it wins over what the group says itself. Other groups have their own.
 */
export function yieldingTo<T extends Draft>(
  cluster: Draft,
  groupName: string,
  group: T,
  holds: Held = () => false,
): T {
  if (groupName !== controlPlaneName && groupName !== defaultWorkersName) return group;
  const values = { ...group.values };
  const origins = { ...group.origins };
  let { mergesLabels } = group;
  for (const [attribute, source] of Object.entries(inheritedBy(groupName))) {
    const isSaid = Object.hasOwn(cluster.values, source) && Object.hasOwn(values, attribute);
    if (!isSaid || holds(attribute)) continue;
    const origin = cluster.origins[source];
    if (attribute === 'labels' && cluster.mergesLabels && origin !== undefined) {
      const own = values['labels'];
      values['labels'] = { ...(isMap(own) ? own : {}), ...(cluster.values['labels'] as Labels) };
      origins['labels'] = origin;
      continue;
    }
    delete values[attribute];
    delete origins[attribute];
    if (attribute === 'labels') mergesLabels = false;
  }
  return { ...group, values, origins, mergesLabels };
}

/** Whether a group of a cluster follows it in an attribute, so that a change of the cluster's is a change of its own. */
export const follows = (cluster: Values, groupName: string, group: Values, attribute: string): boolean => {
  const source = inheritedBy(groupName)[attribute];
  return source !== undefined && sameValue(cluster[source], group[attribute]);
};
