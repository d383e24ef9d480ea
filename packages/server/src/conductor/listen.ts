import type pg from 'pg';
import { workChannel } from '../store/index.ts';

const retryMs = { first: 200, most: 10_000 };

/** Hears of work the moment it is committed, by whichever server; listens again when the connection breaks. */
export async function listenForWork(
  pool: pg.Pool,
  onWork: (cluster: string) => void,
  onLost: (error: unknown) => void,
): Promise<{ close(): Promise<void> }> {
  let closed = false;
  let client: pg.PoolClient | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const connection = await pool.connect();
    connection.on('notification', (message) => {
      if (message.payload !== undefined) onWork(message.payload);
    });
    connection.once('error', (error) => {
      client = undefined;
      connection.release(error);
      if (!closed) reconnect(error, 0);
    });
    try {
      await connection.query(`listen ${workChannel}`);
      client = connection;
    } catch (error) {
      connection.release(true);
      throw error;
    }
  }

  async function again(attempt: number): Promise<void> {
    try {
      await connect();
    } catch (error) {
      if (!closed) reconnect(error, attempt + 1);
    }
  }

  function reconnect(error: unknown, attempt: number): void {
    onLost(error);
    timer = setTimeout(() => void again(attempt), Math.min(retryMs.first * 2 ** attempt, retryMs.most));
    timer.unref();
  }

  await connect();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      // Destroyed rather than given back: it would go on listening in the pool.
      client?.release(true);
      return Promise.resolve();
    },
  };
}
