import { setTimeout as delay } from 'node:timers/promises';

/** How patient a replay is. The recordings waited whole seconds for the real Magnum; ours answers in milliseconds. */
export interface Pace {
  /** Between two looks at something that is to change. */
  pollMs: number;
  /** The longest a single wait may take; a wait that was recorded with a shorter limit keeps that. */
  waitLimitMs: number;
  /** A recorded sleep ends as soon as no cluster is in progress, and after this share of its seconds anyway. */
  sleepFactor: number;
}

export const DEFAULT_PACE: Pace = { pollMs: 25, waitLimitMs: 20_000, sleepFactor: 1 };

/** Looks until `done` holds for what `look` sees; answers what it saw last, and whether time ran out. */
export async function poll<T>(
  look: () => Promise<T>,
  done: (seen: T) => boolean,
  limitMs: number,
  pollMs: number,
): Promise<{ seen: T; timedOut: boolean }> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (done(seen)) return { seen, timedOut: false };
    if (Date.now() >= deadline) return { seen, timedOut: true };
    await delay(pollMs);
  }
}
