import type { ObservedCluster } from './driver.ts';
import { statusOf, type Phase, type Status, type Verb } from './status.ts';

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
 * decided. Something that is deleted and absent is gone; something absent that should be there has failed.
 */
export function statusAfter(
  before: { status: Status | null; groups: readonly GroupBefore[] },
  seen: ObservedCluster,
): ClusterAfter {
  const verb = verbOf(before.status);
  if (seen.phase === 'ABSENT' && verb === 'DELETE') return { status: null, reason: null, groups: [] };
  const groups = before.groups.map((group) => groupAfter(group, seen));
  const phase: Phase = seen.phase === 'ABSENT' ? 'FAILED' : seen.phase;
  const reason = seen.phase === 'ABSENT' ? 'The driver no longer knows this cluster.' : seen.reason;
  return { status: statusOf(verb, phase), reason, groups };
}

function groupAfter(group: GroupBefore, seen: ObservedCluster): GroupAfter {
  const verb = verbOf(group.status);
  const observed = seen.nodeGroups.find((candidate) => candidate.name === group.name);
  if (observed === undefined || observed.phase === 'ABSENT') {
    if (verb === 'DELETE') return { name: group.name, status: null, reason: null, addresses: null };
    if (seen.phase === 'IN_PROGRESS')
      return { name: group.name, status: group.status, reason: null, addresses: null };
    return {
      name: group.name,
      status: statusOf(verb, 'FAILED'),
      reason: 'The driver no longer knows this node group.',
      addresses: [],
    };
  }
  return {
    name: group.name,
    status: statusOf(verb, observed.phase),
    reason: observed.reason,
    addresses: observed.addresses ?? null,
  };
}
