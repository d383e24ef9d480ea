import { clusterSpec } from '../attributes/cluster.ts';
import { nodeGroupSpec } from '../attributes/node-group.ts';
import type { Fault } from '../faults.ts';
import { overlayGroups, type ClusterDraft, type GroupDraft } from './cluster-draft.ts';
import { groupContradictions, within } from './contradictions.ts';
import { draftOf, emptyDraft, open, overlayAll, type Draft, type Origins, type Values } from './draft.ts';
import { inheritedBy } from './inheritance.ts';
import { controlPlaneName, defaultWorkersName, masterRole, type NodeGroupSpec } from './types.ts';

/** A template of a group: what it says, null where it says nothing. */
export interface TemplateOfGroup {
  readonly name: string;
  readonly values: Values;
  readonly origins: Origins;
  readonly mergesLabels: boolean;
}

/** A template of a cluster and of its groups. */
export interface TemplateOfCluster {
  readonly values: Values;
  readonly origins: Origins;
  readonly groups: readonly TemplateOfGroup[];
  /** Its clusters have no workers. */
  readonly controlPlaneOnly: boolean;
}

const clusterNames = clusterSpec.map(({ name }) => name).filter((name) => name !== 'name');
const groupNames = nodeGroupSpec.map(({ name }) => name).filter((name) => name !== 'name');

function left(draft: Draft, names: readonly string[]): { values: Values; origins: Origins } {
  const value = (name: string): unknown => {
    const said = draft.values[name];
    return said === undefined || said === open ? null : said;
  };
  const said = names.filter((name) => value(name) !== null);
  return {
    values: Object.fromEntries(names.map((name) => [name, value(name)])),
    origins: Object.fromEntries(said.flatMap((name) => [[name, draft.origins[name] ?? { kind: 'default' }]])),
  };
}

/** A draft of a group kept as a template. */
export const templateOfGroup = (name: string, draft: Draft): TemplateOfGroup => ({
  name,
  ...left(draft, groupNames),
  mergesLabels: draft.mergesLabels,
});

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== open;

/**
 * A template cannot say that a group has none of what its cluster has: null leaves it open there. So where a group says
 * that, the template says nothing of the cluster, and the groups that follow the cluster say it themselves.
 */
function withoutNone(draft: ClusterDraft): ClusterDraft {
  const groups = [{ name: controlPlaneName, ...draft.controlPlane }, ...(draft.workers ?? [])];
  const saysNone = groups.flatMap(({ name, values }) =>
    Object.entries(inheritedBy(name)).flatMap(([attribute, source]) =>
      values[attribute] === null && isSaid(draft.values[source]) ? [source] : [],
    ),
  );
  if (saysNone.length === 0) return draft;
  const own = (name: string, group: Draft): Draft => {
    const taken = Object.entries(inheritedBy(name)).filter(([, source]) => saysNone.includes(source));
    const drafts = taken.map(([attribute, source]) =>
      draftOf({ [attribute]: draft.values[source] }, draft.origins[source] ?? { kind: 'default' }),
    );
    return overlayAll([...drafts, group]);
  };
  const values = Object.fromEntries(
    Object.entries(draft.values).filter(([name]) => !saysNone.includes(name)),
  );
  return {
    ...draft,
    values,
    workers: draft.workers?.map((group) => ({ name: group.name, ...own(group.name, group) })) ?? null,
    controlPlane: own(controlPlaneName, draft.controlPlane),
  };
}

/** A cluster that may take for ever to be made has no limit; a template that says nothing leaves it at the default. */
const withLimit = (draft: ClusterDraft): ClusterDraft =>
  draft.values['create_timeout'] === null
    ? { ...draft, values: { ...draft.values, create_timeout: 0 } }
    : draft;

/** A draft of a cluster kept as a template: nothing is made up that nobody said. */
export function templateOfCluster(whole: ClusterDraft): TemplateOfCluster {
  const draft = withLimit(withoutNone(whole));
  const { values, origins } = left(draft, clusterNames);
  // Groups laid over those of nobody stand beside the one that Magnum would make.
  const byMagnum: GroupDraft[] = draft.mergesWorkers ? [{ name: defaultWorkersName, ...emptyDraft }] : [];
  const workers = overlayGroups(byMagnum, draft.workers ?? []);
  const says = Object.keys(draft.controlPlane.values).some((name) => name !== 'name');
  const masters = says ? [templateOfGroup(controlPlaneName, draft.controlPlane)] : [];
  return {
    values,
    origins,
    groups: [
      ...masters.map((group) => ({ ...group, values: { ...group.values, role: masterRole } })),
      ...workers.map((group) => templateOfGroup(group.name, group)),
    ],
    controlPlaneOnly: draft.workers !== null && workers.length === 0,
  };
}

const nothingSaid: Values = {
  role: 'worker',
  min_node_count: 0,
  max_node_count: null,
  node_labels: {},
  node_taints: [],
  data_volumes: [],
  availability_zones: [],
};

/** What a template of a group says against itself. What it leaves open contradicts nothing. */
export function groupTemplateContradictions({ name, values }: { name: string; values: Values }): Fault[] {
  const said = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  const fewest = (said['min_node_count'] as number | undefined) ?? 0;
  const group = { ...nothingSaid, node_count: fewest, ...said, name } as unknown as NodeGroupSpec;
  return groupContradictions(group);
}

/** The same of all groups of a template, each named by where it stands. */
export const clusterTemplateContradictions = (groups: readonly TemplateOfGroup[]): Fault[] =>
  groups.flatMap((group) => groupTemplateContradictions(group).map((fault) => within(group, fault)));
