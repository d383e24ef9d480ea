import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Program } from '../support/program.ts';
import { repository, startProgram } from '../support/program.ts';
import { makeDirectory } from '../support/service.ts';

const launcher = path.join(repository, 'scripts/launch.mjs');
/** Where the sources are newer than what was built, the launcher builds first. */
const buildLimitMs = 240_000;

let place: ReturnType<typeof makeDirectory>;
let program: Program | undefined;

beforeEach(() => {
  place = makeDirectory();
});

afterEach(async () => {
  program?.process.kill('SIGTERM');
  await program?.ended;
  place.remove();
});

const start = (...args: string[]) =>
  (program = startProgram([
    launcher,
    'start',
    '--data-dir',
    place.directory,
    '--port',
    '0',
    '--management-cluster',
    'off',
    ...args,
  ]));

describe('the launcher', () => {
  test(
    'passes a signal on to the service and the exit code back',
    async () => {
      const started = start();
      await started.ready;
      started.process.kill('SIGINT');
      expect(await started.ended).toBe(0);
      expect(started.stderr()).toContain('stopped');
    },
    buildLimitMs,
  );

  test(
    'passes a mistake in the settings back as exit code 2',
    async () => {
      const started = start('--log-format', 'xml');
      expect(await started.ended).toBe(2);
      expect(started.stderr()).toContain('--log-format: "xml" is not one of pretty, json');
    },
    buildLimitMs,
  );

  test(
    'takes the service and its PostgreSQL along when it is killed',
    async () => {
      const started = start();
      await started.ready;
      const pidFile = path.join(place.directory, 'postgres/data/postmaster.pid');
      expect(existsSync(pidFile)).toBe(true);
      started.process.kill('SIGKILL');

      await eventually(() => !existsSync(pidFile));
      // PostgreSQL is gone before the last line of the service is written.
      const log = (): string => readFileSync(path.join(place.directory, 'jeroboam.log'), 'utf8');
      await eventually(() => log().includes('"msg":"stopped"'));
      expect(log()).toContain('"msg":"stopping"');
    },
    buildLimitMs,
  );
});

async function eventually(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 40_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('it did not come about within 40 s');
    await sleep(50);
  }
}
