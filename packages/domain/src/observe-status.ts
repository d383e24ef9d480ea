import type { ObservedCluster, ObservedNodeGroup } from './driver.ts';
import { isFailed, statusOf, type Status, type Verb } from './status.ts';

/** What is known of a group before it is observed. */
export interface GroupBefore {
  name: string;
  status: Status | null;
  reason?: string | null;
}

export interface GroupAfter {
  name: string;
  /** null: the group is gone and its row with it. */
  status: Status | null;
  reason: string | null;
  addresses: readonly string[] | null;
}

export interface ClusterAfter {
  /** null: the cluster is gone and its row with it. */
  status: Status | null;
  reason: string | null;
  groups: GroupAfter[];
}

const verbOf = (status: Status | null): Verb => {
  const verb = status?.split('_')[0];
  return verb === 'CREATE' || verb === 'DELETE' ? verb : 'UPDATE';
};

/**
 * The statuses of a cluster and its groups, computed from what the driver saw: the one place where this is
 * decided. Something that is deleted and absent is gone; something absent that should be there, or there
 * though all work to remove it is done, has failed.
 */
export function statusAfter(
  before: { status: Status | null; groups: readonly GroupBefore[] },
  seen: ObservedCluster,
): ClusterAfter {
  const verb = verbOf(before.status);
  if (seen.phase === 'ABSENT' && verb === 'DELETE') return { status: null, reason: null, groups: [] };
  const groups = before.groups.map((group) => groupAfter(group, seen));
  if (seen.phase === 'ABSENT')
    return { status: statusOf(verb, 'FAILED'), reason: 'The driver no longer knows this cluster.', groups };
  if (seen.phase === 'COMPLETE' && verb === 'DELETE')
    return { status: 'DELETE_FAILED', reason: seen.reason ?? notRemoved('cluster'), groups };
  return { status: statusOf(verb, seen.phase), reason: seen.reason, groups };
}

const notRemoved = (what: string): string =>
  `The driver finished without removing this ${what}. Delete it again.`;

function groupAfter(group: GroupBefore, seen: ObservedCluster): GroupAfter {
  const { name } = group;
  const verb = verbOf(group.status);
  const observed = seen.nodeGroups.find((candidate) => candidate.name === name);
  const running = seen.phase === 'IN_PROGRESS';
  const asBefore = group.status ?? statusOf(verb, 'IN_PROGRESS');
  // While work goes on, a group that is not listed is not known to be anything; only ABSENT says it is not there.
  if (running && observed === undefined) return { name, status: asBefore, reason: null, addresses: null };
  if (observed === undefined || observed.phase === 'ABSENT') {
    if (verb === 'DELETE') return { name, status: null, reason: null, addresses: null };
    if (running) return { name, status: asBefore, reason: null, addresses: null };
    const reason = 'The driver no longer knows this node group.';
    return { name, status: statusOf(verb, 'FAILED'), reason, addresses: [] };
  }
  const addresses = observed.addresses ?? null;
  if (verb === 'DELETE' && observed.phase === 'COMPLETE') {
    // Whole and still to go: its turn has not come, or was missed.
    const status = running ? 'DELETE_IN_PROGRESS' : 'DELETE_FAILED';
    return {
      name,
      status,
      reason: observed.reason ?? (running ? null : notRemoved('node group')),
      addresses,
    };
  }
  return { name, status: statusOf(verb, observed.phase), reason: observed.reason, addresses };
}

/** What is known of a cluster on which nothing is under way. */
export interface IdleCluster {
  status: Status | null;
  reason: string | null;
  groups: readonly GroupBefore[];
}

/**
 * The same for a cluster that nobody asked anything of: what others do to it shows as an update. What failed stays
 * failed, with its reason, until the back end is whole again, or gone where it should be.
 */
export function statusWhenIdle(before: IdleCluster, seen: ObservedCluster): ClusterAfter {
  if (seen.phase === 'ABSENT' && verbOf(before.status) === 'DELETE')
    return { status: null, reason: null, groups: [] };
  const lost = 'The driver no longer knows this cluster.';
  return {
    ...idle(before, seen, lost),
    groups: before.groups.map((group) => idleGroup(group, seen)),
  };
}

function idle(
  before: { status: Status | null; reason?: string | null },
  seen: Pick<ObservedNodeGroup, 'phase' | 'reason'>,
  lost: string,
): { status: Status; reason: string | null } {
  const { status } = before;
  const verb = verbOf(status);
  const asBefore = { status: status ?? 'UPDATE_COMPLETE', reason: before.reason ?? null };
  if (verb === 'DELETE') return asBefore;
  if (seen.phase === 'COMPLETE') {
    const whole = status?.endsWith('_COMPLETE') === true ? status : statusOf(verb, 'COMPLETE');
    return { status: whole, reason: seen.reason };
  }
  if (isFailed(status))
    return seen.phase === 'FAILED' ? { ...asBefore, reason: seen.reason ?? asBefore.reason } : asBefore;
  if (seen.phase === 'ABSENT') return { status: statusOf('UPDATE', 'FAILED'), reason: lost };
  return { status: statusOf('UPDATE', seen.phase), reason: seen.reason };
}

function idleGroup(group: GroupBefore, seen: ObservedCluster): GroupAfter {
  const { name } = group;
  const observed = seen.nodeGroups.find((candidate) => candidate.name === name);
  const deleting = verbOf(group.status) === 'DELETE';
  // Only the whole picture says that something is missing from it.
  if (observed === undefined && seen.phase !== 'COMPLETE')
    return { name, status: group.status ?? 'UPDATE_COMPLETE', reason: group.reason ?? null, addresses: null };
  if (deleting && (observed === undefined || observed.phase === 'ABSENT'))
    return { name, status: null, reason: null, addresses: null };
  const lost = 'The driver no longer knows this node group.';
  const after = idle(group, observed ?? { phase: 'ABSENT', reason: null }, lost);
  return { name, ...after, addresses: observed?.addresses ?? null };
}
