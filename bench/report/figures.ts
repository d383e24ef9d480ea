import type { Result, SizeResult } from '../result.ts';
import { scenarios } from '../scenarios.ts';
import { megabytes, number, table } from './table.ts';

const heads = [
  'scenario',
  'connections',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'API CPU ms',
  'PostgreSQL CPU ms',
  'API + PostgreSQL ms',
  'sandbox CPU ms',
  'generator CPU ms',
  'KB',
  'API RSS',
];

function sizeTable(size: SizeResult): string {
  const rows = size.figures.map(({ scenario, connections, cpu, ...figure }) => [
    scenarios[scenario].title,
    String(connections),
    number(figure.perSecond),
    number(figure.p50),
    number(figure.p99),
    number(cpu.api),
    number(cpu.postgres),
    number(cpu.api + cpu.postgres),
    number(cpu.sandbox),
    number(cpu.generator),
    number(figure.bytes / 1024),
    megabytes(figure.rss),
  ]);
  const { ready, afterwards, peak } = size.memory;
  return [
    `## ${size.clusters.toLocaleString('en')} clusters`,
    '',
    table(heads, rows),
    '',
    `Memory of the API process: ${megabytes(ready)} when ready, ${megabytes(afterwards)} afterwards, ` +
      `${megabytes(peak)} at most. Filled in ${number(size.fillSeconds)} s.`,
  ].join('\n');
}

/** All figures, a table for each size. CPU is user and system time per request. */
export function figuresReport(result: Result): string {
  const { machine } = result;
  return [
    `# Benchmark of ${result.takenAt}`,
    '',
    `${machine.cores} × ${machine.cpu}, Node ${machine.node}, ${result.seconds} s for each figure; ` +
      `load average before: ${machine.loadBefore}.`,
    '',
    ...result.sizes.flatMap((size) => [sizeTable(size), '']),
  ].join('\n');
}
