import { EventEmitter } from 'node:events';
import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { eventChannel } from './events.ts';
import { workChannel } from './operations.ts';
import { takeConnection, type OwnConnection } from './own-connection.ts';

/** What is announced in the database, heard the moment it is committed, by whichever server. */
export interface Announcements {
  /**
   * The number under which other servers see that this one lives: a lock that the database lets go of the moment the
   * connection ends, however it ends. Null while the connection is lost.
   */
  readonly presence: number | null;
  /** Calls back with what is announced on a channel; answers how to end that. */
  on(channel: string, heard: (payload: string) => void): () => void;
  /** Heard no more: what is announced now is missed. */
  onLost(lost: () => void): void;
  /** Listening again, under another number. */
  onBack(back: () => void): void;
  close(): void;
}

/** Keeps the locks by which servers show that they live apart from others in the database. */
export const presenceSpace = 0x6a65_726f;

const channels = [workChannel, eventChannel];
const retryMs = { first: 200, most: 10_000 };

export async function openAnnouncements(
  pool: Pool,
  onError: (error: unknown) => void,
): Promise<Announcements> {
  const emitter = new EventEmitter().setMaxListeners(0);
  let closed = false;
  let presence: number | null = null;
  let connection: OwnConnection | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const own = await takeConnection(pool, (error) => reconnect(error, 0));
    try {
      own.client.on('notification', ({ channel, payload }) => emitter.emit(`on ${channel}`, payload ?? ''));
      const number = randomInt(1, 2 ** 31);
      await own.client.query('select pg_advisory_lock($1, $2)', [presenceSpace, number]);
      await own.client.query(channels.map((channel) => `listen ${channel}`).join('; '));
      presence = number;
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
      if (!closed) emitter.emit('back');
    } catch (error) {
      reconnect(error, attempt + 1);
    }
  }

  function reconnect(error: unknown, attempt: number): void {
    if (closed) return;
    onError(error);
    if (presence !== null) {
      presence = null;
      emitter.emit('lost');
    }
    clearTimeout(timer);
    timer = setTimeout(() => void again(attempt), Math.min(retryMs.first * 2 ** attempt, retryMs.most));
    timer.unref();
  }

  await connect();
  return {
    get presence() {
      return presence;
    },
    on(channel, heard) {
      emitter.on(`on ${channel}`, heard);
      return () => void emitter.off(`on ${channel}`, heard);
    },
    onLost: (lost) => void emitter.on('lost', lost),
    onBack: (back) => void emitter.on('back', back),
    close() {
      closed = true;
      presence = null;
      clearTimeout(timer);
      connection?.end();
    },
  };
}
