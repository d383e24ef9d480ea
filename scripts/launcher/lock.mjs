// One installation or build at a time in a clone. Two people (or a test run and a service) may start in the same
// clone at the same moment, and `npm ci` begins by emptying node_modules under everyone's feet.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { LaunchError, say } from './report.mjs';

const heartbeatMs = 1_000;
/** A holder that has not shown a sign of life for so long is gone, even where we cannot see its process. */
const silenceMs = 30_000;
const patienceMs = 15 * 60_000;

export async function withLock(root, work) {
  const file = path.join(root, '.jeroboam', 'launch.lock');
  const release = await acquire(file);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(file) {
  const mine = JSON.stringify({ pid: process.pid, host: os.hostname(), id: randomUUID() });
  const deadline = Date.now() + patienceMs;
  let told = false;
  for (;;) {
    if (tryToTake(file, mine)) return hold(file, mine);
    const holder = read(file);
    if (holder !== undefined && isGone(file, holder)) {
      discard(file, holder);
      continue;
    }
    if (!told) say('another start in this clone is installing or building: waiting for it');
    told = true;
    if (Date.now() > deadline) {
      throw new LaunchError(
        `waited ${patienceMs / 60_000} minutes for ${file}: remove it if nothing is being installed`,
      );
    }
    await sleep(250);
  }
}

function tryToTake(file, mine) {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new LaunchError(
      `the dependencies or the build must be renewed, but ${path.dirname(file)} cannot be written: ${error.message}`,
    );
  }
}

/** Keeps the lock's time stamp fresh; returns what gives the lock back, also when the process is told to end. */
function hold(file, mine) {
  const beat = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(file, now, now);
    } catch {
      // Somebody took us for dead and removed the file. The work goes on; at worst it is done twice.
    }
  }, heartbeatMs);
  const remove = () => {
    if (read(file) === mine) rmSync(file, { force: true });
  };
  process.on('exit', remove);
  return () => {
    clearInterval(beat);
    process.off('exit', remove);
    remove();
  };
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isGone(file, holder) {
  try {
    if (Date.now() - statSync(file).mtimeMs > silenceMs) return true;
    const { pid, host } = JSON.parse(holder);
    return host === os.hostname() && !isAlive(pid);
  } catch {
    // A half-written file: its writer is at it right now, or fell silent and the time stamp will tell.
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Takes a dead holder's lock away. Two waiters may do this at once, and the slower one would remove the lock that
 * the quicker one has just taken; so it is moved aside first and put back if it is not the one that was judged.
 */
function discard(file, judged) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  const moved = read(aside);
  if (moved !== undefined && moved !== judged) {
    try {
      writeFileSync(file, moved, { flag: 'wx' });
    } catch {
      // A third one has taken it: then it is theirs.
    }
  }
  rmSync(aside, { force: true });
}
