import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { eventChannel, eventsAfter, newestEvent, type Announcements, type EventRow } from '../store/index.ts';
import { eventView } from './view.ts';

/** Streams of server-sent events, one for each reader. */
export interface EventStreams {
  /** What happens to a cluster after an event, or from now on; ends with the cluster, or at a time. */
  open(cluster: string, after: string | null, until: number): Readable;
  /** Ends all of them. */
  close(): void;
}

/** Proxies cut connections on which nothing is said. */
const heartbeatMs = 15_000;
const readAtOnce = 200;
/** How soon a client that lost the stream should come back. */
const retryMs = 1_000;

const frame = (row: EventRow): string =>
  `id: ${row.id}\nevent: ${row.kind}\ndata: ${JSON.stringify(eventView(row))}\n\n`;

export function createEventStreams(pool: Pool, announcements: Announcements): EventStreams {
  const open = new Set<Readable>();
  /** Cluster → those to be woken when something happens to it. */
  const waiting = new Map<string, Set<() => void>>();

  announcements.on(eventChannel, (cluster) => {
    for (const wake of waiting.get(cluster) ?? []) wake();
  });
  announcements.onBack(() => {
    for (const readers of waiting.values()) for (const wake of readers) wake();
  });

  /** Hears of a cluster from now on: what happens while the reader is busy makes its next wait a short one. */
  function listen(cluster: string): { wait(ms: number): Promise<'heard' | 'silence'>; end(): void } {
    let heard = false;
    let resume: (() => void) | undefined;
    const wake = (): void => {
      heard = true;
      resume?.();
    };
    const readers = waiting.get(cluster) ?? new Set();
    waiting.set(cluster, readers.add(wake));
    return {
      async wait(ms) {
        if (!heard) {
          const { promise, resolve } = Promise.withResolvers<void>();
          resume = resolve;
          const timer = setTimeout(resolve, ms);
          await promise;
          clearTimeout(timer);
        }
        const result = heard ? 'heard' : 'silence';
        heard = false;
        return result;
      },
      end() {
        readers.delete(wake);
        if (readers.size === 0 && waiting.get(cluster) === readers) waiting.delete(cluster);
        wake();
      },
    };
  }

  async function* read(
    cluster: string,
    after: string | null,
    until: number,
    ear: ReturnType<typeof listen>,
  ): AsyncGenerator<string> {
    yield `retry: ${retryMs}\n\n`;
    let last = after ?? (await newestEvent(pool, cluster));
    while (last !== undefined && Date.now() < until) {
      const rows = await eventsAfter(pool, cluster, last, readAtOnce);
      for (const row of rows) yield frame(row);
      last = rows.at(-1)?.id ?? last;
      if (rows.length === readAtOnce) continue;
      if ((await newestEvent(pool, cluster)) === undefined) break;
      while ((await ear.wait(Math.min(heartbeatMs, Math.max(until - Date.now(), 0)))) === 'silence') {
        if (Date.now() >= until) return;
        yield ': still here\n\n';
      }
    }
    if (Date.now() < until) yield 'event: gone\ndata: {}\n\n';
  }

  return {
    open(cluster, after, until) {
      const ear = listen(cluster);
      const stream = Readable.from(read(cluster, after, until, ear), { objectMode: false });
      open.add(stream);
      stream.once('close', () => {
        open.delete(stream);
        ear.end();
      });
      return stream;
    },
    close() {
      for (const stream of open) stream.destroy();
    },
  };
}
