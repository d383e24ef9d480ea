import { readdirSync, readFileSync } from 'node:fs';

/** The unit of times in /proc; Linux tells user space 100 whatever its own clock does. */
const ticksPerSecond = 100;

interface ProcessTimes {
  parent: number;
  /** Own CPU and that of ended children, in seconds. */
  own: number;
  ended: number;
}

function timesOf(pid: number): ProcessTimes | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // It ended between being listed and being read.
    return null;
  }
  // The name in parentheses may hold blanks and parentheses itself; what follows the last one is numbers.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (index: number): number => Number(fields[index]);
  return {
    parent: field(1),
    own: (field(11) + field(12)) / ticksPerSecond,
    ended: (field(13) + field(14)) / ticksPerSecond,
  };
}

/** Seconds of CPU, user and system, that a process has used so far in all its threads. */
export function cpuSecondsOf(pid: number): number {
  const times = timesOf(pid);
  if (times === null) throw new Error(`process ${pid} has ended`);
  return times.own;
}

/** Seconds of CPU of a process and all below it, those that ended among them. */
export function cpuSecondsOfTree(root: number): number {
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const times = Number.isInteger(pid) ? timesOf(pid) : null;
    if (times !== null) all.set(pid, times);
  }
  if (!all.has(root)) throw new Error(`process ${root} has ended`);
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent) {
      if (at === root) return true;
    }
    return false;
  };
  let seconds = 0;
  for (const [pid, { own, ended }] of all) if (belongs(pid)) seconds += own + ended;
  return seconds;
}

/** Memory in bytes: what is resident now, and the most that ever was. */
export function memoryOf(pid: number): { rss: number; peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN);
  return { rss: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
}
