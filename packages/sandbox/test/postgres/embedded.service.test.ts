import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import path from 'node:path';

import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '@jeroboam/sandbox';
import { PostgresError, startEmbeddedPostgres } from '@jeroboam/sandbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makePlace, postmasterPid, query } from './support/places.ts';

let place: ReturnType<typeof makePlace>;
let directory: string;
let running: EmbeddedPostgres[];

beforeEach(() => {
  place = makePlace();
  directory = path.join(place.directory, 'postgres');
  running = [];
});

afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  place.remove();
});

/** Quickly: a power cut is not what is tested here. */
function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  return startAsIs({ ...options, settings: { fsync: 'off', ...options.settings } });
}

async function startAsIs(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory, ...options });
  running.push(postgres);
  return postgres;
}

const setting = async (postgres: EmbeddedPostgres, name: string) =>
  (
    await query<{ value: string }>(postgres.connectionString(), `select current_setting('${name}') as value`)
  )[0]?.value;

describe('an embedded PostgreSQL', () => {
  test('keeps writes on disk before it acknowledges them and listens on no network', async () => {
    const postgres = await startAsIs();
    expect(await setting(postgres, 'fsync')).toBe('on');
    expect(await setting(postgres, 'synchronous_commit')).toBe('on');
    expect(await setting(postgres, 'listen_addresses')).toBe('');
  });

  test('lets in only whoever can read its password', async () => {
    const postgres = await start();
    expect(statSync(path.join(postgres.directory, 'password')).mode & 0o777).toBe(0o600);
    const wrong = new URL(postgres.connectionString());
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('is reachable where its directory is too deep for a socket', async () => {
    directory = path.join(place.directory, 'deep'.repeat(20), 'deeper'.repeat(10));
    const postgres = await start();
    expect(await query(postgres.connectionString(), 'select 1 as one')).toEqual([{ one: 1 }]);
    const socketDirectory = decodeURIComponent(new URL(postgres.connectionString()).hostname);
    expect(statSync(socketDirectory).mode & 0o777).toBe(0o700);
    await postgres.stop();
    expect(existsSync(socketDirectory)).toBe(false);
  });

  test('is shared by two starts at the same moment', async () => {
    const both = await Promise.all([start(), start()]);
    expect(both[0].pid).toBe(both[1].pid);
    expect(both.filter((postgres) => postgres.adopted)).toHaveLength(1);
    both[0].release();
  });

  test('goes on running when it is released', async () => {
    const first = await start();
    first.release();
    const second = await start();
    expect(second.adopted).toBe(true);
    expect(second.pid).toBe(first.pid);
  });

  test('that still runs with other settings is restarted with the new ones', async () => {
    const first = await start({ settings: { work_mem: '8MB' } });
    first.release();
    const second = await start({ settings: { work_mem: '9MB' } });
    expect(second.adopted).toBe(false);
    expect(await setting(second, 'work_mem')).toBe('9MB');
  });

  test('that cannot start says why in its own words, and leaves nothing running', async () => {
    const failure = await start({ settings: { shared_buffers: 'plenty' } }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PostgresError);
    expect(String(failure)).toContain('invalid value for parameter "shared_buffers": "plenty"');
    expect(existsSync(path.join(directory, 'data/postmaster.pid'))).toBe(false);
  });

  test('does not touch a directory that holds something else', async () => {
    await mkdir(directory);
    writeFileSync(path.join(directory, 'thesis.tex'), '');
    await expect(start()).rejects.toThrow('is not empty and was not made by us');
  });
});

describe('a pid file left behind', () => {
  async function leaveBehind(pid: number): Promise<void> {
    const postgres = await start();
    const file = path.join(directory, 'data/postmaster.pid');
    const left = readFileSync(file, 'utf8').split('\n').slice(1);
    const { uid, gid } = statSync(file);
    await postgres.stop();
    writeFileSync(file, [String(pid), ...left].join('\n'), { mode: 0o600 });
    await chown(file, uid, gid);
  }

  test('with the pid of an unrelated process is cleaned up and that process left alone', async () => {
    const stranger = spawn('sleep', ['60']);
    try {
      await leaveBehind(stranger.pid ?? 0);
      const postgres = await start();
      expect(postgres.adopted).toBe(false);
      expect(postmasterPid(directory)).toBe(postgres.pid);
      expect(stranger.exitCode).toBeNull();
      expect(stranger.signalCode).toBeNull();
    } finally {
      stranger.kill();
    }
  });

  test('with the pid of a zombie is cleaned up', async () => {
    // The shell becomes a sleep, which never collects the child that the shell had started.
    const careless = spawn('sh', ['-c', 'true & echo $!; exec sleep 60']);
    try {
      const [said] = (await once(careless.stdout, 'data')) as [Buffer];
      await leaveBehind(Number(said.toString()));
      const postgres = await start();
      expect(postgres.adopted).toBe(false);
    } finally {
      careless.kill();
    }
  });

  test('that was cut off while it was written is cleaned up', async () => {
    await leaveBehind(1);
    writeFileSync(path.join(directory, 'data/postmaster.pid'), '');
    const postgres = await start();
    expect(postgres.adopted).toBe(false);
  });
});

const rootOnly = process.getuid?.() === 0 ? [{ who: 'root' }] : [];

describe.each(rootOnly)('as $who', () => {
  test('the server runs as somebody else, and its data are theirs', async () => {
    const postgres = await start();
    expect(statSync(`/proc/${postgres.pid}`).uid).not.toBe(0);
    expect(statSync(path.join(directory, 'data')).uid).toBe(statSync(`/proc/${postgres.pid}`).uid);
  });

  test('data go to a shelter where their owner cannot reach the directory, and are found again', async () => {
    const closed = path.join(place.directory, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o700);
    directory = path.join(closed, 'postgres');
    const shelter = path.join(place.directory, 'shelter');
    const log: string[] = [];

    const first = await start({ shelter, log: (line) => log.push(line) });
    await query(first.connectionString(), 'create table kept ()');
    await first.stop();
    expect(first.directory).toContain(shelter);
    expect(log.join('\n')).toContain(`its data are kept in ${first.directory}`);
    expect(statSync(closed).mode & 0o777).toBe(0o700);

    const second = await start({ shelter });
    expect(second.directory).toBe(first.directory);
    expect(await query(second.connectionString(), 'select * from kept')).toEqual([]);
  });
});
