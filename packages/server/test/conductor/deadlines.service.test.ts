import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settled } from '../support/clusters.ts';
import { until } from '../support/until.ts';
import { startRecordedService, type RecordedService } from './support/recorded-service.ts';

let recorded: RecordedService;
let client: Client;

beforeAll(async () => {
  recorded = await startRecordedService();
  client = new Client({ connectionString: recorded.service.connectionString });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await recorded.service.close();
});

const send = (method: string, path: string, body?: unknown) =>
  recorded.service.request('demo', method, `/v1/clusters/${path}`, body);

const waiting = 'Machine x-1: waiting for the server to become active';

/** Lets what is under way on a cluster be overdue. */
async function letTimePass(cluster: string): Promise<void> {
  const overdue = `update operation set deadline = now() - interval '1 second', accepted_at = now() - interval '60 minutes' where cluster_uuid = $1 and started`;
  await until(
    () => client.query(overdue, [cluster]),
    ({ rowCount }) => rowCount === 1,
  );
  recorded.driver.tell(cluster);
}

async function complete(name: string): Promise<string> {
  const cluster = await recorded.accept(name);
  expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
  return cluster;
}

function unfinished(cluster: string): void {
  const nodeGroups = [{ name: 'default-worker', phase: 'IN_PROGRESS' as const, reason: null }];
  recorded.driver.shows.set(cluster, { phase: 'IN_PROGRESS', reason: waiting, nodeGroups });
}

describe('an operation that is not done in time', () => {
  test('fails a creation, says what it waited for, and becomes complete by itself when the back end does', async () => {
    const { service, driver } = recorded;
    driver.finishing = false;
    const cluster = await recorded.accept('slow');
    unfinished(cluster);
    driver.finishing = true;
    await letTimePass(cluster);
    const failed = (await settled(service, 'demo', cluster)).body;
    expect(failed.status).toBe('CREATE_FAILED');
    expect(failed.status_reason).toBe(
      `Not done after 60 min, waiting for: ${waiting}. It becomes complete by itself once the back end is. Else change the cluster to try again, or delete it.`,
    );
    driver.shows.delete(cluster);
    driver.tell(cluster);
    const cured = await until(
      async () => (await send('GET', cluster)).body,
      (body) => body.status !== 'CREATE_FAILED',
    );
    expect(cured).toMatchObject({ status: 'CREATE_COMPLETE', status_reason: null });
  });

  test('fails an update, and lets the next one run', async () => {
    const { service, driver } = recorded;
    const cluster = await complete('update-slow');
    unfinished(cluster);
    expect((await send('POST', `${cluster}/actions/resize`, { node_count: 3 })).status).toBe(202);
    await letTimePass(cluster);
    expect((await settled(service, 'demo', cluster)).body).toMatchObject({ status: 'UPDATE_FAILED' });
    const group = (await send('GET', `${cluster}/nodegroups/default-worker`)).body;
    expect(group.status).toBe('UPDATE_FAILED');
    expect(group.status_reason).toContain(waiting);
    driver.shows.delete(cluster);
    expect((await send('POST', `${cluster}/actions/resize`, { node_count: 4 })).status).toBe(202);
    expect((await settled(service, 'demo', cluster)).body).toMatchObject({
      status: 'UPDATE_COMPLETE',
      node_count: 4,
    });
  });

  test('fails a deletion, and the cluster goes by itself when the back end lets go of it', async () => {
    const { service, driver } = recorded;
    const cluster = await complete('delete-slow');
    unfinished(cluster);
    await send('DELETE', cluster);
    await letTimePass(cluster);
    expect((await settled(service, 'demo', cluster)).body.status).toBe('DELETE_FAILED');
    driver.shows.delete(cluster);
    driver.tell(cluster);
    await until(
      () => send('GET', cluster),
      ({ status }) => status === 404,
    );
  });

  test('ends in time although the server was restarted meanwhile', async () => {
    const { service } = recorded;
    const cluster = await complete('restarted');
    unfinished(cluster);
    await send('POST', `${cluster}/actions/resize`, { node_count: 3 });
    await until(
      () =>
        client.query('select 1 from operation where cluster_uuid = $1 and deadline is not null', [cluster]),
      ({ rowCount }) => rowCount === 1,
    );
    await client.query(`update operation set deadline = now() + interval '300 ms' where cluster_uuid = $1`, [
      cluster,
    ]);
    await service.restart();
    expect((await settled(service, 'demo', cluster)).body.status).toBe('UPDATE_FAILED');
  });
});

test('a creation has the time that its create_timeout says, and none when it says 0', async () => {
  const { driver } = recorded;
  driver.finishing = false;
  const deadlineOf = async (cluster: string) => {
    await driver.wasAsked('observe', cluster);
    const { rows } = await client.query<{ minutes: number | null }>(
      `select (extract(epoch from deadline - now()) / 60)::float8 as minutes from operation where cluster_uuid = $1`,
      [cluster],
    );
    return rows[0]?.minutes;
  };
  const seven = await deadlineOf(await recorded.accept('seven', { create_timeout: 7 }));
  expect(seven).toBeGreaterThan(6);
  expect(seven).toBeLessThanOrEqual(7);
  expect(await deadlineOf(await recorded.accept('endless', { create_timeout: 0 }))).toBeNull();
  const usual = await deadlineOf(await recorded.accept('usual'));
  expect(usual).toBeGreaterThan(59);
  expect(usual).toBeLessThanOrEqual(60);
  driver.finishing = true;
});
