import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { withImplied } from '../../../src/cloud/identity/roles.ts';

describe('roles imply others', () => {
  it.each([
    ['admin', ['admin', 'manager', 'member', 'reader']],
    ['manager', ['manager', 'member', 'reader']],
    ['member', ['member', 'reader']],
    ['reader', ['reader']],
    ['service', ['service']],
    ['constructor', ['constructor']],
  ])('%s', (role, all) => {
    expect(withImplied([role])).toEqual(all);
  });

  it('never twice, and never less than was given', () => {
    const role = fc.constantFrom('admin', 'manager', 'member', 'reader', 'service', 'other');
    fc.assert(
      fc.property(fc.array(role), (roles) => {
        const all = withImplied(roles);
        expect(new Set(all).size).toBe(all.length);
        expect(all).toEqual(expect.arrayContaining(roles));
        expect(withImplied(all).sort()).toEqual(all.sort());
      }),
    );
  });
});
