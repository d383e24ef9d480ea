import type { ObservedCluster } from './driver.ts';
import { statusOf, type Status, type Verb } from './status.ts';

/** What is known of a group before it is observed. */
export interface GroupBefore {
  name: string;
  status: Status | null;
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
