import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Account } from './account.ts';
import { asAccount } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PostgresError } from './errors.ts';
import type { Layout } from './layout.ts';
import { isAlive, signal } from './processes.ts';

/** A postmaster that we have started or adopted. */
export interface Postmaster {
  pid: number;
  socketDirectory: string;
  /** Resolves when the process has ended, with what is known about how. */
  ended: Promise<string>;
  /** Asked before every signal: after its end the pid may be anybody's. */
  runs(): boolean;
}

const largestLogBytes = 20 * 1024 * 1024;
const lookEveryMs = 250;
const fastShutdownMs = 20_000;
const immediateShutdownMs = 5_000;

/**
 * Starts the server in a session of its own: a Ctrl-C in the terminal is for us, who then take it down in order.
 * It writes to a file and not to a pipe, because it shall outlive a killed parent unharmed.
 */
export function launch(options: {
  layout: Layout;
  account: Account | undefined;
  binaries: Binaries;
  socketDirectory: string;
}): Postmaster {
  const { layout, account, binaries, socketDirectory } = options;
  const log = openSync(layout.log, 'a', 0o600);
  try {
    const child = spawn(binaries.postgres, ['-D', layout.data, '-k', socketDirectory], {
      ...asAccount(account),
      cwd: '/',
      env: { LC_ALL: 'C' },
      stdio: ['ignore', log, log],
      detached: true,
    });
    const ended = new Promise<string>((resolve) => {
      child.on('exit', (code, by) => resolve(by ?? `exit code ${code}`));
      child.on('error', (error) => resolve(error.message));
    });
    child.unref();
    const runs = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    return { pid: child.pid ?? 0, socketDirectory, ended, runs };
  } finally {
    closeSync(log);
  }
}

/** Takes over a server that somebody else started; nobody tells us of its end, so we look. */
export function adopt(pid: number, socketDirectory: string): Postmaster {
  let over = false;
  const ended = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      over = true;
      clearInterval(timer);
      resolve('ended');
    }, lookEveryMs);
    timer.unref();
  });
  return { pid, socketDirectory, ended, runs: () => !over && isAlive(pid) };
}

/** Fast shutdown (sessions are cut, data are flushed), and harder ways where that does not come to an end. */
export async function shutDown(postmaster: Postmaster): Promise<void> {
  const ways: [NodeJS.Signals, number][] = [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
    ['SIGKILL', immediateShutdownMs],
  ];
  for (const [name, limitMs] of ways) {
    if (!postmaster.runs()) return;
    signal(postmaster.pid, name);
    if (await endsWithin(postmaster, limitMs)) return;
  }
  throw new PostgresError(`PostgreSQL (pid ${postmaster.pid}) does not end, not even by SIGKILL`);
}

async function endsWithin(postmaster: Postmaster, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (postmaster.runs() && Date.now() < deadline) await sleep(20);
  return !postmaster.runs();
}

/** Where the log ends now; a log that has grown large is put aside first. */
export function markLog(layout: Layout): number {
  try {
    const { size } = statSync(layout.log);
    if (size < largestLogBytes) return size;
    renameSync(layout.log, `${layout.log}.1`);
    return 0;
  } catch {
    return 0;
  }
}

/** The last lines that the server has written since the mark. */
export function logSince(layout: Layout, mark: number): string {
  try {
    const written = readFileSync(layout.log).subarray(mark).toString('utf8');
    return written.trimEnd().split('\n').slice(-15).join('\n');
  } catch {
    return '';
  }
}
