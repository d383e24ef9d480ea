import { describe, expect, test } from 'vitest';
import { combinedFault, Fault, faultKinds, isFault, type FaultKind } from '@jeroboam/domain';

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

describe('several faults told as one', () => {
  const missing = new Fault('invalid_input', 'image_id is missing.', { field: 'image_id' });
  const conflict = new Fault('conflict', 'The name is taken.', { field: 'name' });
  const plain = new Fault('not_supported', 'Not with this driver.');

  test('are just the one where there is only one', () => {
    expect(combinedFault([conflict])).toBe(conflict);
  });

  test('are told each in its own words, in their order', () => {
    expect(combinedFault([missing, plain]).message).toBe(
      '2 things stand in the way: (1) image_id is missing. (2) Not with this driver.',
    );
  });

  test('have the status that all of them have, else that of a request that cannot be, or another on demand', () => {
    expect(combinedFault([conflict, conflict])).toMatchObject({ kind: 'conflict', status: 409 });
    expect(combinedFault([missing, plain]).status).toBe(400);
    expect(combinedFault([missing, conflict]).status).toBe(400);
    expect(combinedFault([missing, conflict], 409).status).toBe(409);
  });

  test('name the first field that is named', () => {
    expect(combinedFault([plain, conflict, missing]).field).toBe('name');
    expect(combinedFault([plain, plain]).field).toBeUndefined();
  });
});
