import { sameValue } from '../same-value.ts';
import type { Draft, Origin, Values } from './draft.ts';
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

/** What one of the default groups owes to this very request rather than to a source: it wins over the group's source. */
export function demandedBy(cluster: Draft, groupName: string, own: Draft): Draft {
  const said = fromCluster(cluster, groupName);
  const demanded = Object.keys(said.values).filter(
    (name) => said.origins[name]?.kind === 'request' && own.origins[name]?.kind !== 'request',
  );
  const pick = <T>(from: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(demanded.map((name) => [name, from[name] as T]));
  return { values: pick(said.values), origins: pick(said.origins), mergesLabels: false };
}

/** Whether a group of a cluster follows it in an attribute, so that a change of the cluster's is a change of its own. */
export const follows = (cluster: Values, groupName: string, group: Values, attribute: string): boolean => {
  const source = inheritedBy(groupName)[attribute];
  return source !== undefined && sameValue(cluster[source], group[attribute]);
};
