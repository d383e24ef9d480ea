import os from 'node:os';
import path from 'node:path';
import { migrate, openStore, type Store } from '@jeroboam/server';
import { drawSample, fillClusters, removeCreatedTemplates } from './fill/clusters.ts';
import { requestsOf, tryOnce } from './load/requests.ts';
import { measure } from './measure/figure.ts';
import { memoryOf } from './measure/proc.ts';
import type { Options } from './options.ts';
import { errorsInLog } from './report/log-errors.ts';
import { hottestFunctions } from './report/profile.ts';
import type { Result, SizeResult } from './result.ts';
import { scenarios, type Sample, type ScenarioName } from './scenarios.ts';
import { apiLog, startApiProcess, type ApiProcess } from './service/api.ts';
import type { Parties } from './service/parties.ts';

export interface Run {
  options: Options;
  parties: Parties;
  progress: (line: string) => void;
  /** Takes a section of the report, in Markdown. */
  report: (text: string) => void;
  /** Tells that the run shall go no further. */
  stop: AbortSignal;
}

/** Fills each size in turn and measures it. */
export async function runBenchmark(run: Run): Promise<Result> {
  const { options, parties } = run;
  const result: Result = {
    takenAt: new Date().toISOString(),
    machine: {
      cpu: os.cpus()[0]?.model ?? 'unknown',
      cores: os.cpus().length,
      node: process.version,
      loadBefore: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
    },
    seconds: options.seconds,
    sizes: [],
    failures: [],
  };
  const store = openStore({ connectionString: parties.postgres.connectionString(), maxConnections: 2 });
  try {
    await migrate(store.database);
    for (const clusters of options.sizes) {
      run.stop.throwIfAborted();
      result.sizes.push(await measureSize(run, store, clusters, result.failures));
    }
  } finally {
    await store.close();
  }
  if (result.failures.length > 0) result.failures.push(...errorsInLog(apiLog(parties.directory)));
  return result;
}

async function measureSize(
  run: Run,
  store: Store,
  clusters: number,
  failures: string[],
): Promise<SizeResult> {
  const { options, parties, progress } = run;
  const { pool } = store;
  const begin = performance.now();
  await fillClusters(pool, parties.cloud, clusters, run.stop);
  const size: SizeResult = {
    clusters,
    fillSeconds: (performance.now() - begin) / 1000,
    figures: [],
    memory: { ready: 0, afterwards: 0, peak: 0 },
  };
  progress(`${clusters} clusters filled in ${size.fillSeconds.toFixed(1)} s`);
  const sample = await drawSample(pool, parties.cloud);
  // A profile shall hold one scenario only; otherwise one process serves them all, as it would in earnest.
  const turns = options.profile === null ? [options.scenarios] : options.scenarios.map((name) => [name]);
  for (const names of turns) {
    run.stop.throwIfAborted();
    const profile = options.profile && path.resolve(options.profile, `${clusters}-${names[0]}.cpuprofile`);
    const api = await startApiProcess({
      directory: parties.directory,
      databaseUrl: parties.postgres.connectionString(),
      identityUrl: parties.cloud.identityUrl,
      servicePassword: parties.cloud.servicePassword,
      profile,
    });
    const windows: { from: number; to: number }[] = [];
    try {
      size.memory.ready = memoryOf(api.pid).rss;
      for (const name of names) {
        run.stop.throwIfAborted();
        const turn = { run, api, sample, name, size, failures };
        windows.push(...(await measureScenario(turn)));
        await removeCreatedTemplates(pool);
      }
      const { rss, peak } = memoryOf(api.pid);
      size.memory.afterwards = rss;
      size.memory.peak = Math.max(size.memory.peak, peak);
    } finally {
      await api.end();
    }
    if (profile !== null) run.report(hottestFunctions(profile, windows));
  }
  return size;
}

async function measureScenario(turn: {
  run: Run;
  api: ApiProcess;
  sample: Sample;
  name: ScenarioName;
  size: SizeResult;
  failures: string[];
}): Promise<{ from: number; to: number }[]> {
  const { run, api, sample, size, failures } = turn;
  const { options, parties, progress } = run;
  const scenario = scenarios[turn.name];
  const url = new URL(api.url);
  const windows: { from: number; to: number }[] = [];
  const token = await parties.cloud.token();
  const complain = (what: string): void => {
    failures.push(`${scenario.title} at ${size.clusters} clusters: ${what}`);
    progress(`FAILED ${failures.at(-1)}`);
  };
  const complaint = await tryOnce(scenario, sample, url, token);
  if (complaint !== null) {
    complain(complaint);
    return windows;
  }
  const requests = requestsOf(scenario, sample, url, token);
  for (const connections of options.connections) {
    const outcome = await measure(parties, api, turn.name, {
      host: url.hostname,
      port: Number(url.port),
      requests,
      status: scenario.status,
      connections,
      warmUpSeconds: options.warmUpSeconds,
      seconds: options.seconds,
    });
    if ('failure' in outcome) {
      complain(outcome.failure);
      continue;
    }
    const { figure } = outcome;
    size.figures.push(figure);
    windows.push(outcome.window);
    progress(
      `${size.clusters} clusters, ${scenario.title}, connections ${connections}: ` +
        `${figure.perSecond.toFixed(0)}/s, p50 ${figure.p50.toFixed(2)} ms, API ${figure.cpu.api.toFixed(3)} ms CPU`,
    );
  }
  return windows;
}
