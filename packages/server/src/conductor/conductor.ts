import type { Driver } from '@jeroboam/domain';
import type { Logger } from 'pino';
import { driverOf } from '../clusters/driver-of.ts';
import { workChannel, type Announcements } from '../store/index.ts';
import { claim, freeOrphans, giveBack, sendMissingJobs, type Claim } from './claims.ts';
import { lookIdle } from './idle-look.ts';
import { createKeyedRunner } from './keyed-runner.ts';
import { carryOn, type StepContext, type StepResult } from './step.ts';

export interface Conductor {
  start(): Promise<void>;
  /** Finishes the steps that run, takes no more, and leaves the rest to others. */
  stop(): Promise<void>;
}

export interface ConductorContext extends StepContext {
  announcements: Announcements;
  logger: Logger;
  /** A step that takes longer is left to another attempt; whatever it may still do, it writes nothing. */
  stepLimitMs?: number;
}

const parallel = { steps: 8, looks: 2 };
const takenAtOnce = 16;
/** Of a storm of changes one look is enough. */
const debounceMs = 50;
const touchMs = 3_000;
/** How soon the death of another conductor is noticed. */
const orphansMs = 1_000;
/** Work that was announced while nobody listened is found here. */
const sweepMs = 10_000;
const defaultStepLimitMs = 120_000;
const listedAtOnce = 500;

/**
 * Carries out what the API accepted: clusters side by side, the operations of one cluster in order. It keeps
 * nothing that the store does not have, so it may be killed anywhere and started again.
 */
export function createConductor(context: ConductorContext): Conductor {
  const { logger, store, queue, drivers, announcements } = context;
  /** What this conductor has, by cluster. */
  const held = new Map<string, Claim>();
  const timers: NodeJS.Timeout[] = [];
  const unwatch: (() => void)[] = [];
  let stopped = true;

  const steps = createKeyedRunner({
    parallel: parallel.steps,
    run: step,
    onError: (cluster, error, retryInMs) =>
      logger.error(
        { err: error, cluster, retryInMs },
        'a step of the conductor failed and will be tried again',
      ),
  });
  const looks = createKeyedRunner({
    parallel: parallel.looks,
    run: (cluster) => (held.has(cluster) ? Promise.resolve(null) : lookIdle(context, cluster)),
    onError: (cluster, error, retryInMs) =>
      logger.warn({ err: error, cluster, retryInMs }, 'could not look at a cluster; will be tried again'),
  });
  const work = createKeyedRunner({
    parallel: 1,
    run: takeWork,
    onError: (_key, error, retryInMs) => logger.warn({ err: error, retryInMs }, 'could not take work'),
  });
  const lookForWork = (): void => work.wake('work');

  async function takeWork(): Promise<null> {
    for (;;) {
      const holder = announcements.presence;
      if (stopped || holder === null) return null;
      const jobs = await queue.take(takenAtOnce);
      for (const job of jobs) {
        const mine = await claim(context, job, holder);
        if (mine === null) continue;
        held.set(mine.cluster, mine);
        steps.wake(mine.cluster);
      }
      if (jobs.length < takenAtOnce) return null;
    }
  }

  async function step(cluster: string): Promise<number | null> {
    const mine = held.get(cluster);
    if (mine === undefined) return null;
    const result = await withinLimit(carryOn(context, mine));
    if (result?.kind === 'wait') return result.ms;
    if (held.get(cluster) === mine) held.delete(cluster);
    if (result === null)
      logger.warn({ cluster }, 'a step of the conductor takes too long: left to another attempt');
    // Of what was lost there may be more to do: whoever takes the job finds out.
    if (result?.kind !== 'done') await giveBack(context, mine);
    lookForWork();
    return null;
  }

  /** The result of a step, or null when it is not there in time. */
  function withinLimit(running: Promise<StepResult>): Promise<StepResult | null> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), context.stepLimitMs ?? defaultStepLimitMs);
    });
    return Promise.race([running, limit]).finally(() => clearTimeout(timer));
  }

  function changed(cluster: string): void {
    (held.has(cluster) ? steps : looks).wakeLater(cluster, debounceMs);
  }

  /** Everything of a driver may have changed: what is worked on comes first, the rest one after the other. */
  async function allChanged(driver: Driver): Promise<void> {
    for (const cluster of held.keys()) steps.wake(cluster);
    let after = 0;
    for (;;) {
      const rows = await store.database
        .selectFrom('cluster')
        .select(['id', 'uuid', 'driver', 'server_type', 'cluster_distro', 'coe'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(listedAtOnce)
        .execute();
      for (const row of rows) if (isOf(driver, row)) changed(row.uuid);
      const last = rows.at(-1);
      if (last === undefined || stopped) return;
      after = last.id;
    }
  }

  function isOf(driver: Driver, row: Parameters<typeof driverOf>[1]): boolean {
    try {
      return driverOf(drivers, row) === driver;
    } catch {
      return false;
    }
  }

  function watchDrivers(): void {
    for (const driver of new Set(drivers.names.map((name) => drivers.named(name)))) {
      const hear = (cluster: string | null): void => {
        if (cluster !== null) changed(cluster);
        else attempt('could not list the clusters of a driver', allChanged(driver));
      };
      unwatch.push(driver.watch(hear));
    }
  }

  function attempt(failure: string, doing: Promise<unknown>): void {
    doing.catch((error: unknown) => logger.warn({ err: error }, failure));
  }

  async function takeFromTheDead(): Promise<void> {
    if ((await freeOrphans(context)) > 0) lookForWork();
  }

  async function sweep(): Promise<void> {
    await sendMissingJobs(context);
    lookForWork();
  }

  function every(ms: number, task: () => void): void {
    const timer = setInterval(task, ms);
    timer.unref();
    timers.push(timer);
  }

  announcements.on(workChannel, (cluster) => {
    if (stopped) return;
    if (held.has(cluster)) steps.wake(cluster);
    lookForWork();
  });
  // Others see no sign of life any more and take it all; it is simplest to do as they think.
  announcements.onLost(() => {
    for (const cluster of held.keys()) steps.forget(cluster);
    held.clear();
  });
  announcements.onBack(() => {
    if (!stopped) attempt('could not look for work', takeFromTheDead().then(lookForWork));
  });

  return {
    async start() {
      stopped = false;
      await freeOrphans(context);
      await sweep();
      every(touchMs, () =>
        attempt('could not show a sign of life', queue.touch([...held.values()].map(({ job }) => job))),
      );
      every(orphansMs, () => attempt('could not look for work', takeFromTheDead()));
      every(sweepMs, () => attempt('could not look for work', sweep()));
      watchDrivers();
    },
    async stop() {
      stopped = true;
      for (const timer of timers.splice(0)) clearInterval(timer);
      for (const end of unwatch.splice(0)) end();
      await Promise.all([work.stop(), steps.stop(), looks.stop()]);
      for (const mine of held.values()) await giveBack(context, mine);
      held.clear();
    },
  };
}
