import { clusterSpec } from '../attributes/cluster.ts';
import { nodeGroupSpec } from '../attributes/node-group.ts';
import type { Attribute } from '../attributes/types.ts';
import type { Fault } from '../faults.ts';
import { overlayClusters, overlayGroups, type ClusterDraft, type GroupDraft } from './cluster-draft.ts';
import { clusterContradictions, groupContradictions, requestContradictions } from './contradictions.ts';
import {
  draftOf,
  emptyDraft,
  open,
  overlay,
  overlayAll,
  type Draft,
  type Origin,
  type Origins,
  type Values,
} from './draft.ts';
import { fromCluster, inheritedBy } from './inheritance.ts';
import { missingOfCluster, missingOfGroup } from './missing.ts';
import {
  controlPlaneName,
  defaultWorkersName,
  masterRole,
  type ClusterSpec,
  type NodeGroupSpec,
} from './types.ts';

/** What the operator decides: defaults of attributes beyond those of the tables, and what nodes boot from. */
export interface ResolveSettings {
  defaults?: Values;
  /** Gigabytes of the volume that nodes boot from when nothing else is said; 0: the flavor's disk. */
  defaultBootVolumeSize?: number;
}

export interface ResolvedGroup {
  readonly spec: NodeGroupSpec;
  readonly origins: Origins;
}

/** A whole cluster, or as much of it as there is, with all that stands in its way. */
export interface ResolvedCluster {
  readonly spec: ClusterSpec;
  readonly origins: Origins;
  /** The control plane first. */
  readonly groups: readonly ResolvedGroup[];
  /** All that is missing or contradictory; empty: the cluster can be made. */
  readonly problems: readonly Fault[];
}

const byDefault: Origin = { kind: 'default' };

const fallbacks = (attributes: readonly Attribute[]): Values =>
  Object.fromEntries(
    attributes.map((attribute) => [attribute.name, attribute.fallback ?? attribute.default ?? null]),
  );

const clusterFallbacks = fallbacks(clusterSpec);
const groupFallbacks = fallbacks(nodeGroupSpec);

/** A draft without anything left open: what nobody says is as it is by default. */
function complete(draft: Draft, defaults: Values): Draft {
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  for (const [name, fallback] of Object.entries(defaults)) {
    const value = draft.values[name];
    const said = value !== undefined && value !== open;
    values[name] = said ? value : fallback;
    origins[name] = said ? (draft.origins[name] ?? byDefault) : byDefault;
  }
  return { values, origins, mergesLabels: false };
}

/** A label may say how few workers the default group may shrink to. */
function fewestNodes(name: string, values: Values): number {
  if (name !== defaultWorkersName) return 0;
  const labels = values['labels'] as Record<string, string> | null | undefined;
  const fewest = Number(labels?.['min_node_count'] ?? 0);
  const count = values['node_count'] as number;
  return Number.isInteger(fewest) && fewest >= 0 ? Math.min(fewest, count) : 0;
}

/** What a group opens that it takes from its cluster otherwise is its cluster's again; numbers of nodes are its own. */
function withoutOpened(own: Draft, name: string): Draft {
  const inherited = inheritedBy(name);
  const isOpened = (attribute: string): boolean =>
    own.values[attribute] === open && attribute !== 'node_count' && Object.hasOwn(inherited, attribute);
  const kept = Object.entries(own.values).filter(([attribute]) => !isOpened(attribute));
  return { ...own, values: Object.fromEntries(kept) };
}

/** One group of a cluster, whole: what it says, then what its cluster says, then defaults. */
function resolveGroup(name: string, own: Draft, cluster: Draft): ResolvedGroup {
  const said = overlay(fromCluster(cluster, name), withoutOpened(own, name));
  const role = name === controlPlaneName ? masterRole : groupFallbacks['role'];
  const whole = complete(said, { ...groupFallbacks, role });
  const values: Record<string, unknown> = { ...whole.values, name };
  const origins: Record<string, Origin> = { ...whole.origins };
  const fewest = origins['min_node_count'] === byDefault ? fewestNodes(name, values) : 0;
  if (fewest > 0) {
    values['min_node_count'] = fewest;
    origins['min_node_count'] = origins['labels'] ?? byDefault;
  }
  return { spec: values as unknown as NodeGroupSpec, origins };
}

/** The workers a cluster gets: those that are said, and `default-worker` where Magnum would make it. */
function workersOf(all: ClusterDraft, overrides: ClusterDraft): readonly GroupDraft[] {
  const byMagnum: GroupDraft = { name: defaultWorkersName, ...emptyDraft };
  const said = all.workers ?? [];
  if (all.workers === null || all.mergesWorkers) return overlayGroups([byMagnum], said);
  // Who asks for a number of workers and does not list them all means the group that Magnum's clients know.
  const listsAll = overrides.workers !== null && !overrides.mergesWorkers;
  const counts = typeof overrides.values['node_count'] === 'number' && !listsAll;
  return counts && !said.some(({ name }) => name === defaultWorkersName) ? [...said, byMagnum] : said;
}

/** What Magnum's clients look for in a cluster itself, though groups may say it alone. */
const shownByCluster = new Set(['image_id', 'flavor_id']);

/** A cluster shows what one of its default groups says where nobody says it of the cluster, and how many nodes it has. */
function showing(cluster: Draft, { spec, origins }: ResolvedGroup): Draft {
  const shown = Object.entries(inheritedBy(spec.name)).filter(([attribute, source]) => {
    const isOpen = cluster.origins[source] === byDefault && cluster.values[source] === null;
    return attribute === 'node_count' || (shownByCluster.has(attribute) && isOpen);
  });
  return shown.reduce((draft, [attribute, source]) => {
    const value = (spec as unknown as Values)[attribute];
    return value === null
      ? draft
      : overlay(draft, draftOf({ [source]: value }, origins[attribute] ?? byDefault));
  }, cluster);
}

/**
 * Makes a whole cluster out of what its sources say, lowest first, and what the request says, which wins. Whatever is
 * missing or contradictory is told all at once. Nothing given is changed.
 */
export function resolveCluster(
  sources: readonly ClusterDraft[],
  overrides: ClusterDraft,
  settings: ResolveSettings = {},
): ResolvedCluster {
  const all = overlayClusters([...sources, overrides]);
  const said = complete(all, { ...clusterFallbacks, ...settings.defaults });
  const workers = workersOf(all, overrides);
  const defaults = workers.find(({ name }) => name === defaultWorkersName);
  const withMasters = showing(said, resolveGroup(controlPlaneName, all.controlPlane, said));
  const cluster =
    defaults === undefined
      ? withMasters
      : showing(withMasters, resolveGroup(defaults.name, defaults, withMasters));
  const groups = [
    resolveGroup(controlPlaneName, all.controlPlane, cluster),
    ...workers.map((group) => resolveGroup(group.name, group, cluster)),
  ];
  const spec = cluster.values as unknown as ClusterSpec;
  const specs = groups.map((group) => group.spec);
  return {
    spec,
    origins: cluster.origins,
    groups,
    problems: [
      ...missingOfCluster(spec, specs, settings.defaultBootVolumeSize ?? 0),
      ...requestContradictions(overrides),
      ...clusterContradictions(spec, specs),
    ],
  };
}

export interface ResolvedNodeGroup extends ResolvedGroup {
  readonly problems: readonly Fault[];
}

/** Makes a whole group for a cluster that exists, in the same way. */
export function resolveNodeGroup(
  cluster: Draft,
  sources: readonly Draft[],
  overrides: GroupDraft,
  settings: ResolveSettings = {},
): ResolvedNodeGroup {
  const own = overlayAll([...sources, overrides]);
  const group = resolveGroup(overrides.name, own, cluster);
  return {
    ...group,
    problems: [
      ...missingOfGroup(group.spec, settings.defaultBootVolumeSize ?? 0),
      ...groupContradictions(group.spec),
    ],
  };
}
