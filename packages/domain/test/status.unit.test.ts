import { describe, expect, test } from 'vitest';
import {
  changeVerb,
  healthStatuses,
  isDeleting,
  isFailed,
  isInProgress,
  statuses,
  statusOf,
} from '@jeroboam/domain';

test('the statuses are Magnum’s eighteen, each once', () => {
  expect(statuses).toHaveLength(18);
  expect(new Set(statuses).size).toBe(18);
  expect(healthStatuses).toStrictEqual(['HEALTHY', 'UNHEALTHY', 'UNKNOWN']);
});

test('every verb in every phase is one of them', () => {
  for (const verb of ['CREATE', 'UPDATE', 'DELETE'] as const)
    for (const phase of ['IN_PROGRESS', 'COMPLETE', 'FAILED'] as const)
      expect(statuses).toContain(statusOf(verb, phase));
});

describe('every status', () => {
  test.each(statuses)('%s is either in progress, failed or complete', (status) => {
    const phases = [isInProgress(status), isFailed(status), status.endsWith('_COMPLETE')];
    expect(phases.filter(Boolean)).toHaveLength(1);
  });

  test('is a deletion just where it says so', () => {
    expect(statuses.filter(isDeleting)).toStrictEqual([
      'DELETE_IN_PROGRESS',
      'DELETE_FAILED',
      'DELETE_COMPLETE',
    ]);
  });

  test('that is none is nothing of all that', () => {
    expect([isInProgress(null), isFailed(null), isDeleting(null)]).toStrictEqual([false, false, false]);
  });
});

describe('a change runs under the verb', () => {
  test.each(['CREATE_IN_PROGRESS', 'CREATE_FAILED'] as const)(
    'CREATE where the resource never came to be: %s',
    (status) => {
      expect(changeVerb(status)).toBe('CREATE');
    },
  );

  test.each([
    null,
    ...statuses.filter((status) => status !== 'CREATE_IN_PROGRESS' && status !== 'CREATE_FAILED'),
  ])('UPDATE otherwise: %s', (status) => {
    expect(changeVerb(status)).toBe('UPDATE');
  });
});
