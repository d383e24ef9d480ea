import { figureOf, type Result } from '../result.ts';
import { scenarios } from '../scenarios.ts';
import { ratio, table } from './table.ts';

/** How this run stands to an earlier one: above one is more than before. */
export function comparisonReport(result: Result, earlier: Result): string {
  const rows = result.sizes.flatMap(({ clusters, figures }) =>
    figures.flatMap((now) => {
      const then = figureOf(earlier, clusters, now.scenario, now.connections);
      if (then === undefined) return [];
      return [
        [
          scenarios[now.scenario].title,
          clusters.toLocaleString('en'),
          String(now.connections),
          ratio(now.perSecond / then.perSecond),
          ratio(now.p50 / then.p50),
          ratio(now.p99 / then.p99),
          ratio(now.cpu.api / then.cpu.api),
          ratio((now.cpu.api + now.cpu.postgres) / (then.cpu.api + then.cpu.postgres)),
          ratio(now.rss / then.rss),
        ],
      ];
    }),
  );
  const heads = [
    'scenario',
    'clusters',
    'connections',
    'requests/s',
    'p50',
    'p99',
    'API CPU',
    'API + PostgreSQL CPU',
    'API RSS',
  ];
  const sameMachine =
    result.machine.cpu === earlier.machine.cpu && result.machine.cores === earlier.machine.cores;
  return [
    `## Compared with ${earlier.takenAt}`,
    '',
    ...(sameMachine ? [] : ['The earlier result is from another machine: the ratios say little.', '']),
    rows.length === 0 ? 'The two have no figure in common.' : table(heads, rows),
    '',
  ].join('\n');
}
