import { clusterSpec } from '../attributes/cluster.ts';
import { nodeGroupSpec } from '../attributes/node-group.ts';
import { clusterDraftOf, type ClusterDraft, type GroupDraft } from './cluster-draft.ts';
import { draftOf, type Draft, type Origin, type Values } from './draft.ts';
import { follows } from './inheritance.ts';
import { controlPlaneName } from './types.ts';

/** A cluster's name is its own; the numbers of nodes are said by its groups. */
const notCopied = new Set(['name', 'node_count', 'master_count']);
const clusterAttributes = clusterSpec.map(({ name }) => name).filter((name) => !notCopied.has(name));
const groupAttributes = nodeGroupSpec.map(({ name }) => name);

const pick = (from: Values, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

/** What a template leaves open is null in its row. */
const said = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

/** A group of any cluster as a source: whole. */
export const nodeGroupAsSource = (group: Values, origin: Origin): Draft =>
  draftOf(pick(group, groupAttributes), origin);

/** A group as a part of its cluster: in what it follows the cluster it says nothing, so that it goes on following. */
function groupOf(cluster: Values, group: Values, origin: Origin): GroupDraft {
  const name = String(group['name']);
  const own = groupAttributes.filter((attribute) => !follows(cluster, name, group, attribute));
  return { name, ...draftOf(pick(group, own), origin) };
}

/** A cluster as a source: its configuration, not its identity, certificates, addresses or statuses. */
export function clusterAsSource(cluster: Values, groups: readonly Values[], origin: Origin): ClusterDraft {
  // The numbers in a cluster's row are sums over its groups, not what any group follows.
  const { node_count: _nodes, master_count: _masters, ...followed } = cluster;
  const drafts = groups.map((group) => groupOf(followed, group, origin));
  const controlPlane = drafts.find(({ name }) => name === controlPlaneName);
  return clusterDraftOf(draftOf(pick(cluster, clusterAttributes), origin), {
    workers: drafts.filter(({ name }) => name !== controlPlaneName),
    ...(controlPlane === undefined ? {} : { controlPlane: withoutName(controlPlane) }),
  });
}

/** What a cluster that exists says to a group that is added to it. */
export const clusterForGroups = (cluster: Values, origin: Origin): Draft =>
  draftOf(pick(cluster, clusterAttributes), origin);

const withoutName = ({ name: _name, ...draft }: GroupDraft): Draft => draft;

/** A node-group template as a source. */
export const nodeGroupTemplateAsSource = (template: Values, origin: Origin): Draft =>
  draftOf(said(pick(template, groupAttributes)), origin, { mergesLabels: template['merge_labels'] === true });

/** What a cluster template says of clusters under another name. */
const templateNames: Readonly<Record<string, string>> = { keypair: 'keypair_id' };

/**
 * A cluster template with its node-group templates as a source. One without templates of workers leaves them to Magnum's
 * default group, unless it says that there are none.
 */
export function clusterTemplateAsSource(
  template: Values,
  groups: readonly { template: Values; origin: Origin }[],
  origin: Origin,
): ClusterDraft {
  const names = [...clusterAttributes, 'node_count', 'master_count'];
  const values = Object.fromEntries(names.map((name) => [name, template[templateNames[name] ?? name]]));
  const drafts = groups.map((group) => ({
    isControlPlane: isControlPlane(group.template),
    name: String(group.template['name']),
    ...nodeGroupTemplateAsSource(group.template, group.origin),
  }));
  const workers = drafts
    .filter((draft) => !draft.isControlPlane)
    .map(({ isControlPlane: _c, ...rest }) => rest);
  const controlPlane = drafts.find((draft) => draft.isControlPlane);
  const none = template['control_plane_only'] === true;
  return clusterDraftOf(draftOf(said(values), origin), {
    workers: workers.length > 0 || none ? workers : null,
    ...(controlPlane === undefined
      ? {}
      : {
          controlPlane: {
            values: controlPlane.values,
            origins: controlPlane.origins,
            mergesLabels: controlPlane.mergesLabels,
          },
        }),
  });
}

/** Whether a group or a template of one is the control plane: by its role, or by the name Magnum gives it. */
export const isControlPlane = (group: Values): boolean =>
  group['role'] === 'master' || group['name'] === controlPlaneName;
