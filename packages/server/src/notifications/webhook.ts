import type { Logger } from 'pino';

export interface Webhook {
  /** Puts it in line and returns; what does not fit is dropped and said so. */
  send(notification: object): void;
  /** Sends nothing more. */
  close(): void;
}

export interface WebhookOptions {
  url: string;
  logger: Logger;
  /** So many wait at most, while the other side is away. */
  capacity?: number;
  timeoutMs?: number;
  retry?: { attempts: number; firstMs: number; mostMs: number };
}

const defaults = {
  capacity: 1000,
  timeoutMs: 10_000,
  retry: { attempts: 8, firstMs: 500, mostMs: 60_000 },
};

/** An address may hold a password: only where it leads is told. */
const shown = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

/** Posts notifications one after the other, in order, each again until it was taken or tried too often. */
export function createWebhook(options: WebhookOptions): Webhook {
  const { url, logger } = options;
  const { capacity, timeoutMs, retry } = { ...defaults, ...options };
  const line: object[] = [];
  const ended = new AbortController();
  let sending = false;
  let dropped = 0;

  async function post(notification: object): Promise<void> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notification),
      redirect: 'error',
      signal: AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)]),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`);
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      ended.signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async function insist(notification: object): Promise<void> {
    for (let attempt = 1; !ended.signal.aborted; attempt += 1) {
      try {
        return await post(notification);
      } catch (error) {
        if (ended.signal.aborted) return;
        if (attempt >= retry.attempts) {
          const reason = error instanceof Error ? error.message : String(error);
          logger.error({ webhook: shown(url), reason }, 'a notification could not be sent and is dropped');
          return;
        }
        await pause(Math.min(retry.firstMs * 2 ** (attempt - 1), retry.mostMs));
      }
    }
  }

  async function drain(): Promise<void> {
    sending = true;
    for (let next = line.shift(); next !== undefined; next = line.shift()) await insist(next);
    sending = false;
  }

  return {
    send(notification) {
      if (ended.signal.aborted) return;
      if (line.length >= capacity) {
        dropped += 1;
        logger.warn({ webhook: shown(url), dropped }, 'too many notifications wait for the webhook');
        return;
      }
      line.push(notification);
      if (!sending) void drain();
    },
    close() {
      ended.abort();
      line.length = 0;
    },
  };
}
