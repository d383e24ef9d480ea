import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawClusterName, groupSlug, namespaceOf } from '../src/names.ts';

describe('names', () => {
  test('of clusters begin like their own, are short, and are valid host names', () => {
    expect(drawClusterName('My Cluster!', () => 0)).toBe('my-cluster-aaaaaaaaaaaa');
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 0, max: 0.999, noNaN: true }), (name, random) => {
        const drawn = drawClusterName(name, () => random);
        expect(drawn).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/);
        expect(drawn.length).toBeLessThanOrEqual(30);
      }),
    );
  });

  test('of groups are their own where those can be names of objects', () => {
    expect(groupSlug({ name: 'default-worker', role: 'worker' })).toBe('default-worker');
    expect(groupSlug({ name: 'default-master', role: 'master' })).toBe('control-plane');
  });

  test('of groups never meet: what is shortened or spelt otherwise bears a hash of the whole', () => {
    const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('a_b', 'a-b', 'A-b', 'control-plane'));
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one !== other);
        expect(groupSlug({ name: one, role: 'worker' })).not.toBe(groupSlug({ name: other, role: 'worker' }));
        expect(groupSlug({ name: one, role: 'worker' })).not.toBe('control-plane');
      }),
    );
    fc.assert(
      fc.property(name, (text) => {
        expect(groupSlug({ name: text, role: 'worker' })).toMatch(/^[a-z0-9]([a-z0-9-]{0,13}[a-z0-9])?$/);
      }),
    );
  });

  test('of namespaces say whose they are', () => {
    expect(namespaceOf({ projectId: 'DE-ad_beef' })).toBe('magnum-deadbeef');
  });
});
