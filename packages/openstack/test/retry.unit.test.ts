import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_RETRY_BUDGET, backoffMs, isPassing, nextDelayMs, retryAfterMs } from '../src/http/retry.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const attempt = fc.integer({ min: 1, max: 40 });

describe('the wait before another attempt', () => {
  test('lies between half and all of a ceiling that doubles up to its limit', () => {
    fc.assert(
      fc.property(attempt, random, (attempt, random) => {
        const ceiling = Math.min(3_000, 200 * 2 ** (attempt - 1));
        const wait = backoffMs(attempt, DEFAULT_RETRY_BUDGET, random);
        expect(wait).toBeGreaterThanOrEqual(ceiling / 2);
        expect(wait).toBeLessThanOrEqual(ceiling);
      }),
    );
  });

  test('never leads past the number of attempts or past the total time', () => {
    const options = fc.record({
      attempt,
      elapsedMs: fc.nat(20_000),
      askedMs: fc.option(fc.nat(30_000)),
      random,
      budget: fc.constant(DEFAULT_RETRY_BUDGET),
    });
    fc.assert(
      fc.property(options, (options) => {
        const wait = nextDelayMs(options);
        expect(wait === null || options.attempt < 4).toBe(true);
        expect(wait === null ? 0 : options.elapsedMs + wait).toBeLessThan(15_000);
      }),
    );
  });

  test('is at least what the service asked for', () => {
    const base = { attempt: 1, elapsedMs: 0, budget: DEFAULT_RETRY_BUDGET, random: 0 };
    expect(nextDelayMs({ ...base, askedMs: 2_000 })).toBe(2_000);
    expect(nextDelayMs({ ...base, askedMs: 1 })).toBe(100);
    expect(nextDelayMs({ ...base, askedMs: 60_000 })).toBeNull();
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-15T18:00:00Z');

  test.for([
    ['7', 7_000],
    [' 0 ', 0],
    ['Sun, 15 Nov 2026 18:00:30 GMT', 30_000],
    ['Sun, 15 Nov 2026 17:00:00 GMT', 0],
    ['soon', null],
    ['-1 or so', null],
    [null, null],
  ] as const)('%j means a wait of %j ms', ([header, wait]) => {
    expect(retryAfterMs(header, now)).toBe(wait);
  });
});

test('only statuses that speak of the moment are passing', () => {
  const passing = Array.from({ length: 600 }, (_, status) => status).filter((status) => isPassing(status));
  expect(passing).toEqual([429, 502, 503, 504]);
});
