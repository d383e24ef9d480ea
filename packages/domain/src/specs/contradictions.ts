import { checkStorageDriver } from '../cluster-template-rules.ts';
import { Fault } from '../faults.ts';
import { isSameVersion, skewRefusal } from '../kubernetes-version.ts';
import { checkBounds, checkNodeLabels, checkNodeTaints } from '../node-group-rules.ts';
import type { ClusterDraft } from './cluster-draft.ts';
import type { Draft } from './draft.ts';
import { groupField } from './missing.ts';
import {
  controlPlaneName,
  defaultWorkersName,
  masterRole,
  type ClusterSpec,
  type NodeGroupSpec,
} from './types.ts';

const contradiction = (field: string, message: string): Fault =>
  new Fault('invalid_input', message, { field });

/** The refusal of a rule, if it refuses. */
function refusalOf(rule: () => void): Fault[] {
  try {
    rule();
    return [];
  } catch (error) {
    if (error instanceof Fault) return [error];
    throw error;
  }
}

function twoCounts(cluster: Draft, attribute: string, group: string, own: Draft | undefined): Fault[] {
  const [one, other] = [cluster.values[attribute], own?.values['node_count']];
  if (typeof one !== 'number' || typeof other !== 'number' || one === other) return [];
  const field = groupField(group, 'node_count');
  return [
    contradiction(attribute, `${attribute} is ${one} and ${field} is ${other}: give only one of them.`),
  ];
}

/** What a request says against itself. */
export function requestContradictions(request: ClusterDraft): Fault[] {
  const { workers } = request;
  const defaults = workers?.find(({ name }) => name === defaultWorkersName);
  const counts = typeof request.values['node_count'] === 'number';
  const faults = [
    ...twoCounts(request, 'master_count', controlPlaneName, request.controlPlane),
    ...twoCounts(request, 'node_count', defaultWorkersName, defaults),
  ];
  if (counts && workers !== null && !request.mergesWorkers && defaults === undefined) {
    const message =
      `node_count is for the group ${defaultWorkersName}, which nodegroups leaves out: ` +
      'leave node_count out, or list the group.';
    faults.push(contradiction('node_count', message));
  }
  return faults;
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

/** What a group says against itself, whatever its cluster. */
export function groupContradictions(group: NodeGroupSpec): Fault[] {
  const { name, role } = group;
  const bounds = {
    nodeCount: group.node_count,
    minNodeCount: group.min_node_count,
    maxNodeCount: group.max_node_count,
  };
  const taints = group.node_taints as unknown as Record<string, string>[];
  const faults = [
    ...refusalOf(() => checkBounds(name, bounds)),
    ...refusalOf(() => checkNodeLabels(name, role, group.node_labels)),
    ...refusalOf(() => checkNodeTaints(name, role, taints)),
  ];
  const volume = repeated(group.data_volumes.map((each) => each.name));
  if (volume !== undefined)
    faults.push(contradiction('data_volumes', `data_volumes of ${name} has two volumes called ${volume}.`));
  const zone = repeated(group.availability_zones);
  if (zone !== undefined)
    faults.push(contradiction('availability_zones', `availability_zones of ${name} names ${zone} twice.`));
  return faults;
}

/** What a group says against the control plane it would join. */
export function skewContradictions(
  group: Pick<NodeGroupSpec, 'name' | 'kubernetes_version'>,
  controlPlaneVersion: string | null,
): Fault[] {
  if (group.kubernetes_version === null || controlPlaneVersion === null) return [];
  const refusal = skewRefusal(controlPlaneVersion, group.kubernetes_version);
  if (refusal === null) return [];
  return [contradiction('kubernetes_version', `kubernetes_version of ${group.name}: ${refusal}.`)];
}

function versionContradictions(cluster: ClusterSpec): Fault[] {
  const { kubernetes_version: version } = cluster;
  const tag = cluster.labels['kube_tag'];
  if (version === null || tag === undefined || isSameVersion(version, tag)) return [];
  const message = `kubernetes_version is ${version} and the label kube_tag is ${tag}: give only one of them.`;
  return [contradiction('kubernetes_version', message)];
}

/** Of a whole cluster a group is a part, named by where it stands; what it says wrong is wrong with the request. */
export const within = (group: { readonly name: string }, fault: Fault): Fault =>
  contradiction(groupField(group.name, fault.field ?? ''), fault.message);

/** What a cluster and its groups say against each other. */
export function clusterContradictions(cluster: ClusterSpec, groups: readonly NodeGroupSpec[]): Fault[] {
  const faults = [
    ...refusalOf(() => checkStorageDriver(cluster.docker_storage_driver, cluster.docker_volume_size)),
    ...versionContradictions(cluster),
  ];
  if (cluster.master_count > 1 && !cluster.master_lb_enabled)
    faults.push(contradiction('master_count', 'master_count must be 1 when master_lb_enabled is False'));
  const controlPlane = groups.find(({ name }) => name === controlPlaneName);
  const masters = controlPlane?.kubernetes_version ?? cluster.kubernetes_version;
  for (const group of groups) {
    const own = [...groupContradictions(group), ...skewContradictions(group, masters)];
    faults.push(...own.map((fault) => within(group, fault)));
    if ((group.role === masterRole) === (group.name === controlPlaneName)) continue;
    const message = `The role ${masterRole} is for the group ${controlPlaneName}, and that group has no other.`;
    faults.push(contradiction(groupField(group.name, 'role'), message));
  }
  return faults;
}
