import type { Logger } from 'pino';
import { openClusterLocks } from './cluster-locks.ts';
import { listenForWork } from './listen.ts';
import { carryOn, type StepContext } from './step.ts';

export interface Conductor {
  start(): Promise<void>;
  /** Finishes the steps that run and takes no more. */
  stop(): Promise<void>;
}

const maxParallel = 8;
/** Work that was announced while nobody listened is found here. */
const sweepMs = 10_000;
const shortestWaitMs = 20;
/** Another conductor has the cluster; should it die, this one comes back to it. */
const takenMs = 1000;
const retryMs = { first: 500, most: 30_000 };

/**
 * Carries out what the API accepted: clusters side by side, the operations of one cluster in order. It keeps
 * nothing that the store does not have, so it may be killed anywhere and started again.
 */
export function createConductor(context: StepContext & { logger: Logger }): Conductor {
  const { logger, store } = context;
  const locks = openClusterLocks(store.pool);
  const busy = new Set<string>();
  const again = new Set<string>();
  const waiting: string[] = [];
  const timers = new Map<string, NodeJS.Timeout>();
  const failures = new Map<string, number>();
  let stopped = true;
  let sweeper: NodeJS.Timeout | undefined;
  let listener: { close(): Promise<void> } | undefined;

  function wake(cluster: string): void {
    if (stopped) return;
    clearTimeout(timers.get(cluster));
    timers.delete(cluster);
    if (busy.has(cluster)) again.add(cluster);
    else if (!waiting.includes(cluster)) waiting.push(cluster);
    pump();
  }

  function wakeLater(cluster: string, delayMs: number): void {
    if (stopped) return;
    clearTimeout(timers.get(cluster));
    const timer = setTimeout(() => wake(cluster), Math.max(delayMs, shortestWaitMs));
    timer.unref();
    timers.set(cluster, timer);
  }

  function pump(): void {
    if (stopped) return;
    for (const cluster of waiting.splice(0, maxParallel - busy.size)) {
      busy.add(cluster);
      void work(cluster);
    }
  }

  async function work(cluster: string): Promise<void> {
    try {
      const next = await locks.whileHolding(cluster, () => carryOn(context, cluster));
      failures.delete(cluster);
      if (next !== null) wakeLater(cluster, next ?? takenMs);
    } catch (error) {
      const count = (failures.get(cluster) ?? 0) + 1;
      failures.set(cluster, count);
      const delay = Math.min(retryMs.first * 2 ** (count - 1), retryMs.most);
      logger.error(
        { err: error, cluster, retryInMs: delay },
        'a step of the conductor failed and will be tried again',
      );
      wakeLater(cluster, delay);
    } finally {
      busy.delete(cluster);
      if (again.delete(cluster)) wake(cluster);
      pump();
    }
  }

  async function sweep(): Promise<void> {
    const rows = await store.database.selectFrom('operation').select('cluster_uuid').distinct().execute();
    for (const row of rows) if (!timers.has(row.cluster_uuid)) wake(row.cluster_uuid);
  }

  async function lookForWork(): Promise<void> {
    try {
      await sweep();
    } catch (error) {
      logger.warn({ err: error }, 'could not look for work');
    }
  }

  return {
    async start() {
      stopped = false;
      listener = await listenForWork(store.pool, {
        onWork: wake,
        onLost: (error) => logger.warn({ err: error }, 'lost the announcements of work; listening again'),
        onBack: () => void lookForWork(),
      });
      await sweep();
      sweeper = setInterval(() => void lookForWork(), sweepMs);
      sweeper.unref();
    },
    async stop() {
      stopped = true;
      clearInterval(sweeper);
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      waiting.length = 0;
      await listener?.close();
      const deadline = Date.now() + 5_000;
      while (busy.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
      locks.close();
    },
  };
}
