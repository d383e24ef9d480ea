/** How often, and for how long, a request may be repeated. */
export interface RetryBudget {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Time for everything together, waits included; no attempt outlives it. */
  readonly totalMs: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

/** Sized for a person who waits for an API answer: a restart of one service instance is bridged, an outage is not. */
export const DEFAULT_RETRY_BUDGET: RetryBudget = {
  attempts: 4,
  totalMs: 15_000,
  firstDelayMs: 200,
  longestDelayMs: 3_000,
};

const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Statuses that speak of the moment and not of the request. */
export function isPassing(status: number): boolean {
  return PASSING_STATUSES.has(status);
}

/** Half of the delay is fixed and half is random, so that clients which failed together do not return together. */
export function backoffMs(attempt: number, budget: RetryBudget, random: number): number {
  const ceiling = Math.min(budget.longestDelayMs, budget.firstDelayMs * 2 ** (attempt - 1));
  return ceiling / 2 + (ceiling / 2) * random;
}

/** `Retry-After` is either a number of seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** How long to wait before the next attempt, or null when the budget does not reach that far. */
export function nextDelayMs(options: {
  attempt: number;
  elapsedMs: number;
  budget: RetryBudget;
  askedMs: number | null;
  random: number;
}): number | null {
  const { attempt, elapsedMs, budget, askedMs, random } = options;
  if (attempt >= budget.attempts) return null;
  const delay = Math.max(askedMs ?? 0, backoffMs(attempt, budget, random));
  return elapsedMs + delay < budget.totalMs ? delay : null;
}
