import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  allocationPools,
  formatAddress,
  overlap,
  parseAddress,
  parseCidr,
} from '../../src/cloud/network/addresses.ts';

const anyAddress = fc.integer({ min: 0, max: 0xff_ff_ff_ff });
const anyLength = fc.integer({ min: 0, max: 32 });

describe('IPv4 blocks', () => {
  it('an address reads back as it was written', () => {
    fc.assert(fc.property(anyAddress, (number) => expect(parseAddress(formatAddress(number))).toBe(number)));
  });

  it('a block holds the address it was named by and is named by its first', () => {
    fc.assert(
      fc.property(anyAddress, anyLength, (number, length) => {
        const block = parseCidr(`${formatAddress(number)}/${length}`);
        expect(block?.first).toBeLessThanOrEqual(number);
        expect(block?.last).toBeGreaterThanOrEqual(number);
        expect(block?.cidr).toBe(`${formatAddress(block?.first ?? -1)}/${length}`);
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
    const block = (text: string) => parseCidr(text) ?? expect.fail(text);
    expect(overlap(block('10.8.0.0/24'), block('10.8.0.0/25'))).toBe(true);
    expect(overlap(block('10.8.0.128/25'), block('10.8.0.0/24'))).toBe(true);
    expect(overlap(block('10.8.0.0/24'), block('10.8.1.0/24'))).toBe(false);
  });

  it('the gateway is kept out of the pool wherever it stands', () => {
    const block = parseCidr('10.8.0.0/29') ?? expect.fail();
    expect(allocationPools(block, parseAddress('10.8.0.1'))).toEqual([
      { start: '10.8.0.2', end: '10.8.0.6' },
    ]);
    expect(allocationPools(block, parseAddress('10.8.0.4'))).toEqual([
      { start: '10.8.0.1', end: '10.8.0.3' },
      { start: '10.8.0.5', end: '10.8.0.6' },
    ]);
    expect(allocationPools(block, undefined)).toEqual([{ start: '10.8.0.1', end: '10.8.0.6' }]);
  });
});
