import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { commonNameOfCluster } from '../../src/certificates/distinguished-name.ts';

const clusterName = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 242 });

test('a name that fits is the common name as it stands', () => {
  expect(commonNameOfCluster('c-a')).toBe('c-a');
  expect(commonNameOfCluster('x'.repeat(64))).toBe('x'.repeat(64));
});

test('no name gives a common name of more than 64 characters', () => {
  fc.assert(
    fc.property(clusterName, (name) => {
      expect(Array.from(commonNameOfCluster(name)).length).toBeLessThanOrEqual(64);
    }),
  );
});

test('two long names that differ only at the end have different common names', () => {
  const start = 'x'.repeat(241);
  expect(commonNameOfCluster(`${start}a`)).not.toBe(commonNameOfCluster(`${start}b`));
});
