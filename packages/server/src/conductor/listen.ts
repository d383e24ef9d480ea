import type pg from 'pg';
import { workChannel } from '../store/index.ts';
import { takeConnection, type OwnConnection } from './own-connection.ts';

const retryMs = { first: 200, most: 10_000 };

export interface WorkEvents {
  onWork(cluster: string): void;
  onLost(error: unknown): void;
  /** Listening again; what was announced in between went unheard. */
  onBack(): void;
}

/** Hears of work the moment it is committed, by whichever server; listens again when the connection breaks. */
export async function listenForWork(pool: pg.Pool, events: WorkEvents): Promise<{ close(): Promise<void> }> {
  let closed = false;
  let connection: OwnConnection | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const own = await takeConnection(pool, (error) => reconnect(error, 0));
    try {
      own.client.on('notification', ({ payload }) => {
        if (payload !== undefined) events.onWork(payload);
      });
      await own.client.query(`listen ${workChannel}`);
    } catch (error) {
      own.end();
      throw error;
    }
    connection = own;
    if (closed) own.end();
  }

  async function again(attempt: number): Promise<void> {
    try {
      await connect();
      if (!closed) events.onBack();
    } catch (error) {
      reconnect(error, attempt + 1);
    }
  }

  function reconnect(error: unknown, attempt: number): void {
    if (closed) return;
    events.onLost(error);
    clearTimeout(timer);
    timer = setTimeout(() => void again(attempt), Math.min(retryMs.first * 2 ** attempt, retryMs.most));
    timer.unref();
  }

  await connect();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      connection?.end();
      return Promise.resolve();
    },
  };
}
