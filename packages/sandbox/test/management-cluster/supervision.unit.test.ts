import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Box, Program } from '../../src/management-cluster/box.ts';
import { superviseIn, type Supervision } from '../../src/management-cluster/supervision.ts';

const program = (name: string): Program => ({
  name,
  path: `/bin/${name}`,
  arguments: [],
  environment: {},
  log: `/logs/${name}.log`,
  last: false,
});

let orders: string[];
let told: string[];
let supervision: Supervision;

const box: Box = {
  start: ({ name }) => orders.push(`start ${name}`),
  stop: (name) => orders.push(`stop ${name}`),
  kill: (name) => orders.push(`kill ${name}`),
  close: () => Promise.resolve(),
};

beforeEach(() => {
  vi.useFakeTimers();
  orders = [];
  told = [];
  supervision = superviseIn(
    () => box,
    (line) => told.push(line),
  );
});
afterEach(() => vi.useRealTimers());

/** Lets a program end again and again, and answers how long it was away each time. */
function absences(times: number): number[] {
  return Array.from({ length: times }, () => {
    supervision.exited('etcd', 'signal: killed');
    const before = orders.length;
    let waited = 0;
    for (; orders.length === before; waited += 100) vi.advanceTimersByTime(100);
    return waited;
  });
}

describe('a program that ends without being told to', () => {
  test('is started again, each time a little later, up to a limit', () => {
    supervision.keep(program('etcd'));
    expect(absences(8)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  test('is started again quickly where it ran well for a while', () => {
    supervision.keep(program('etcd'));
    absences(4);
    vi.advanceTimersByTime(61_000);
    expect(absences(2)).toEqual([500, 1_000]);
  });

  test('is told of, with how it ended and where to read on', () => {
    supervision.keep(program('etcd'));
    supervision.exited('etcd', 'signal: killed');
    expect(told).toEqual([
      'etcd of the management cluster ended (signal: killed) and is started again in 500 ms; see /logs/etcd.log',
    ]);
  });
});

describe('a program that is held', () => {
  test('stays away until it is released', () => {
    supervision.keep(program('etcd'));
    const release = supervision.hold('etcd');
    supervision.exited('etcd', 'signal: killed');
    vi.advanceTimersByTime(600_000);
    expect(orders).toEqual(['start etcd', 'kill etcd']);
    release();
    release();
    expect(orders).toEqual(['start etcd', 'kill etcd', 'start etcd']);
  });

  test('is not started beside itself when it is released before its end was heard of', () => {
    supervision.keep(program('etcd'));
    supervision.hold('etcd')();
    expect(orders).toEqual(['start etcd', 'kill etcd']);
    supervision.exited('etcd', 'signal: killed');
    vi.advanceTimersByTime(500);
    expect(orders).toEqual(['start etcd', 'kill etcd', 'start etcd']);
  });

  test('stays away also when the box was started again meanwhile', () => {
    supervision.keep(program('etcd'));
    const release = supervision.hold('etcd');
    supervision.forget();
    supervision.keep(program('etcd'));
    expect(orders).toEqual(['start etcd', 'kill etcd']);
    release();
    expect(orders.at(-1)).toBe('start etcd');
  });
});

test('nothing is started any more once the box is gone', () => {
  supervision.keep(program('etcd'));
  supervision.exited('etcd', 'signal: killed');
  supervision.forget();
  vi.advanceTimersByTime(600_000);
  expect(orders).toEqual(['start etcd']);
});
