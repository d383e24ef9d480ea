import type { ObservedMachine } from '@jeroboam/domain';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRecordedService, type RecordedService } from '../conductor/support/recorded-service.ts';
import { settled } from '../support/clusters.ts';
import { until } from '../support/until.ts';
import { EventReader } from './support/event-reader.ts';

let recorded: RecordedService;

beforeAll(async () => {
  recorded = await startRecordedService({
    change: (options) => ({ ...options, maxClustersPerProject: 50 }),
  });
});
afterAll(() => recorded.service.close());

interface Event {
  id: number;
  kind: string;
  object: string;
  reason: string;
  message: string;
  severity: string;
}

const send = (method: string, path: string, body?: unknown, headers = {}) =>
  recorded.service.request('demo', method, `/v1/clusters/${path}`, body, headers);

const events = async (cluster: string, query = ''): Promise<Event[]> =>
  (await send('GET', `${cluster}/events${query}`)).body.events;

async function complete(name: string): Promise<string> {
  const cluster = await recorded.accept(name);
  expect((await settled(recorded.service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
  return cluster;
}

describe('the events of a cluster', () => {
  test('tell what was accepted, begun, reached and done, newest first', async () => {
    const cluster = await complete('told');
    await send('POST', `${cluster}/actions/resize`, { node_count: 3 });
    await settled(recorded.service, 'demo', cluster);
    const told = (await events(cluster)).map(({ kind, object, reason }) => `${kind} ${object} ${reason}`);
    expect(told.toReversed()).toEqual([
      'operation create Accepted',
      'operation create Began',
      'cluster told CREATE_COMPLETE',
      'nodegroup default-master CREATE_COMPLETE',
      'nodegroup default-worker CREATE_COMPLETE',
      'operation create Completed',
      'operation change Accepted',
      'operation change Began',
      'cluster told UPDATE_COMPLETE',
      'nodegroup default-worker UPDATE_COMPLETE',
      'operation change Completed',
    ]);
    const accepted = (await events(cluster)).find(
      ({ object, reason }) => object === 'change' && reason === 'Accepted',
    );
    expect(accepted?.message).toBe('The resize of default-worker from 1 to 3 nodes was accepted.');
  });

  test('tell the reason of a failure as an error', async () => {
    const cluster = await complete('failing');
    recorded.driver.fail('apply', 'Quota exceeded for cores.');
    await send('POST', `${cluster}/actions/resize`, { node_count: 3 });
    await settled(recorded.service, 'demo', cluster);
    expect((await events(cluster))[0]).toMatchObject({
      kind: 'operation',
      reason: 'Failed',
      severity: 'error',
      message: 'The resize of default-worker from 1 to 3 nodes failed: Quota exceeded for cores.',
    });
  });

  test('tell of a machine what stands in its way, once for each thing, and that it is cleared', async () => {
    const cluster = await complete('machines');
    const ofMachines = async () =>
      (await events(cluster)).filter(({ kind }) => kind === 'machine').toReversed();
    const machine = (message: string | null): ObservedMachine => ({
      name: 'worker-1',
      nodeGroup: 'default-worker',
      role: 'worker',
      phase: 'Provisioning',
      addresses: [],
      kubernetesVersion: null,
      providerId: null,
      nodeName: null,
      zone: null,
      conditions: [
        {
          type: 'InfrastructureReady',
          status: message === null ? 'True' : 'False',
          reason: 'Quota',
          message,
          changedAt: null,
        },
      ],
      createdAt: null,
      changedAt: null,
      deleting: false,
    });
    const see = async (message: string | null, count: number) => {
      recorded.driver.known.set(cluster, [machine(message)]);
      const looks = () => recorded.driver.looks(cluster, { working: false });
      const before = looks();
      recorded.driver.tell(cluster);
      await until(looks, (now) => now > before);
      await until(ofMachines, (told) => told.length >= count);
    };
    await see('no cores left', 1);
    await see('no cores left', 1);
    await see('no disk left', 2);
    await see(null, 3);
    expect((await ofMachines()).map(({ reason, message }) => [reason, message])).toEqual([
      ['Waiting', 'Provisioning: InfrastructureReady is not so (Quota): no cores left'],
      ['Waiting', 'Provisioning: InfrastructureReady is not so (Quota): no disk left'],
      ['Cleared', 'Nothing stands in its way any more.'],
    ]);
  });

  test('come in pages that lead to each other and miss nothing', async () => {
    const cluster = await complete('paged');
    const all = await events(cluster);
    const pages: Event[] = [];
    let next: string | undefined = `/v1/clusters/${cluster}/events?limit=2`;
    while (next !== undefined) {
      const { body } = await recorded.service.request('demo', 'GET', next.replace(/^https?:\/\/[^/]+/, ''));
      expect(body.events.length).toBeLessThanOrEqual(2);
      pages.push(...body.events);
      next = body.next;
    }
    expect(pages).toEqual(all);
    for (const wrong of ['?limit=0', '?limit=x', '?marker=x', '?sort_key=id'])
      expect((await send('GET', `${cluster}/events${wrong}`)).status).toBe(400);
  });

  test('are kept up to a thousand, and go with the cluster', async () => {
    const cluster = await complete('many');
    const client = new Client({ connectionString: recorded.service.connectionString });
    await client.connect();
    try {
      await client.query(
        `insert into event (cluster_uuid, project_id, kind, object, reason, message, severity)
         select $1, 'p', 'cluster', 'many', 'Filler', 'x', 'info' from generate_series(1, 1500)`,
        [cluster],
      );
      const count = async () =>
        (await client.query('select count(*)::int as n from event where cluster_uuid = $1', [cluster]))
          .rows[0].n;
      await send('POST', `${cluster}/actions/resize`, { node_count: 3 });
      await settled(recorded.service, 'demo', cluster);
      expect(await count()).toBe(1000);
      expect((await events(cluster, '?limit=1'))[0]?.reason).toBe('Completed');
      await send('DELETE', cluster);
      expect((await settled(recorded.service, 'demo', cluster)).status).toBe(404);
      expect(await count()).toBe(0);
      expect((await send('GET', `${cluster}/events`)).status).toBe(404);
    } finally {
      await client.end();
    }
  });
});

describe('a stream of events', () => {
  test('sends what happens as it happens, and ends when the cluster is gone', async () => {
    const cluster = await complete('followed');
    const reader = await EventReader.open(recorded.service, cluster);
    await send('POST', `${cluster}/actions/resize`, { node_count: 2 });
    await until(
      () => reader.events.map(({ data }) => data['reason']),
      (reasons) => reasons.includes('Completed'),
    );
    expect(reader.events[0]).toMatchObject({ event: 'operation', data: { reason: 'Accepted' } });
    expect(reader.events.map(({ id }) => Number(id))).toEqual(reader.events.map(({ data }) => data['id']));
    await send('DELETE', cluster);
    await until(
      () => reader.ended,
      (ended) => ended,
    );
    expect(reader.events.at(-1)?.event).toBe('gone');
  });

  test('goes on after the event that a client saw last', async () => {
    const cluster = await complete('resumed');
    const all = (await events(cluster)).toReversed();
    const reader = await EventReader.open(recorded.service, cluster, { 'last-event-id': String(all[1]?.id) });
    await until(
      () => reader.events.length,
      (count) => count >= all.length - 2,
    );
    expect(reader.events.map(({ data }) => data)).toEqual(all.slice(2));
    reader.leave();
  });

  test('misses nothing when the connection that listens for events was killed', async () => {
    const cluster = await complete('deaf');
    const reader = await EventReader.open(recorded.service, cluster);
    const client = new Client({ connectionString: recorded.service.connectionString });
    await client.connect();
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
    );
    await client.end();
    await send('POST', `${cluster}/actions/resize`, { node_count: 2 });
    await until(
      () => reader.events.map(({ data }) => data['reason']),
      (reasons) => reasons.includes('Completed'),
    );
    expect(reader.events[0]).toMatchObject({ event: 'operation', data: { reason: 'Accepted' } });
    reader.leave();
  });

  test('does not keep the server from ending', async () => {
    const cluster = await complete('ended');
    const reader = await EventReader.open(recorded.service, cluster);
    await recorded.service.restart();
    await until(
      () => reader.ended,
      (ended) => ended,
    );
    expect((await events(cluster)).length).toBeGreaterThan(0);
  });

  test('is given to nobody who may not see the cluster, and only where there is one', async () => {
    const cluster = await complete('guarded');
    const accept = { accept: 'text/event-stream' };
    const { service } = recorded;
    expect(
      (await service.request('bob', 'GET', `/v1/clusters/${cluster}/events`, undefined, accept)).status,
    ).toBe(404);
    expect(
      (await service.request(null, 'GET', `/v1/clusters/${cluster}/events`, undefined, accept)).status,
    ).toBe(401);
    expect((await send('GET', cluster, undefined, accept)).status).toBe(406);
    expect((await send('POST', `${cluster}/events`)).headers.get('allow')).toBe('GET');
  });
});
