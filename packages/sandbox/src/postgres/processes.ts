// What the system knows about a process. Linux tells it under /proc; elsewhere only "there or not" can be asked.

import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** Whether a process runs; a zombie does not, it only has not been collected by its parent yet. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return stateOf(pid) !== 'Z';
}

function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // "pid (name) state parent …": the name may hold anything, so count from its last bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function stateOf(pid: number): string | undefined {
  return statOf(pid)?.[0];
}

/** Where a process works: the path, undefined where the system does not tell, null where we may not know. */
export function workingDirectoryOf(pid: number): string | undefined | null {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/**
 * Server processes that outlived their postmaster in a data directory. They leave by themselves when they notice,
 * but until then no new postmaster may start there. A postmaster is no such process: it is named by its program,
 * its children by what they do.
 */
export function orphanedServerProcesses(data: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && workingDirectoryOf(pid) === data)
    .filter((pid) => {
      const parent = Number(statOf(pid)?.[1]);
      return isServerProcess(pid) && workingDirectoryOf(parent) !== data;
    });
}

function isServerProcess(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: ');
  } catch {
    return false;
  }
}

/** Sends a signal to a process that may just have ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
