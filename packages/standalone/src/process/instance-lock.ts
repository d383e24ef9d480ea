import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';

import { messageOf, StartError } from '../start-error.ts';

/** The eight letters of the name, as the number that PostgreSQL wants for an advisory lock. */
const lockKey = Buffer.from('jeroboam').readBigInt64BE().toString();

/** A predecessor that does not say that it is stopping may just not have noticed yet that it is to. */
const shortPatienceMs = 3_000;
const longestPauseMs = 5_000;

export interface InstanceLock {
  /** Tells others who wait that we are on our way out. */
  announceStop(): Promise<void>;
  release(): Promise<void>;
}

/**
 * One service at a time works on a database: the lock hangs on a session, so it goes when its holder goes, however
 * that ends. When the database is restarted under us it is taken again; `onLost` is called where somebody else was
 * quicker, and then the service must stop.
 */
export async function lockInstance(options: {
  connectionString: string;
  stoppingPatienceMs: number;
  onLost: (reason: string) => void;
}): Promise<InstanceLock> {
  let released = false;
  let client = await connect(options.connectionString);
  const begun = Date.now();
  while (!(await tryLock(client))) {
    const holder = await holderOf(client);
    const patience = holder?.stopping ? options.stoppingPatienceMs : shortPatienceMs;
    if (Date.now() - begun > patience) {
      await client.end();
      throw new StartError(
        `the same data are in use by ${holder?.who ?? 'another service'}: stop it first, or give another --data-dir`,
      );
    }
    await sleep(100);
  }
  watch();

  function watch(): void {
    client.once('end', () => {
      if (!released) void takeAgain();
    });
  }

  async function takeAgain(): Promise<void> {
    for (let pause = 100; !hasReleased(); pause = Math.min(pause * 2, longestPauseMs)) {
      await sleep(pause, undefined, { ref: false });
      try {
        client = await connect(options.connectionString);
      } catch {
        continue;
      }
      if (await tryLock(client)) return watch();
      const holder = await holderOf(client);
      await client.end();
      return options.onLost(`the data have been taken over by ${holder?.who ?? 'another service'}`);
    }
  }

  function hasReleased(): boolean {
    return released;
  }

  return {
    async announceStop() {
      await client
        .query("select set_config('application_name', $1, false)", [nameOf('stopping')])
        .catch(() => {});
    },
    async release() {
      released = true;
      await client.end().catch(() => {});
    },
  };
}

/** Shown to whoever finds the lock taken; PostgreSQL keeps 63 bytes of it. */
function nameOf(state: 'running' | 'stopping'): string {
  return `jeroboam ${state}, process ${process.pid} on ${os.hostname()}`.slice(0, 63);
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
    keepAlive: true,
    application_name: nameOf('running'),
  });
  // The end of the connection is what counts; why it ended is not ours to mend.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw new StartError(`the database cannot be reached: ${messageOf(error)}`, 1);
  }
  return client;
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    lockKey,
  ]);
  return rows[0]?.taken === true;
}

async function holderOf(client: Client): Promise<{ who: string; stopping: boolean } | undefined> {
  const { rows } = await client.query<{ name: string; since: Date }>(
    `select a.application_name as name, a.backend_start as since
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and l.database = (select oid from pg_database where datname = current_database())
        and l.classid = ($1::bigint >> 32)::int::oid and l.objid = ($1::bigint & 4294967295)::oid`,
    [lockKey],
  );
  const [holder] = rows;
  if (holder === undefined) return undefined;
  const who = holder.name.replace(/^jeroboam \w+, /, '');
  return {
    who: `${who}, since ${holder.since.toISOString().slice(0, 19)}Z`,
    stopping: holder.name.startsWith('jeroboam stopping'),
  };
}
