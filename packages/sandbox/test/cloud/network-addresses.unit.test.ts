import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  allocationPools,
  formatAddress,
  overlap,
  parseAddress,
  parseCidr,
} from '../../src/cloud/network/addresses.ts';
import type { Block } from '../../src/cloud/network/addresses.ts';

const anyAddress = fc.integer({ min: 0, max: 0xff_ff_ff_ff });
const anyLength = fc.integer({ min: 0, max: 32 });

function block(text: string): Block {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new Error(`${text} is not a block`);
  return parsed;
}

describe('IPv4 blocks', () => {
  it('an address reads back as it was written', () => {
    fc.assert(
      fc.property(anyAddress, (number) => {
        expect(parseAddress(formatAddress(number))).toBe(number);
      }),
    );
  });

  it('a block holds the address it was named by and is named by its first', () => {
    fc.assert(
      fc.property(anyAddress, anyLength, (number, length) => {
        const found = parseCidr(`${formatAddress(number)}/${length}`);
        expect(found?.first).toBeLessThanOrEqual(number);
        expect(found?.last).toBeGreaterThanOrEqual(number);
        expect(found?.cidr).toBe(`${formatAddress(found?.first ?? -1)}/${length}`);
      }),
    );
  });

  it.each(['', '10.0.0.0', '10.0.0/24', '10.0.0.256/24', '10.0.0.0/33', '10.0.0.0/-1', 'a/b', '::/64'])(
    '%s is none',
    (text) => {
      expect(parseCidr(text)).toBeUndefined();
    },
  );

  it('a block overlaps its own halves and not its neighbour', () => {
    expect(overlap(block('10.8.0.0/24'), block('10.8.0.0/25'))).toBe(true);
    expect(overlap(block('10.8.0.128/25'), block('10.8.0.0/24'))).toBe(true);
    expect(overlap(block('10.8.0.0/24'), block('10.8.1.0/24'))).toBe(false);
  });

  it('the gateway is kept out of the pool wherever it stands', () => {
    const small = block('10.8.0.0/29');
    expect(allocationPools(small, parseAddress('10.8.0.1'))).toEqual([
      { start: '10.8.0.2', end: '10.8.0.6' },
    ]);
    expect(allocationPools(small, parseAddress('10.8.0.4'))).toEqual([
      { start: '10.8.0.1', end: '10.8.0.3' },
      { start: '10.8.0.5', end: '10.8.0.6' },
    ]);
    expect(allocationPools(small, undefined)).toEqual([{ start: '10.8.0.1', end: '10.8.0.6' }]);
  });
});
