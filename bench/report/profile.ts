import { readFileSync } from 'node:fs';
import path from 'node:path';
import { table } from './table.ts';

/** What V8 writes with --cpu-prof, as far as it is read here. Times are in microseconds. */
interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

const shown = 30;

/** Where the CPU of the API went while it was measured: functions by the time spent in themselves. */
export function hottestFunctions(file: string, windows: readonly { from: number; to: number }[]): string {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const spent = new Map<string, number>();
  let [at, busy] = [profile.startTime, 0];
  for (const [index, sample] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    const name = names.get(sample) ?? '?';
    if (name === '(idle)' || !windows.some(({ from, to }) => at >= from && at <= to)) continue;
    spent.set(name, (spent.get(name) ?? 0) + delta);
    busy += delta;
  }
  const rows = [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, time]) => [name.replaceAll('|', '\\|'), `${((time / busy) * 100).toFixed(1)} %`]);
  return `## Profile ${path.basename(file)}\n\n${table(['function', 'of busy time'], rows)}\n`;
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const where = url.replace(/^.*\/(node_modules|packages)\//, '');
  const name = functionName === '' ? '(anonymous)' : functionName;
  return where === '' ? name : `${name} ${where}:${lineNumber + 1}`;
}
