import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  statuses,
  statusWhenIdle,
  type ObservedCluster,
  type ObservedNodeGroup,
  type Status,
} from '@jeroboam/domain';

type Seen = ObservedCluster['phase'];
const phases: Seen[] = ['IN_PROGRESS', 'COMPLETE', 'FAILED', 'ABSENT'];

const seen = (phase: Seen, nodeGroups: ObservedNodeGroup[] = []): ObservedCluster => ({
  phase,
  reason: 'as seen',
  apiAddress: null,
  coeVersion: null,
  nodeGroups,
});

const was = 'as it was';

describe('a cluster on which nothing is under way', () => {
  test.each<[Status, Seen, Status | null, string | null]>([
    // What others do shows as an update.
    ['CREATE_COMPLETE', 'COMPLETE', 'CREATE_COMPLETE', 'as seen'],
    ['CREATE_COMPLETE', 'IN_PROGRESS', 'UPDATE_IN_PROGRESS', 'as seen'],
    ['UPDATE_IN_PROGRESS', 'COMPLETE', 'UPDATE_COMPLETE', 'as seen'],
    ['UPDATE_COMPLETE', 'FAILED', 'UPDATE_FAILED', 'as seen'],
    ['UPDATE_COMPLETE', 'ABSENT', 'UPDATE_FAILED', 'The driver no longer knows this cluster.'],
    // What failed recovers when the back end is whole, and not before.
    ['CREATE_FAILED', 'IN_PROGRESS', 'CREATE_FAILED', was],
    ['CREATE_FAILED', 'FAILED', 'CREATE_FAILED', 'as seen'],
    ['CREATE_FAILED', 'ABSENT', 'CREATE_FAILED', was],
    ['CREATE_FAILED', 'COMPLETE', 'CREATE_COMPLETE', 'as seen'],
    ['UPDATE_FAILED', 'COMPLETE', 'UPDATE_COMPLETE', 'as seen'],
    // What should be gone goes when it is.
    ['DELETE_FAILED', 'COMPLETE', 'DELETE_FAILED', was],
    ['DELETE_FAILED', 'IN_PROGRESS', 'DELETE_FAILED', was],
    ['DELETE_FAILED', 'ABSENT', null, null],
  ])('in %s, seen %s, becomes %s', (status, phase, after, reason) => {
    expect(statusWhenIdle({ status, reason: was, groups: [] }, seen(phase))).toStrictEqual({
      status: after,
      reason,
      groups: [],
    });
  });
});

describe('a group of it', () => {
  const groupAfter = (status: Status, cluster: Seen, group: Seen | 'unlisted') => {
    const observed: ObservedNodeGroup[] =
      group === 'unlisted' ? [] : [{ name: 'ng', phase: group, reason: null }];
    const idle = { status: 'CREATE_COMPLETE' as const, reason: null, groups: [{ name: 'ng', status }] };
    return statusWhenIdle(idle, seen(cluster, observed)).groups[0]?.status;
  };

  test.each<[Status, Seen, Seen | 'unlisted', Status | null]>([
    ['CREATE_COMPLETE', 'COMPLETE', 'COMPLETE', 'CREATE_COMPLETE'],
    ['CREATE_COMPLETE', 'IN_PROGRESS', 'IN_PROGRESS', 'UPDATE_IN_PROGRESS'],
    ['CREATE_COMPLETE', 'IN_PROGRESS', 'unlisted', 'CREATE_COMPLETE'],
    ['CREATE_COMPLETE', 'COMPLETE', 'unlisted', 'UPDATE_FAILED'],
    ['UPDATE_FAILED', 'COMPLETE', 'COMPLETE', 'UPDATE_COMPLETE'],
    ['UPDATE_FAILED', 'IN_PROGRESS', 'IN_PROGRESS', 'UPDATE_FAILED'],
    ['DELETE_FAILED', 'COMPLETE', 'ABSENT', null],
    ['DELETE_FAILED', 'COMPLETE', 'unlisted', null],
    ['DELETE_FAILED', 'COMPLETE', 'COMPLETE', 'DELETE_FAILED'],
  ])('in %s of a cluster seen %s, itself seen %s, becomes %s', (status, cluster, group, after) => {
    expect(groupAfter(status, cluster, group)).toBe(after);
  });
});

describe('whatever was and whatever is seen', () => {
  const status = fc.constantFrom<Status>(...statuses);
  const observation = fc.record({
    phase: fc.constantFrom(...phases),
    reason: fc.option(fc.constant('as seen')),
    apiAddress: fc.constant(null),
    coeVersion: fc.constant(null),
    nodeGroups: fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b'),
        phase: fc.constantFrom(...phases),
        reason: fc.constant(null),
      }),
    ),
  });
  const before = fc.record({
    status,
    reason: fc.option(fc.constant(was)),
    groups: fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b'), status }), {
      selector: ({ name }) => name,
    }),
  });

  test('a second look at the same finds nothing new', () => {
    fc.assert(
      fc.property(before, observation, (was, is) => {
        const once = statusWhenIdle(was, is);
        if (once.status === null) return;
        const groups = once.groups.flatMap(({ name, status, reason }) =>
          status === null ? [] : [{ name, status, reason }],
        );
        const twice = statusWhenIdle({ status: once.status, reason: once.reason, groups }, is);
        expect([twice.status, twice.reason]).toEqual([once.status, once.reason]);
        expect(twice.groups.map(({ status, reason }) => [status, reason])).toEqual(
          groups.map(({ status, reason }) => [status, reason]),
        );
      }),
    );
  });

  test('only what was to be deleted is ever gone', () => {
    fc.assert(
      fc.property(before, observation, (was, is) => {
        const after = statusWhenIdle(was, is);
        const gone = after.groups.filter((group) => group.status === null).map(({ name }) => name);
        expect(after.status !== null || was.status.startsWith('DELETE_')).toBe(true);
        for (const name of gone)
          expect(was.groups.find((group) => group.name === name)?.status).toMatch(/^DELETE_/);
      }),
    );
  });
});
