import {
  cpuTargets,
  latencyGrowthAllowed,
  magnum,
  magnumConditions,
  memoryAllowed,
  type MagnumFigure,
} from '../magnum.ts';
import { figureOf, type Figure, type Result } from '../result.ts';
import { scenarioNames, scenarios } from '../scenarios.ts';
import { megabytes, number, ratio, table } from './table.ts';

function verdict(times: number, target: { aim: number; least: number } | undefined): string {
  if (target === undefined) return 'no target';
  if (times >= target.aim) return `met (${target.aim} ×)`;
  return times >= target.least
    ? `least met (${target.least} × of ${target.aim} ×)`
    : `**not met** (${target.least} ×)`;
}

/** A single page was timed in Magnum, so it stands against ours with nobody else asking. */
function speed(result: Result, ours: Figure, theirs: MagnumFigure): string {
  if (theirs.perSecond !== null) return `${ratio(ours.perSecond / theirs.perSecond)} requests/s`;
  const alone = figureOf(result, magnumConditions.clusters, ours.scenario, 1);
  return `${ratio((theirs.latencyMs ?? Number.NaN) / (alone?.p50 ?? Number.NaN))} sooner (p50, 1 connection)`;
}

function magnumRow(result: Result, ours: Figure, theirs: MagnumFigure): string[] {
  const apiOnly = theirs.cpuMs / ours.cpu.api;
  const both = theirs.cpuMs / (ours.cpu.api + ours.cpu.postgres);
  return [
    scenarios[ours.scenario].title,
    speed(result, ours, theirs),
    `${number(theirs.cpuMs)} ms`,
    ratio(apiOnly),
    verdict(apiOnly, cpuTargets[ours.scenario]),
    ratio(both),
    verdict(both, cpuTargets[ours.scenario]),
  ];
}

function againstMagnum(result: Result): string {
  const { clusters, connections } = magnumConditions;
  const rows = scenarioNames.flatMap((name) => {
    const [ours, theirs] = [figureOf(result, clusters, name, connections), magnum[name]];
    return ours === undefined || theirs === undefined ? [] : [magnumRow(result, ours, theirs)];
  });
  const title = `## Against Magnum 23 (${clusters.toLocaleString('en')} clusters, ${connections} connections)`;
  if (rows.length === 0) return `${title}\n\nNot measured in this run.`;
  const heads = [
    'scenario',
    'speed',
    "Magnum's CPU",
    'less CPU: API only',
    'target',
    'less CPU: API + PostgreSQL',
    'target',
  ];
  return `${title}\n\n${table(heads, rows)}`;
}

/** Growth of the median with the least disturbed load: one connection, nobody waits for anybody. */
function growth(result: Result): string {
  const [smallest, largest] = [result.sizes[0], result.sizes.at(-1)];
  const title = '## Growth with the number of clusters';
  if (smallest === undefined || largest === undefined || smallest === largest)
    return `${title}\n\nNeeds two sizes.`;
  const connections = Math.min(...smallest.figures.map((figure) => figure.connections));
  const rows = scenarioNames.flatMap((name) => {
    const [from, to] = [smallest, largest].map((size) => figureOf(result, size.clusters, name, connections));
    if (from === undefined || to === undefined) return [];
    const times = to.p50 / from.p50;
    return [
      [
        scenarios[name].title,
        `${number(from.p50)} ms`,
        `${number(to.p50)} ms`,
        ratio(times),
        ratio(to.p99 / from.p99),
        times <= latencyGrowthAllowed ? 'met' : `**not met** (${latencyGrowthAllowed} ×)`,
      ],
    ];
  });
  const [few, many] = [smallest, largest].map((size) => size.clusters.toLocaleString('en'));
  const heads = ['scenario', `p50 at ${few}`, `p50 at ${many}`, 'p50', 'p99', 'target: p50 does not grow'];
  return `${title} (connections: ${connections})\n\n${table(heads, rows)}`;
}

function memory(result: Result): string {
  const rows = result.sizes.map(({ clusters, memory: { afterwards, peak } }) => [
    clusters.toLocaleString('en'),
    megabytes(afterwards),
    megabytes(peak),
    peak < memoryAllowed ? 'met' : `**not met** (${megabytes(memoryAllowed)})`,
  ]);
  return `## Memory of the API process\n\n${table(['clusters', 'RSS afterwards', 'peak RSS', 'target: peak'], rows)}`;
}

/** The figures held against Magnum's and against what we want of ourselves. */
export const targetsReport = (result: Result): string =>
  [againstMagnum(result), '', growth(result), '', memory(result), ''].join('\n');
