import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settled } from '../support/clusters.ts';
import { startRecordedService, type RecordedService } from './support/recorded-service.ts';

let recorded: RecordedService;

beforeAll(async () => {
  recorded = await startRecordedService();
});
afterAll(() => recorded.service.close());

/** Ends the connections of the service whose last statement matches. */
async function terminate(pattern: string): Promise<number> {
  const client = new Client({ connectionString: recorded.service.connectionString });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query ilike $1`,
      [pattern],
    );
    return rowCount ?? 0;
  } finally {
    await client.end();
  }
}

test('work is picked up after the connection that listens for it was killed', async () => {
  expect(await terminate('listen %')).toBe(1);
  const first = await recorded.accept('unheard');
  expect((await settled(recorded.service, 'demo', first)).body.status).toBe('CREATE_COMPLETE');
  const second = await recorded.accept('heard-again');
  expect((await settled(recorded.service, 'demo', second)).body.status).toBe('CREATE_COMPLETE');
});

test('work that was under way goes on after the connection that shows others a sign of life was killed', async () => {
  recorded.driver.finishing = false;
  const cluster = await recorded.accept('presumed-dead');
  await recorded.driver.wasAsked('observe', cluster);
  expect(await terminate('listen %')).toBe(1);
  recorded.driver.finishing = true;
  expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
  expect(recorded.driver.deeds(cluster).filter(({ method }) => method === 'create')).toHaveLength(1);
});

test('work goes on after every connection of the service was killed at once', async () => {
  const release = recorded.driver.hold('create');
  const cluster = await recorded.accept('all-gone');
  await recorded.driver.wasAsked('create', cluster);
  expect(await terminate('%')).toBeGreaterThan(1);
  release();
  expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
  expect(recorded.driver.clusters.has(cluster)).toBe(true);
});
