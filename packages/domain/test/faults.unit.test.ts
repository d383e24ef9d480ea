import { describe, expect, test } from 'vitest';
import { Fault, faultKinds, isFault, type FaultKind } from '@jeroboam/domain';

const kinds = Object.keys(faultKinds) as FaultKind[];

describe('the catalogue', () => {
  test.each(kinds)('gives %s the status of an error and a meaning in a sentence', (kind) => {
    const { status, meaning } = faultKinds[kind];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(meaning).toMatch(/^[A-Z].*[a-zA-Z]\.$/);
  });

  test('says no two kinds in the same words', () => {
    expect(new Set(kinds.map((kind) => faultKinds[kind].meaning)).size).toBe(kinds.length);
  });

  test('names kinds in words that fit logs, metrics and documents', () => {
    for (const kind of kinds) expect(kind).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  test('has a kind for every status the API answers with', () => {
    const covered = new Set<number>(kinds.map((kind) => faultKinds[kind].status));
    expect(
      [400, 401, 403, 404, 405, 406, 409, 413, 415, 500, 503].filter((status) => !covered.has(status)),
    ).toStrictEqual([]);
  });

  test('blames the service for nothing but its defects, its load and the cloud', () => {
    expect(kinds.filter((kind) => faultKinds[kind].status >= 500)).toStrictEqual([
      'internal',
      'busy',
      'cloud_unavailable',
    ]);
  });
});

describe('a fault', () => {
  test.each(kinds)('of the kind %s has its status', (kind) => {
    expect(new Fault(kind, 'words')).toMatchObject({
      kind,
      status: faultKinds[kind].status,
      message: 'words',
    });
  });

  test('may have another status, a field and a cause', () => {
    const cause = new Error('deeper');
    const fault = new Fault('not_found', 'words', { status: 400, field: 'cluster_template_id', cause });
    expect(fault).toMatchObject({ status: 400, field: 'cluster_template_id', cause, name: 'Fault' });
  });

  test('is told from any other error', () => {
    expect(isFault(new Fault('conflict', 'words'))).toBe(true);
    for (const other of [new Error('words'), { kind: 'conflict', status: 409 }, null, undefined, 'conflict'])
      expect(isFault(other)).toBe(false);
  });
});
