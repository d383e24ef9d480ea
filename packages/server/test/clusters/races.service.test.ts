import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRecordedService, type RecordedService } from '../conductor/support/recorded-service.ts';
import { withDatabase } from '../store/support/rows.ts';
import { settled } from '../support/clusters.ts';
import type { TestAnswer } from '../support/test-service.ts';

let recorded: RecordedService;
let cluster: string;

beforeAll(async () => {
  recorded = await startRecordedService();
});
afterAll(() => recorded.service.close());
beforeEach(async () => {
  cluster = await recorded.accept('raced');
  await settled(recorded.service, 'demo', cluster);
  await send('POST', `/clusters/${cluster}/nodegroups`, { name: 'extra', node_count: 2 });
  await settled(recorded.service, 'demo', cluster);
});

const send = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  recorded.service.request('demo', method, `/v1${path}`, body);

/**
 * What a request answers when another is accepted after it looked at the cluster and before it could write: the
 * test holds the cluster's row as that other request does, and writes what it would write.
 */
const overtaken = (request: () => Promise<TestAnswer>, other: string): Promise<TestAnswer> =>
  withDatabase(recorded.service.connectionString, async (client) => {
    await client.query('begin');
    await client.query('select id from cluster where uuid = $1 for update', [cluster]);
    const answer = request();
    const deadline = Date.now() + 10_000;
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await client.query(waiting)).rowCount === 0) {
      if (Date.now() > deadline) throw new Error('the request never came to the lock');
      await new Promise((resolve) => setTimeout(resolve, 5));
      // Statistics are those of the transaction's first look unless they are thrown away.
      await client.query('select pg_stat_clear_snapshot()');
    }
    await client.query(other.replaceAll('$cluster', `'${cluster}'`));
    await client.query('commit');
    return answer;
  });

const clusterDeleted = `
  update cluster set status = 'DELETE_IN_PROGRESS' where uuid = $cluster;
  delete from operation where cluster_uuid = $cluster;
  insert into operation (cluster_uuid, kind) values ($cluster, 'delete')`;

const groupDeleted = `
  update nodegroup set status = 'DELETE_IN_PROGRESS' where cluster_uuid = $cluster and name = 'extra';
  insert into operation (cluster_uuid, kind) values ($cluster, 'change')`;

const changes: [string, () => Promise<TestAnswer>][] = [
  ['a resize', () => send('POST', `/clusters/${cluster}/actions/resize`, { node_count: 2 })],
  [
    'a PATCH',
    () => send('PATCH', `/clusters/${cluster}`, [{ op: 'replace', path: '/node_count', value: 2 }]),
  ],
  ['a new group', () => send('POST', `/clusters/${cluster}/nodegroups`, { name: 'late' })],
  ['a rotation of authorities', () => send('PATCH', `/certificates/${cluster}`)],
];

describe('a deletion that overtakes', () => {
  test.each(changes)('%s is not followed by a 202 that nobody would keep', async (_name, request) => {
    const answer = await overtaken(request, clusterDeleted);
    expect([answer.status, answer.body.errors[0].detail]).toEqual([
      400,
      'Updating a cluster when status is "DELETE_IN_PROGRESS" is not supported.',
    ]);
    // The answer wakes nobody; the deletion that the test wrote is found when it is asked for again.
    await send('DELETE', `/clusters/${cluster}`);
    expect((await settled(recorded.service, 'demo', cluster)).status).toBe(404);
  });

  test('another deletion goes well together with it', async () => {
    const answer = await overtaken(() => send('DELETE', `/clusters/${cluster}`), clusterDeleted);
    expect(answer.status).toBe(204);
    expect((await settled(recorded.service, 'demo', cluster)).status).toBe(404);
  });
});

describe('the removal of a group that overtakes its resize', () => {
  test('is not undone by it', async () => {
    const resize = (): Promise<TestAnswer> =>
      send('POST', `/clusters/${cluster}/actions/resize`, { node_count: 5, nodegroup: 'extra' });
    const answer = await overtaken(resize, groupDeleted);
    expect(answer.status).toBe(400);
    expect((await send('GET', `/clusters/${cluster}/nodegroups/extra`)).body.status).toBe(
      'DELETE_IN_PROGRESS',
    );
    await send('DELETE', `/clusters/${cluster}/nodegroups/extra`);
    await settled(recorded.service, 'demo', cluster);
    expect((await send('GET', `/clusters/${cluster}/nodegroups/extra`)).status).toBe(404);
  });
});
