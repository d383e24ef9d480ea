import { emptyDraft, overlay, type Draft } from './draft.ts';
import { yieldingTo } from './inheritance.ts';
import { controlPlaneName } from './types.ts';

export interface GroupDraft extends Draft {
  readonly name: string;
}

/** Some attributes of a cluster to be, and of its groups. */
export interface ClusterDraft extends Draft {
  /** null: nothing is said about workers. */
  readonly workers: readonly GroupDraft[] | null;
  /** Whether its workers are laid over those below, by name, instead of replacing them. */
  readonly mergesWorkers: boolean;
  /** A cluster always has one, so what is said about it is always laid over what is below. */
  readonly controlPlane: Draft;
}

export const emptyClusterDraft: ClusterDraft = {
  ...emptyDraft,
  workers: null,
  mergesWorkers: false,
  controlPlane: emptyDraft,
};

export const clusterDraftOf = (
  draft: Draft,
  groups: { workers?: readonly GroupDraft[] | null; mergesWorkers?: boolean; controlPlane?: Draft } = {},
): ClusterDraft => {
  const workers = groups.workers ?? null;
  return {
    ...draft,
    workers,
    mergesWorkers: workers !== null && (groups.mergesWorkers ?? false),
    controlPlane: groups.controlPlane ?? emptyDraft,
  };
};

/** Groups laid over others by name; new names come last, in their order. */
export function overlayGroups(
  lower: readonly GroupDraft[],
  upper: readonly GroupDraft[],
): readonly GroupDraft[] {
  const byName = new Map(lower.map((group) => [group.name, group]));
  for (const group of upper) {
    const below = byName.get(group.name);
    byName.set(group.name, below === undefined ? group : { name: group.name, ...overlay(below, group) });
  }
  return [...byName.values()];
}

/** The same for a cluster and its groups. What the upper says of the cluster reaches the default groups of the lower. */
export function overlayCluster(lower: ClusterDraft, upper: ClusterDraft): ClusterDraft {
  const masters = yieldingTo(upper, controlPlaneName, lower.controlPlane);
  const base = { ...overlay(lower, upper), controlPlane: overlay(masters, upper.controlPlane) };
  const below = lower.workers?.map((group) => yieldingTo(upper, group.name, group)) ?? null;
  if (upper.workers === null) return { ...base, workers: below, mergesWorkers: lower.mergesWorkers };
  if (!upper.mergesWorkers || below === null)
    return { ...base, workers: upper.workers, mergesWorkers: upper.mergesWorkers };
  return { ...base, workers: overlayGroups(below, upper.workers), mergesWorkers: lower.mergesWorkers };
}

export const overlayClusters = (drafts: readonly ClusterDraft[]): ClusterDraft =>
  drafts.reduce(overlayCluster, emptyClusterDraft);
