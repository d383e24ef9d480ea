/** Runs one thing at a time for each key, several keys side by side, and again for a key that was woken meanwhile. */
export interface KeyedRunner {
  wake(key: string): void;
  /** Unless it is woken earlier; of two such times the earlier counts. */
  wakeLater(key: string, delayMs: number): void;
  /** What runs for it is not waited for any more, and says nothing about when to come back. */
  forget(key: string): void;
  /** Takes no more, and waits for what runs. */
  stop(): Promise<void>;
}

export interface RunnerOptions {
  parallel: number;
  /** Answers after how many milliseconds to come back, or null. */
  run: (key: string) => Promise<number | null>;
  /** Told before it is tried again. */
  onError: (key: string, error: unknown, retryInMs: number) => void;
}

const shortestWaitMs = 20;
const longestTimerMs = 2_000_000_000;
const retryMs = { first: 500, most: 30_000 };
const stopLimitMs = 5_000;

export function createKeyedRunner({ parallel, run, onError }: RunnerOptions): KeyedRunner {
  const waiting = new Set<string>();
  /** What runs; of a key that was forgotten something may still run that is not waited for. */
  const busy = new Map<string, { done: Promise<void> }>();
  const again = new Set<string>();
  const timers = new Map<string, { at: number; timer: NodeJS.Timeout }>();
  const failures = new Map<string, number>();
  let stopped = false;

  function clear(key: string): void {
    clearTimeout(timers.get(key)?.timer);
    timers.delete(key);
  }

  function wake(key: string): void {
    if (stopped) return;
    clear(key);
    if (busy.has(key)) again.add(key);
    else waiting.add(key);
    pump();
  }

  function wakeLater(key: string, delayMs: number): void {
    const delay = Math.min(Math.max(delayMs, shortestWaitMs), longestTimerMs);
    const at = Date.now() + delay;
    if (stopped || waiting.has(key) || (timers.get(key)?.at ?? Infinity) <= at) return;
    clear(key);
    const timer = setTimeout(() => wake(key), delay);
    timer.unref();
    timers.set(key, { at, timer });
  }

  function pump(): void {
    for (const key of waiting) {
      if (stopped || busy.size >= parallel) return;
      waiting.delete(key);
      start(key);
    }
  }

  function start(key: string): void {
    const own = { done: Promise.resolve() };
    busy.set(key, own);
    own.done = work(key, () => busy.get(key) === own);
  }

  async function work(key: string, isKnown: () => boolean): Promise<void> {
    const next = await attempt(key);
    if (!isKnown()) return;
    busy.delete(key);
    if (next !== null) wakeLater(key, next);
    if (again.delete(key)) wake(key);
    pump();
  }

  async function attempt(key: string): Promise<number | null> {
    try {
      const next = await run(key);
      failures.delete(key);
      return next;
    } catch (error) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      const delay = Math.min(retryMs.first * 2 ** (count - 1), retryMs.most);
      onError(key, error, delay);
      return delay;
    }
  }

  return {
    wake,
    wakeLater,
    forget(key) {
      clear(key);
      waiting.delete(key);
      again.delete(key);
      failures.delete(key);
      if (busy.delete(key)) pump();
    },
    async stop() {
      stopped = true;
      for (const key of timers.keys()) clear(key);
      waiting.clear();
      const limit = new Promise((resolve) => setTimeout(resolve, stopLimitMs).unref());
      await Promise.race([Promise.all([...busy.values()].map(({ done }) => done)), limit]);
    },
  };
}
