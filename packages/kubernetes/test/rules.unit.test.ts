import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { delayMs, pause } from '../src/backoff.ts';
import {
  apiVersionOf,
  collectionPath,
  customResourceDefinitions,
  KubeError,
  namespaces,
  objectPath,
  secrets,
} from '../src/index.ts';
import { errorOf } from '../src/kube-error.ts';

describe('paths', () => {
  test('name the group, the namespace and the object', () => {
    expect(collectionPath(secrets)).toBe('/api/v1/secrets');
    expect(collectionPath(secrets, 'here')).toBe('/api/v1/namespaces/here/secrets');
    expect(objectPath(namespaces, 'here')).toBe('/api/v1/namespaces/here');
    expect(objectPath(customResourceDefinitions, 'a.b')).toBe(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a.b',
    );
    expect(apiVersionOf(customResourceDefinitions)).toBe('apiextensions.k8s.io/v1');
  });

  test('of a namespaced object need its namespace', () => {
    expect(() => objectPath(secrets, 'one')).toThrow('a Secret needs a namespace');
  });

  test('cannot be led astray by a name', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const last = objectPath(secrets, name, 'here').slice('/api/v1/namespaces/here/secrets/'.length);
        expect(last).not.toMatch(/[/?#]/);
      }),
    );
  });
});

describe('errors', () => {
  test("are Kubernetes' own words", () => {
    const error = errorOf(409, JSON.stringify({ reason: 'Conflict', message: 'somebody else was quicker' }));
    expect(error).toMatchObject({ status: 409, reason: 'Conflict', message: 'somebody else was quicker' });
    expect(error.conflict).toBe(true);
  });

  test.each([
    ['plain text', 'the proxy is tired', 'the proxy is tired'],
    ['nothing', '', 'HTTP status 503'],
    ['JSON of another kind', '[]', 'HTTP status 503'],
    ['null', 'null', 'HTTP status 503'],
  ])('are told of where the answer is %s', (_what, body, message) => {
    expect(errorOf(503, body)).toMatchObject({ status: 503, message });
  });

  test('pass when the server is away, overloaded or restarting, and not when it refuses', () => {
    const passing = [0, 429, 500, 503, 504].map((status) => new KubeError(status, '', '').passing);
    const lasting = [400, 401, 403, 404, 409, 410, 422].map(
      (status) => new KubeError(status, '', '').passing,
    );
    expect(new Set(passing)).toEqual(new Set([true]));
    expect(new Set(lasting)).toEqual(new Set([false]));
  });
});

describe('backing off', () => {
  test('doubles up to half a minute and is never the same for everybody', () => {
    expect([1, 2, 3, 9, 90].map((failures) => delayMs(failures, () => 1))).toEqual([
      200, 400, 800, 30_000, 30_000,
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, r) => {
        const delay = delayMs(n, () => r);
        expect(delay).toBeGreaterThanOrEqual(100);
        expect(delay).toBeLessThanOrEqual(30_000);
      }),
    );
  });

  test('ends as soon as it is told to, also when it was told before', async () => {
    const told = new AbortController();
    const waiting = pause(3_600_000, told.signal);
    told.abort();
    await expect(waiting).resolves.toBeUndefined();
    await expect(pause(3_600_000, told.signal)).resolves.toBeUndefined();
  });
});
