import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  statusAfter,
  statuses,
  type ObservedCluster,
  type ObservedNodeGroup,
  type Status,
} from '@jeroboam/domain';

type Seen = ObservedCluster['phase'];
const phases: Seen[] = ['IN_PROGRESS', 'COMPLETE', 'FAILED', 'ABSENT'];

const seen = (
  phase: Seen,
  nodeGroups: ObservedNodeGroup[] = [],
  reason: string | null = null,
): ObservedCluster => ({
  phase,
  reason,
  apiAddress: null,
  coeVersion: null,
  nodeGroups,
});

const lost = (what: string) => `The driver no longer knows this ${what}.`;
const notRemoved = (what: string) => `The driver finished without removing this ${what}. Delete it again.`;

describe('a cluster', () => {
  test.each<[Status | null, Seen, Status | null, string | null]>([
    ['CREATE_IN_PROGRESS', 'IN_PROGRESS', 'CREATE_IN_PROGRESS', 'as seen'],
    ['CREATE_IN_PROGRESS', 'COMPLETE', 'CREATE_COMPLETE', 'as seen'],
    ['CREATE_IN_PROGRESS', 'FAILED', 'CREATE_FAILED', 'as seen'],
    ['CREATE_IN_PROGRESS', 'ABSENT', 'CREATE_FAILED', lost('cluster')],
    ['UPDATE_IN_PROGRESS', 'IN_PROGRESS', 'UPDATE_IN_PROGRESS', 'as seen'],
    ['UPDATE_IN_PROGRESS', 'COMPLETE', 'UPDATE_COMPLETE', 'as seen'],
    ['UPDATE_IN_PROGRESS', 'FAILED', 'UPDATE_FAILED', 'as seen'],
    ['UPDATE_IN_PROGRESS', 'ABSENT', 'UPDATE_FAILED', lost('cluster')],
    ['DELETE_IN_PROGRESS', 'IN_PROGRESS', 'DELETE_IN_PROGRESS', 'as seen'],
    ['DELETE_IN_PROGRESS', 'COMPLETE', 'DELETE_FAILED', 'as seen'],
    ['DELETE_IN_PROGRESS', 'FAILED', 'DELETE_FAILED', 'as seen'],
    ['DELETE_IN_PROGRESS', 'ABSENT', null, null],
    ['CREATE_COMPLETE', 'COMPLETE', 'CREATE_COMPLETE', 'as seen'],
    ['ROLLBACK_IN_PROGRESS', 'COMPLETE', 'UPDATE_COMPLETE', 'as seen'],
    ['RESUME_FAILED', 'FAILED', 'UPDATE_FAILED', 'as seen'],
    [null, 'COMPLETE', 'UPDATE_COMPLETE', 'as seen'],
  ])('in %s, seen %s, becomes %s', (before, phase, status, reason) => {
    expect(statusAfter({ status: before, groups: [] }, seen(phase, [], 'as seen'))).toStrictEqual({
      status,
      reason,
      groups: [],
    });
  });

  test('that should be gone and is whole says what to do, where the driver gives no reason', () => {
    const after = statusAfter({ status: 'DELETE_IN_PROGRESS', groups: [] }, seen('COMPLETE'));
    expect(after.reason).toBe(notRemoved('cluster'));
  });

  test('that is gone takes its groups with it', () => {
    const groups = [{ name: 'default-worker', status: 'CREATE_COMPLETE' as const }];
    expect(statusAfter({ status: 'DELETE_IN_PROGRESS', groups }, seen('ABSENT')).groups).toStrictEqual([]);
  });
});

describe('a node group', () => {
  const groupAfter = (before: Status | null, cluster: Seen, group: Seen | 'unlisted') => {
    const observed: ObservedNodeGroup[] =
      group === 'unlisted' ? [] : [{ name: 'ng', phase: group, reason: null }];
    const { groups } = statusAfter(
      { status: 'UPDATE_IN_PROGRESS', groups: [{ name: 'ng', status: before }] },
      seen(cluster, observed),
    );
    return [groups[0]?.status, groups[0]?.reason];
  };

  test.each<[Status, Seen, Seen | 'unlisted', Status | null, string | null]>([
    // While the cluster is worked on.
    ['CREATE_IN_PROGRESS', 'IN_PROGRESS', 'IN_PROGRESS', 'CREATE_IN_PROGRESS', null],
    ['CREATE_IN_PROGRESS', 'IN_PROGRESS', 'COMPLETE', 'CREATE_COMPLETE', null],
    ['CREATE_IN_PROGRESS', 'IN_PROGRESS', 'FAILED', 'CREATE_FAILED', null],
    ['CREATE_IN_PROGRESS', 'IN_PROGRESS', 'ABSENT', 'CREATE_IN_PROGRESS', null],
    ['CREATE_IN_PROGRESS', 'IN_PROGRESS', 'unlisted', 'CREATE_IN_PROGRESS', null],
    ['CREATE_COMPLETE', 'IN_PROGRESS', 'unlisted', 'CREATE_COMPLETE', null],
    ['UPDATE_IN_PROGRESS', 'IN_PROGRESS', 'COMPLETE', 'UPDATE_COMPLETE', null],
    ['DELETE_IN_PROGRESS', 'IN_PROGRESS', 'IN_PROGRESS', 'DELETE_IN_PROGRESS', null],
    ['DELETE_IN_PROGRESS', 'IN_PROGRESS', 'COMPLETE', 'DELETE_IN_PROGRESS', null],
    ['DELETE_IN_PROGRESS', 'IN_PROGRESS', 'FAILED', 'DELETE_FAILED', null],
    ['DELETE_IN_PROGRESS', 'IN_PROGRESS', 'unlisted', 'DELETE_IN_PROGRESS', null],
    ['DELETE_IN_PROGRESS', 'IN_PROGRESS', 'ABSENT', null, null],
    // When the work is done, well or not.
    ['CREATE_IN_PROGRESS', 'COMPLETE', 'COMPLETE', 'CREATE_COMPLETE', null],
    ['CREATE_IN_PROGRESS', 'COMPLETE', 'unlisted', 'CREATE_FAILED', lost('node group')],
    ['UPDATE_IN_PROGRESS', 'FAILED', 'FAILED', 'UPDATE_FAILED', null],
    ['UPDATE_COMPLETE', 'FAILED', 'COMPLETE', 'UPDATE_COMPLETE', null],
    ['UPDATE_COMPLETE', 'COMPLETE', 'ABSENT', 'UPDATE_FAILED', lost('node group')],
    ['UPDATE_COMPLETE', 'ABSENT', 'unlisted', 'UPDATE_FAILED', lost('node group')],
    ['DELETE_IN_PROGRESS', 'COMPLETE', 'ABSENT', null, null],
    ['DELETE_IN_PROGRESS', 'COMPLETE', 'unlisted', null, null],
    ['DELETE_IN_PROGRESS', 'FAILED', 'FAILED', 'DELETE_FAILED', null],
    ['DELETE_IN_PROGRESS', 'COMPLETE', 'COMPLETE', 'DELETE_FAILED', notRemoved('node group')],
  ])('in %s of a cluster seen %s, itself seen %s, becomes %s', (before, cluster, group, status, reason) => {
    expect(groupAfter(before, cluster, group)).toStrictEqual([status, reason]);
  });

  test('takes reason and addresses from what was seen, and keeps its addresses where none were', () => {
    const groups = [
      { name: 'a', status: 'UPDATE_IN_PROGRESS' as const },
      { name: 'b', status: 'UPDATE_IN_PROGRESS' as const },
    ];
    const observed: ObservedNodeGroup[] = [
      { name: 'b', phase: 'FAILED', reason: 'no quota' },
      { name: 'a', phase: 'COMPLETE', reason: null, addresses: ['10.0.0.4'] },
    ];
    expect(
      statusAfter({ status: 'UPDATE_IN_PROGRESS', groups }, seen('FAILED', observed)).groups,
    ).toStrictEqual([
      { name: 'a', status: 'UPDATE_COMPLETE', reason: null, addresses: ['10.0.0.4'] },
      { name: 'b', status: 'UPDATE_FAILED', reason: 'no quota', addresses: null },
    ]);
  });
});

describe('whatever was and whatever is seen', () => {
  const status = fc.constantFrom<Status | null>(null, ...statuses);
  const name = fc.constantFrom('default-master', 'default-worker', 'ng-1', 'ng-2');
  const before = fc.record({
    status,
    groups: fc.uniqueArray(fc.record({ name, status }), { selector: (group) => group.name }),
  });
  const observation = fc.record({
    phase: fc.constantFrom(...phases),
    reason: fc.constant(null),
    apiAddress: fc.constant(null),
    coeVersion: fc.constant(null),
    nodeGroups: fc.array(fc.record({ name, phase: fc.constantFrom(...phases), reason: fc.constant(null) })),
  });
  const verbOf = (of: Status | null) => (/^(CREATE|DELETE)_/.exec(of ?? '') ?? ['', 'UPDATE'])[1];

  test('nothing changes the verb it is under', () => {
    fc.assert(
      fc.property(before, observation, (was, is) => {
        const after = statusAfter(was, is);
        const verbs = new Map<string, string | undefined>(
          was.groups.map((group) => [group.name, verbOf(group.status)]),
        );
        const strayed = after.groups.filter(
          (group) => group.status !== null && verbOf(group.status) !== verbs.get(group.name),
        );
        expect(strayed).toStrictEqual([]);
        expect(after.status === null || verbOf(after.status) === verbOf(was.status)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('no group disappears that was not being deleted, while its cluster is there', () => {
    fc.assert(
      fc.property(before, observation, (was, is) => {
        const after = statusAfter(was, is);
        fc.pre(after.status !== null);
        expect(after.groups.map((group) => group.name)).toStrictEqual(was.groups.map((group) => group.name));
        const gone = was.groups.filter((_, index) => after.groups[index]?.status === null);
        expect(gone.filter((group) => verbOf(group.status) !== 'DELETE')).toStrictEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('a cluster is gone just where it was being deleted and is absent', () => {
    fc.assert(
      fc.property(before, observation, (was, is) => {
        const gone = verbOf(was.status) === 'DELETE' && is.phase === 'ABSENT';
        expect(statusAfter(was, is).status === null).toBe(gone);
      }),
    );
  });

  test('nothing that is there is called completely deleted', () => {
    fc.assert(
      fc.property(before, observation, (was, is) => {
        const after = statusAfter(was, is);
        const seenGroups = new Set<string>(is.nodeGroups.map((group) => group.name));
        const listed = after.groups.filter((group) => seenGroups.has(group.name));
        expect([after.status, ...listed.map((group) => group.status)]).not.toContain('DELETE_COMPLETE');
      }),
    );
  });
});
