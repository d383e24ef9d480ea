import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { repository, startProgram } from '../support/program.ts';
import { makeDirectory } from '../support/service.ts';

let place: ReturnType<typeof makeDirectory>;
let lockFile: string;

beforeEach(() => {
  place = makeDirectory();
  lockFile = path.join(place.directory, '.jeroboam/launch.lock');
});
afterEach(() => place.remove());

/** A process that, under the lock, notes its coming and going in a file. */
function worker(name: string, workMs: number) {
  const journal = path.join(place.directory, 'journal');
  const program = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    import { withLock } from ${JSON.stringify(path.join(repository, 'scripts/launcher/lock.mjs'))};
    await withLock(${JSON.stringify(place.directory)}, async () => {
      appendFileSync(${JSON.stringify(journal)}, '${name} comes\\n');
      await setTimeout(${workMs});
      appendFileSync(${JSON.stringify(journal)}, '${name} goes\\n');
    });`;
  return {
    ...startProgram(['--input-type=module', '-e', program]),
    journal: () => readFileSync(journal, 'utf8'),
  };
}

function leaveLock(holder: { pid: number; host: string }): void {
  mkdirSync(path.dirname(lockFile));
  writeFileSync(lockFile, JSON.stringify({ ...holder, id: 'left behind' }));
}

describe("the launcher's lock", () => {
  test('lets one installation in a clone work at a time', async () => {
    const workers = ['a', 'b', 'c', 'd'].map((name) => worker(name, 100));
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const lines = workers[0]?.journal().trim().split('\n') ?? [];
    expect(lines).toHaveLength(8);
    for (let index = 0; index < lines.length; index += 2) {
      expect(lines[index + 1]).toBe(lines[index]?.replace('comes', 'goes'));
    }
    expect(existsSync(lockFile)).toBe(false);
  });

  test('is taken from a holder that is dead', async () => {
    const dead = worker('dead', 60_000);
    const { pid } = dead.process;
    dead.process.kill('SIGKILL');
    await dead.ended;
    leaveLock({ pid: pid ?? 0, host: os.hostname() });
    const next = worker('next', 0);
    expect(await next.ended).toBe(0);
    expect(next.journal()).toContain('next goes');
  });

  test('is taken from a holder on another machine that has fallen silent', async () => {
    leaveLock({ pid: process.pid, host: 'elsewhere' });
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lockFile, longAgo, longAgo);
    const next = worker('next', 0);
    expect(await next.ended).toBe(0);
  });
});
