import { setTimeout as sleep } from 'node:timers/promises';

import type { Binaries } from './binaries.ts';
import { writeConfiguration } from './configuration.ts';
import { PostgresError } from './errors.ts';
import type { PidFile } from './pid-file.ts';
import { disownPidFile, readPidFile, standingOf } from './pid-file.ts';
import type { Placement } from './placement.ts';
import type { Postmaster } from './postmaster.ts';
import { adopt, launch, logSince, markLog, shutDown } from './postmaster.ts';
import { probe } from './probe.ts';
import { orphanedServerProcesses, signal } from './processes.ts';
import { socketDirectoryFor } from './socket.ts';

export interface Cluster extends Pick<Placement, 'layout' | 'account'> {
  binaries: Binaries;
  password: string;
  settings: Record<string, string>;
  log: (line: string) => void;
}

/** How long a server may say nothing at all, and how long it may say that it is coming (recovery takes its time). */
const silenceLimitMs = 30_000;
const recoveryLimitMs = 10 * 60_000;

/** What one look at the directory led to; `again` asks for another look after a moment. */
type Outcome = { up: Postmaster; adopted: boolean } | 'again' | 'recovering';

/**
 * Ends with a server that answers for this cluster, whatever state the last one was left in: running (adopted),
 * coming up or going down (waited for), dead with its pid file and shared memory left behind (cleaned up).
 */
export async function bringUp(cluster: Cluster): Promise<{ up: Postmaster; adopted: boolean }> {
  const sameSettings = writeConfiguration(cluster.layout, cluster.account, cluster.settings);
  const begun = Date.now();
  let heard = begun;
  let pause = 20;
  for (;;) {
    const found = readPidFile(cluster.layout);
    const outcome = await (found === undefined
      ? start(cluster, undefined)
      : dealWith(cluster, found, sameSettings));
    if (typeof outcome === 'object') return outcome;
    const now = Date.now();
    if (outcome === 'recovering') heard = now;
    if (now - heard > silenceLimitMs || now - begun > recoveryLimitMs)
      throw neverAnswered(cluster, now - begun);
    await sleep(pause);
    pause = Math.min(pause * 1.5, 500);
  }
}

async function dealWith(cluster: Cluster, found: PidFile, sameSettings: boolean): Promise<Outcome> {
  const { layout, account, log } = cluster;
  const standing = standingOf(found, layout);
  const answer =
    found.socketDirectory === undefined
      ? 'silent'
      : await probe(found.socketDirectory, cluster.password, layout);

  if (standing === 'gone' || standing === 'someone else') {
    if (answer === 'ready') {
      throw new PostgresError(
        `a PostgreSQL that is not of this machine's processes serves ${layout.data}: is it shared with a container?`,
      );
    }
    if (found.pid !== process.pid) {
      log(`PostgreSQL (pid ${found.pid}) did not shut down in order last time: cleaning up and recovering`);
    }
    disownPidFile(layout, account, found);
    return start(cluster, found.socketDirectory);
  }

  if (answer === 'starting') return 'recovering';
  if (answer !== 'ready' || found.socketDirectory === undefined) return 'again';
  const running = adopt(found.pid, found.socketDirectory);
  if (sameSettings) {
    log(`PostgreSQL (pid ${found.pid}) is still running: going on with it`);
    return { up: running, adopted: true };
  }
  log(`PostgreSQL (pid ${found.pid}) is still running with other settings: restarting it`);
  await shutDown(running);
  return 'again';
}

async function start(cluster: Cluster, formerSocket: string | undefined): Promise<Outcome> {
  const { layout, account, binaries, password } = cluster;
  const mark = markLog(layout);
  const socketDirectory = socketDirectoryFor(layout, account, formerSocket);
  const postmaster = launch({ layout, account, binaries, socketDirectory });

  const begun = Date.now();
  let heard = begun;
  let pause = 10;
  while (postmaster.runs()) {
    const answer = await probe(socketDirectory, password, layout);
    if (answer === 'ready' && readPidFile(layout)?.pid === postmaster.pid) {
      return { up: postmaster, adopted: false };
    }
    const now = Date.now();
    if (answer === 'starting') heard = now;
    if (now - heard > silenceLimitMs || now - begun > recoveryLimitMs) {
      await shutDown(postmaster);
      throw neverAnswered(cluster, now - begun);
    }
    await sleep(pause);
    pause = Math.min(pause * 1.3, 250);
  }
  return afterFailure(cluster, await postmaster.ended, logSince(layout, mark));
}

/** Two reasons for not starting pass by themselves; any other is told in PostgreSQL's own words. */
function afterFailure(cluster: Cluster, end: string, said: string): Outcome {
  if (/lock file "[^"]*" already exists/.test(said)) return 'again';
  if (/shared memory block .* is still in use/.test(said)) {
    for (const pid of orphanedServerProcesses(cluster.layout.data)) signal(pid, 'SIGQUIT');
    return 'again';
  }
  throw new PostgresError(
    `PostgreSQL did not start (${end}); the last lines of ${cluster.layout.log}:\n${said || '(nothing was written)'}`,
  );
}

function neverAnswered(cluster: Cluster, waitedMs: number): PostgresError {
  const pid = readPidFile(cluster.layout)?.pid;
  const which = pid === undefined ? '' : ` (pid ${pid})`;
  return new PostgresError(
    `PostgreSQL${which} did not answer within ${Math.round(waitedMs / 1000)} s; ` +
      `the last lines of ${cluster.layout.log}:\n${logSince(cluster.layout, 0)}`,
  );
}
