import {
  clusterForGroups,
  emptyDraft,
  inheritedBy,
  isDeleting,
  nodeGroupAsSource,
  nodeGroupAttributes,
  nodeGroupSpec,
  parsePatch,
  resolveNodeGroup,
  type Attribute,
  type Fault,
  type NodeGroupSpec,
  type Origin,
  type PatchOperation,
  type Values,
} from '@jeroboam/domain';
import { enforce, ownScope } from '../access.ts';
import type { CloudLookup } from '../cloud/lookup.ts';
import type { DryRun } from '../dry-run.ts';
import type { Caller } from '../identity/index.ts';
import { Refusals } from '../refusals.ts';
import type { Services } from '../services.ts';
import { groupsOf, type ClusterWithGroups, type NodeGroupRow } from '../store/index.ts';
import { beingDeleted } from './accept.ts';
import type { PatchRequest } from './change-attributes.ts';
import { checkPlanned } from './check-planned.ts';
import { findClusterWithGroups } from './find.ts';
import { groupAmong } from './find-node-group.ts';
import {
  acceptPlanned,
  plannedGroupDryRun,
  specOf,
  unchanged,
  withGroupChanged,
  type PlannedChange,
  type PlannedGroup,
} from './planned-change.ts';
import { resolveSettings } from './resolve-request.ts';
import { differing, patchedSpec, readSpecPatch, standardValue } from './spec-patch.ts';

const patched = patchedSpec(nodeGroupAttributes, nodeGroupSpec);

/** The group a request means: as it would be in a plan, or as it is when it takes no part in one. */
function groupOf(plan: PlannedChange, ident: string): PlannedGroup {
  const row = groupAmong(groupsOf(plan.cluster), ident);
  const planned = plan.groups.find((group) => group.row.uuid === row.uuid);
  return { row, spec: planned?.spec ?? specOf(row), changes: planned?.changes ?? {} };
}

/** Changes any attribute of a group that can be changed. */
export async function changeNodeGroupAttributes(
  services: Services,
  caller: Caller,
  cloud: CloudLookup,
  { cluster: clusterIdent, group: ident }: { cluster: string; group: string },
  { body, minor, dryRun }: PatchRequest,
): Promise<{ cluster: ClusterWithGroups; group: NodeGroupRow } | DryRun> {
  const { options, store } = services;
  const operations = parsePatch(body, patched.rules);
  enforce(options.policy, caller, 'nodegroup:update');

  const plan = async (refusals: Refusals): Promise<PlannedChange> => {
    const cluster = await findClusterWithGroups(store.pool, clusterIdent, ownScope(caller));
    const group = groupAmong(cluster.groups, ident);
    if (isDeleting(cluster.status) || isDeleting(group.status)) {
      refusals.add([beingDeleted(isDeleting(cluster.status) ? cluster : group, 'Updating')]);
      return unchanged(cluster);
    }
    const planned = await planChange(services, cluster, group, operations, refusals);
    const fieldOf = (other: NodeGroupSpec, attribute: string): string =>
      other.name === group.name ? attribute : `${other.name}/${attribute}`;
    await checkPlanned(planned, { services, cloud, minor, refusals, fieldOf });
    return planned;
  };

  if (dryRun) {
    const refusals = new Refusals({ all: true });
    const group = groupOf(await plan(refusals), ident);
    return plannedGroupDryRun(group, refusals.found);
  }
  const accepted = await acceptPlanned(services, async () => {
    const refusals = new Refusals({ all: true });
    const planned = await plan(refusals);
    refusals.settleChange();
    return planned;
  });
  const { row, changes } = groupOf(accepted, ident);
  return { cluster: accepted.cluster, group: { ...row, ...changes } };
}

/** Works a patch out: the group's own attributes, and where it takes one away the cluster's or the default. */
async function planChange(
  { options }: Services,
  cluster: ClusterWithGroups,
  group: NodeGroupRow,
  operations: readonly PatchOperation[],
  refusals: Refusals,
): Promise<PlannedChange> {
  const origin: Origin = { kind: 'cluster', uuid: cluster.uuid, name: cluster.name };
  const parent = clusterForGroups(cluster, origin);
  const standard = (attribute: Attribute): unknown => {
    const source = inheritedBy(group.name)[attribute.name];
    const inherited = source === undefined ? undefined : parent.values[source];
    return inherited === undefined ? standardValue(attribute) : inherited;
  };
  const before = specOf(group) as unknown as Values;
  const given = await readSpecPatch(patched, before, operations, standard, refusals);
  const problemsOf = (values: Values): readonly Fault[] => {
    const source = nodeGroupAsSource(values, { kind: 'nodegroup', uuid: group.uuid, name: group.name });
    return resolveNodeGroup(parent, [source], { name: group.name, ...emptyDraft }, resolveSettings(options))
      .problems;
  };
  // What stood in the way before the request is not its doing.
  const known = new Set(problemsOf(before).map(({ message }) => message));
  refusals.add(problemsOf({ ...before, ...given }).filter(({ message }) => !known.has(message)));
  return withGroupChanged(unchanged(cluster), group.uuid, differing(before, given));
}
