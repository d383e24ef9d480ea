import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemplate, settled } from '../support/clusters.ts';
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

async function complete(name: string): Promise<string> {
  const cluster = await recorded.accept(name);
  expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
  return cluster;
}

/** Lets the driver tell of a change, and waits until the cluster shows what is wanted. */
async function shows(cluster: string, wanted: Record<string, unknown>) {
  recorded.driver.tell(cluster);
  const entries = Object.entries(wanted);
  const answer = await until(
    () => send('GET', cluster),
    ({ body }) => entries.every(([name, value]) => JSON.stringify(body[name]) === JSON.stringify(value)),
  );
  return answer.body;
}

const workers = async (cluster: string) => (await send('GET', `${cluster}/nodegroups/default-worker`)).body;

describe('a cluster on which nothing is under way', () => {
  test('shows sizes that an autoscaler chose, addresses, versions and health as they are', async () => {
    const cluster = await complete('autoscaled');
    recorded.driver.shows.set(cluster, {
      apiAddress: 'https://203.0.113.9:6443',
      coeVersion: '1.32.1',
      nodeGroups: [
        { name: 'default-master', phase: 'COMPLETE', reason: null, addresses: ['10.0.0.4'] },
        { name: 'default-worker', phase: 'COMPLETE', reason: null, nodeCount: 7 },
      ],
      health: { status: 'UNHEALTHY', reason: { api: 'silent' } },
    });
    const body = await shows(cluster, { node_count: 7 });
    expect(body).toMatchObject({
      status: 'CREATE_COMPLETE',
      api_address: 'https://203.0.113.9:6443',
      coe_version: '1.32.1',
      health_status: 'UNHEALTHY',
      health_status_reason: { api: 'silent' },
      master_addresses: ['10.0.0.4'],
    });
    expect((await workers(cluster)).node_count).toBe(7);
    expect(recorded.driver.looks(cluster, { working: false })).toBeGreaterThan(0);
    expect(recorded.driver.deeds(cluster).map(({ method }) => method)).toEqual(['prepare', 'create']);
  });

  test('shows what others change as an update under way, and as complete when it is', async () => {
    const cluster = await complete('changed-by-others');
    const reason = 'MachineDeployment x: 1 of 3 replicas are up to date';
    recorded.driver.shows.set(cluster, { phase: 'IN_PROGRESS', reason });
    expect(await shows(cluster, { status: 'UPDATE_IN_PROGRESS' })).toMatchObject({ status_reason: reason });
    recorded.driver.shows.delete(cluster);
    expect(await shows(cluster, { status: 'UPDATE_COMPLETE' })).toMatchObject({ status_reason: null });
  });

  test('is not written when a look finds nothing new, however often the driver tells of it', async () => {
    const cluster = await complete('quiet');
    await shows(cluster, { status: 'CREATE_COMPLETE' });
    const version = async () =>
      (
        await client.query(
          'select xmin, (select count(*)::int from event) as n from cluster where uuid = $1',
          [cluster],
        )
      ).rows;
    const before = await version();
    const looks = () => recorded.driver.looks(cluster, { working: false });
    const first = looks();
    for (let round = 0; round < 3; round += 1) {
      const seen = looks();
      for (let told = 0; told < 200; told += 1) recorded.driver.tell(cluster);
      await until(looks, (count) => count > seen);
    }
    // Six hundred times told, and looked at a few times only.
    expect(looks() - first).toBeLessThan(20);
    expect(await version()).toEqual(before);
  });

  test('that the driver refused to change stays failed, although its back end is whole', async () => {
    const cluster = await complete('refused');
    recorded.driver.fail('apply', 'Quota exceeded for cores.');
    await send('POST', `${cluster}/actions/resize`, { node_count: 2 });
    expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('UPDATE_FAILED');
    recorded.driver.shows.set(cluster, { coeVersion: '1.32.9' });
    expect(await shows(cluster, { coe_version: '1.32.9' })).toMatchObject({
      status: 'UPDATE_FAILED',
      status_reason: 'Quota exceeded for cores.',
    });
  });

  test('is looked at with all others when the driver says that anything may have changed', async () => {
    const one = await complete('any-1');
    const two = await complete('any-2');
    for (const cluster of [one, two]) recorded.driver.shows.set(cluster, { coeVersion: '1.33.0' });
    recorded.driver.tell(null);
    const versions = await until(
      () => Promise.all([one, two].map(async (cluster) => (await send('GET', cluster)).body.coe_version)),
      (seen) => seen.every((version) => version === '1.33.0'),
    );
    expect(versions).toEqual(['1.33.0', '1.33.0']);
  });
});

describe('a driver that cannot work yet', () => {
  test('lets what was accepted wait and say why, and goes on when it can', async () => {
    const { service, driver } = recorded;
    const reason = 'The management cluster is still being built.';
    driver.unready = reason;
    const cluster = await recorded.accept('patient');
    const waiting = await until(
      () => send('GET', cluster),
      ({ body }) => body.status_reason !== null,
    );
    expect(waiting.body).toMatchObject({ status: 'CREATE_IN_PROGRESS', status_reason: reason });
    expect(driver.deeds(cluster)).toEqual([]);
    driver.unready = null;
    driver.tell(null);
    expect((await settled(service, 'demo', cluster)).body).toMatchObject({
      status: 'CREATE_COMPLETE',
      status_reason: null,
    });
  });
});

describe('an upgrade', () => {
  test('records the template only when it has succeeded', async () => {
    const { service, driver, template } = recorded;
    const cluster = await complete('upgraded');
    const next = await makeTemplate(service, 'demo', { name: 'next', driver: 'recording' });
    driver.shows.set(cluster, { phase: 'IN_PROGRESS', reason: null });
    const body = { cluster_template: next, max_batch_size: 1 };
    expect((await send('POST', `${cluster}/actions/upgrade`, body)).status).toBe(202);
    expect((await send('GET', cluster)).body.cluster_template_id).toBe(template);
    driver.shows.set(cluster, { phase: 'FAILED', reason: 'No such image.' });
    driver.tell(cluster);
    const failed = (await settled(service, 'demo', cluster)).body;
    expect(failed).toMatchObject({ status: 'UPDATE_FAILED', cluster_template_id: template });
    driver.shows.delete(cluster);
    expect(await shows(cluster, { status: 'UPDATE_COMPLETE' })).toMatchObject({ cluster_template_id: next });
  });
});
