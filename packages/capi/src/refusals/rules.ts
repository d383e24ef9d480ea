import type { DesiredChange, DesiredNodeGroup } from '@jeroboam/domain';
import { Fault, masterRole, parseKubernetesVersion, skewRefusal } from '@jeroboam/domain';
import type { ClusterObjects } from '../cache/held.ts';
import { autoscalingOf } from '../group-settings.ts';
import { isMeant, machinesOf } from '../plan/nodes-to-remove.ts';
import { controlPlaneOf, workersOf } from '../render/render-cluster.ts';
import { compareVersions, isKnownMinor, knownRange } from '../versions/order.ts';
import type { WantedVersions } from '../versions/wanted.ts';

export const groupBefore = ({ before }: DesiredChange, group: DesiredNodeGroup): DesiredNodeGroup | null =>
  before?.nodeGroups.find(({ uuid }) => uuid === group.uuid) ?? null;

/** Versions that do not exist, that go back, or that do not go together. */
export function versionRefusals(
  change: DesiredChange,
  wanted: WantedVersions,
  running: (group: DesiredNodeGroup) => string | null,
): Fault[] {
  const { after } = change;
  const masters = controlPlaneOf(after);
  const groups = [masters, ...workersOf(after)];
  const field = 'kubernetes_version';
  const unknown = groups.flatMap((group) => {
    const version = wanted.get(group.name) ?? '';
    if (parseKubernetesVersion(version) !== null && isKnownMinor(version)) return [];
    const message = `Kubernetes ${version} of node group ${group.name} is not known: this driver makes ${knownRange()}.`;
    return [new Fault('invalid_input', message, { field })];
  });
  if (unknown.length > 0) return unknown;
  const back = groups.flatMap((group) => {
    const [to, from] = [wanted.get(group.name) ?? '', running(group)];
    if (from === null || compareVersions(to, from) >= 0) return [];
    const message = `Node group ${group.name} runs Kubernetes ${from} and cannot go back to ${to}.`;
    return [new Fault('operation_refused', message, { field })];
  });
  const apart = workersOf(after).flatMap((group) => {
    const refusal = skewRefusal(wanted.get(masters.name) ?? '', wanted.get(group.name) ?? '');
    return refusal === null
      ? []
      : [new Fault('invalid_input', `Node group ${group.name}: ${refusal}`, { field })];
  });
  return [...back, ...apart];
}

/** Several masters need one address before them; sizes that an autoscaler sets are not ours to set. */
export function sizeRefusals(change: DesiredChange): Fault[] {
  const { after } = change;
  return after.nodeGroups.flatMap((group) => {
    const before = groupBefore(change, group);
    if (group.deleting || before?.nodeCount === group.nodeCount) return [];
    const field = 'node_count';
    if (group.role === masterRole && group.nodeCount > 1 && !after.masterLbEnabled) {
      const message = `A control plane of ${group.nodeCount} needs a load balancer before it: master_lb_enabled is False.`;
      return [new Fault('invalid_input', message, { field })];
    }
    const bounds = autoscalingOf(after, group);
    if (before === null || bounds === null || autoscalingOf(change.before ?? after, before) === null)
      return [];
    const message =
      `The autoscaler sizes node group ${group.name} between ${bounds.minimum} and ${bounds.maximum}: ` +
      `change min_node_count or max_node_count, or switch auto_scaling_enabled off.`;
    return [new Fault('conflict', message, { field })];
  });
}

/** Nodes that are to go must be of a group that shrinks, and not more than it shrinks by. */
export function removalRefusals(change: DesiredChange, live: ClusterObjects): Fault[] {
  const idents = [...new Set(change.nodesToRemove)];
  if (idents.length === 0) return [];
  const field = 'nodes_to_remove';
  const shrinking = change.after.nodeGroups.flatMap((group) => {
    const before = groupBefore(change, group);
    const by = before === null ? 0 : before.nodeCount - group.nodeCount;
    return by > 0 ? [{ group, by, machines: machinesOf(live, group) }] : [];
  });
  const names = shrinking.map(({ group }) => group.name).join(', ');
  if (shrinking.length === 0) {
    const message = 'nodes_to_remove is only for making a node group smaller; none becomes smaller here.';
    return [new Fault('invalid_input', message, { field })];
  }
  const faults: Fault[] = idents
    .filter((ident) => !shrinking.some(({ machines }) => machines.some((machine) => isMeant(machine, ident))))
    .map((ident) => new Fault('invalid_input', `Node ${ident} is not in node group ${names}.`, { field }));
  for (const { group, by, machines } of shrinking) {
    const meant = machines.filter((machine) => idents.some((ident) => isMeant(machine, ident)));
    if (meant.length <= by) continue;
    const message = `nodes_to_remove names ${meant.length} nodes of ${group.name}, which becomes smaller by ${by}.`;
    faults.push(new Fault('invalid_input', message, { field }));
  }
  return faults;
}

/** What Cluster API can do only by replacing nodes cannot be had in place. */
export const strategyRefusals = ({ after }: DesiredChange): Fault[] =>
  after.nodeGroups
    .filter(({ updateStrategy, deleting }) => updateStrategy === 'in-place-or-fail' && !deleting)
    .map(
      ({ name }) =>
        new Fault(
          'not_supported',
          `Node group ${name}: this driver replaces nodes and updates none in place.`,
          {
            field: 'update_strategy',
          },
        ),
    );
