import type { ScenarioName } from './scenarios.ts';

/** What Magnum 23 needs with two workers, 16 connections and 1,000 clusters, on a machine of the same kind. */
export interface MagnumFigure {
  /** Null where a single request was timed. */
  perSecond: number | null;
  cpuMs: number;
  /** Of a single request. */
  latencyMs?: number;
}

export const magnumConditions = { clusters: 1000, connections: 16 };

const pageOf1000: MagnumFigure = { perSecond: null, cpuMs: 3300, latencyMs: 3100 };

export const magnum: Partial<Record<ScenarioName, MagnumFigure>> = {
  show: { perSecond: 121, cpuMs: 14 },
  'node-groups': { perSecond: 167, cpuMs: 11 },
  'list-20': { perSecond: 26, cpuMs: 62 },
  'template-create': { perSecond: 19, cpuMs: 100 },
  'list-1000': pageOf1000,
  'detail-1000': pageOf1000,
};

/** How many times less CPU a request shall take than in Magnum. */
export const cpuTargets: Partial<Record<ScenarioName, { aim: number; least: number }>> = {
  show: { aim: 50, least: 30 },
  'list-20': { aim: 50, least: 30 },
  'list-1000': { aim: 100, least: 100 },
  'detail-1000': { aim: 100, least: 100 },
};

/** Between the smallest and the largest size; what is above one allows for noise, not for growth. */
export const latencyGrowthAllowed = 1.25;

export const memoryAllowed = 250 * 1024 * 1024;
