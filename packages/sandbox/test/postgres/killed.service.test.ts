import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { isAlive } from '../../src/postgres/processes.ts';
import type { Keeper } from './support/keeper.ts';
import { startKeeper } from './support/keeper.ts';
import { makePlace, query, storedIds, users } from './support/places.ts';

describe.each(users())('as $name, after kill -9', ({ user }) => {
  let place: ReturnType<typeof makePlace>;
  let directory: string;
  let last: Keeper | undefined;

  beforeEach(() => {
    place = makePlace();
    directory = path.join(place.directory, 'postgres');
  });

  afterEach(async () => {
    await last?.stop();
    place.remove();
  });

  const start = () => (last = startKeeper(directory, user));

  test('of our process, the next start adopts the server that still runs and finds every row', async () => {
    const first = start();
    const before = await first.up;
    await first.hasWritten(20);
    await first.kill();

    const second = start();
    const after = await second.up;

    expect(after.adopted).toBe(true);
    expect(after.pid).toBe(before.pid);
    expect(await storedIds(after.connectionString)).toEqual(expect.arrayContaining(first.acknowledged));
  });

  test('of our process and the server, the next start recovers and no acknowledged row is lost', async () => {
    const first = start();
    const before = await first.up;
    await first.hasWritten(20);
    process.kill(before.pid, 'SIGKILL');
    await first.kill();

    const second = start();
    const after = await second.up;

    expect(after.adopted).toBe(false);
    expect(after.pid).not.toBe(before.pid);
    expect(first.acknowledged.length).toBeGreaterThanOrEqual(20);
    expect(await storedIds(after.connectionString)).toEqual(expect.arrayContaining(first.acknowledged));
  });

  test('of the server alone, it is started again under a running process and nothing is lost', async () => {
    const keeper = start();
    const { pid, connectionString } = await keeper.up;
    await keeper.hasWritten(20);
    process.kill(pid, 'SIGKILL');

    const stored = await eventually(() => storedIds(connectionString));
    expect(stored).toEqual(expect.arrayContaining(keeper.acknowledged));
    expect(keeper.log.join('\n')).toContain('ended unexpectedly (SIGKILL)');
  });

  test('of a start that was still making the cluster, the next start makes it anew', async () => {
    const first = start();
    await eventually(async () => {
      if (!existsSync(directory) || !readdirSync(directory).some((name) => name.startsWith('data.initdb-'))) {
        throw new Error('initdb has not begun');
      }
    });
    await first.kill();

    const second = start();
    const { connectionString } = await second.up;
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('and a stop, nothing of the server is left running', async () => {
    const first = start();
    const { pid } = await first.up;
    await first.kill();
    const second = start();
    await second.up;
    await second.stop();

    expect(isAlive(pid)).toBe(false);
    expect(existsSync(path.join(directory, 'data/postmaster.pid'))).toBe(false);
  });
});

/** Tries until it succeeds; the last failure is the test's when 30 s were not enough. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
