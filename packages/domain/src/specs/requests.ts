import type { Parsed } from '../attributes/parse.ts';
import { clusterSpec } from '../attributes/cluster.ts';
import { nodeGroupSpec } from '../attributes/node-group.ts';
import type { AttributeTable } from '../attributes/types.ts';
import { Fault } from '../faults.ts';
import { clusterDraftOf, type ClusterDraft, type GroupDraft } from './cluster-draft.ts';
import { draftOf, emptyDraft, open, overlay, type Draft, type Origin, type Values } from './draft.ts';
import { yieldingTo } from './inheritance.ts';
import { groupField } from './missing.ts';
import { controlPlaneName, masterRole } from './types.ts';

const byRequest: Origin = { kind: 'request' };

const clusterAttributes = clusterSpec.map(({ name }) => name);
const groupAttributes = nodeGroupSpec.map(({ name }) => name);

/** Whether a request says anything that Magnum does not know. */
export function usesExtensions(table: AttributeTable, body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  return table.attributes.some(({ name, extension }) => extension === true && Object.hasOwn(body, name));
}

/** What a request says of these attributes. null opens what a source says. */
function said(parsed: Values, names: readonly string[]): Draft {
  const given = names
    .filter((name) => Object.hasOwn(parsed, name))
    .map((name) => [name, parsed[name] ?? open]);
  return draftOf(Object.fromEntries(given), byRequest, { mergesLabels: parsed['merge_labels'] === true });
}

/** What a request that uses extensions says of a cluster, without its groups. */
export const clusterRequest = (parsed: Parsed): Draft => said(parsed, clusterAttributes);

/** What such a request says of a cluster template; the key pair has another name there. */
export const clusterTemplateRequest = (parsed: Parsed): Draft => {
  const { keypair_id: keypair, ...rest } = parsed;
  return said(keypair === undefined ? rest : { ...rest, keypair }, clusterAttributes);
};

/** What a request says of a node group. A name cannot be opened, only left to the source. */
export const nodeGroupRequest = ({ name, ...parsed }: Values): Draft =>
  said(name === null || name === undefined ? parsed : { name, ...parsed }, groupAttributes);

/** Attributes that Magnum takes for their default when they are null; every other null counts as not given. */
const nullIsDefault = new Set(['floating_ip_enabled', 'master_lb_enabled']);

/** What a request of Magnum's own says of a cluster: null and empty labels are not given, but for its exceptions. */
export function magnumClusterRequest(parsed: Parsed): Draft {
  const given = clusterAttributes
    .filter((name) => Object.hasOwn(parsed, name))
    .map((name) => [name, magnumValue(name, parsed[name])]);
  return draftOf(Object.fromEntries(given), byRequest, { mergesLabels: parsed['merge_labels'] === true });
}

function magnumValue(name: string, value: unknown): unknown {
  if (name === 'labels')
    return value === null || Object.keys(value as object).length === 0 ? undefined : value;
  // A time limit of null is none at all.
  if (value !== null || name === 'create_timeout') return value;
  return nullIsDefault.has(name) ? open : undefined;
}

/** What a request of Magnum's own says of a node group: null is not given. */
export const magnumNodeGroupRequest = (parsed: Parsed): Draft =>
  nodeGroupRequest(Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null)));

/** A group in a request, with what it is made from. */
export interface RequestedGroup {
  item: Values;
  source: { name: string | null; draft: Draft } | null;
}

export interface RequestedGroups {
  workers: readonly GroupDraft[];
  controlPlane: Draft;
  problems: readonly Fault[];
}

/** The groups of a request: which of them is the control plane, and what is wrong with the list as such. */
export function requestedGroups(requested: readonly RequestedGroup[]): RequestedGroups {
  const workers: GroupDraft[] = [];
  const masters: Draft[] = [];
  const problems: Fault[] = [];
  const refuse = (field: string, message: string): void => {
    problems.push(new Fault('invalid_input', message, { field }));
  };
  for (const [index, { item, source }] of requested.entries()) {
    const draft = overlay(source?.draft ?? emptyDraft, nodeGroupRequest(item));
    const name = (item['name'] as string | null | undefined) ?? source?.name ?? null;
    const isMaster = draft.values['role'] === masterRole || name === controlPlaneName;
    if (isMaster) {
      masters.push(draft);
      if ((item['name'] ?? controlPlaneName) !== controlPlaneName)
        refuse(groupField(String(name), 'name'), `The control plane is always called ${controlPlaneName}.`);
    } else if (name === null) {
      refuse(`nodegroups/${index}/name`, `nodegroups/${index}/name is missing: give the group a name.`);
    } else if (workers.some((worker) => worker.name === name)) {
      refuse(groupField(name, 'name'), `nodegroups has two groups called ${name}.`);
    } else {
      workers.push({ name, ...draft });
    }
  }
  if (masters.length > 1)
    refuse(groupField(controlPlaneName, 'role'), 'nodegroups has more than one control plane.');
  return { workers, controlPlane: masters[0] ?? emptyDraft, problems };
}

/** What the request says of its cluster wins over what its default groups are made from, not over what it says of them. */
const under = <T extends Draft>(cluster: Draft, name: string, group: T): T =>
  yieldingTo(cluster, name, group, (attribute) => group.origins[attribute]?.kind === 'request');

/** The whole request for a cluster or a template of one. */
export const withGroups = (
  cluster: Draft,
  groups: RequestedGroups | null,
  mergesWorkers: boolean,
): ClusterDraft =>
  groups === null
    ? clusterDraftOf(cluster)
    : clusterDraftOf(cluster, {
        workers: groups.workers.map((group) => under(cluster, group.name, group)),
        controlPlane: under(cluster, controlPlaneName, groups.controlPlane),
        mergesWorkers,
      });
