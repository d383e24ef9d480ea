const backoff = { firstMs: 200, mostMs: 30_000 };

/** Doubles with each failure, up to a limit, and never the same for everybody. */
export const delayMs = (failures: number, random: () => number): number =>
  Math.min(backoff.mostMs, backoff.firstMs * 2 ** (failures - 1)) * (0.5 + random() / 2);

/** Waits, or stops waiting when it is told to. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
