import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../sandbox/test/support/database.ts';
import { generateKeyFileLine } from '../../src/index.ts';
import { templateBody } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { KilledServer } from './support/killed-server.ts';

const kills = 10;

let beside: TestService;
let database: TestDatabase;
let server: KilledServer;

beforeAll(async () => {
  // For its cloud and tokens; its own server works on another database.
  beside = await startTestService();
  database = await createTestDatabase();
  const { connectionString } = database;
  const settings = {
    connectionString,
    keystone: beside.options.keystone,
    keyLine: generateKeyFileLine(),
    delayMs: 40,
  };
  server = new KilledServer(settings, beside.tokens.demo);
  await server.start();
});
afterAll(async () => {
  await server.end();
  await database.drop();
  await beside.close();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The uuid of a cluster that is created exactly once, whatever answers are lost. */
async function create(name: string, template: string): Promise<string> {
  for (;;) {
    const { body } = await server.send('GET', '/v1/clusters');
    const known = body.clusters.find((cluster: { name: string }) => cluster.name === name);
    if (known !== undefined) return known.uuid;
    // A lost answer says nothing; and what the database was told before the kill, it may still be doing for a moment.
    await server
      .sendOnce('POST', '/v1/clusters', { name, cluster_template_id: template })
      .catch(() => pause(500));
  }
}

/** Sends until the answer is one of these: 202, or what says that it was carried out when its answer was lost. */
async function insist(method: string, route: string, body: unknown, enough: number[]): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const answer = await server.send(method, route, body);
    const tooEarly = answer.status === 409 && answer.body.errors[0].detail.includes('not available yet');
    if (!tooEarly && enough.includes(answer.status)) return;
    if (!tooEarly || Date.now() > deadline)
      throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    await pause(30);
  }
}

/** A life of a cluster; what it leaves is known from the operations that were accepted. */
async function live(name: string, template: string, doomed: boolean): Promise<string> {
  const cluster = await create(name, template);
  const at = `/v1/clusters/${cluster}`;
  for (const size of [2, 3, 4]) {
    await insist('POST', `${at}/actions/resize`, { node_count: size }, [202]);
    await pause(150);
  }
  await insist('POST', `${at}/nodegroups`, { name: 'extra', node_count: 2 }, [202, 409]);
  await insist('POST', `${at}/nodegroups`, { name: 'passing', node_count: 1 }, [202, 409]);
  await pause(200);
  await insist('DELETE', `${at}/nodegroups/passing`, undefined, [204, 404]);
  await insist('POST', `${at}/actions/resize`, { node_count: 5, nodegroup: 'extra' }, [202]);
  if (doomed) await insist('DELETE', at, undefined, [204, 404]);
  return cluster;
}

test('a server that is killed at ten moments of a run of operations loses nothing, doubles nothing and settles', async () => {
  const { body: template } = await server.send('POST', '/v1/clustertemplates', templateBody);
  let over = false;
  const lives = Promise.all(
    Array.from({ length: 6 }, (_, index) => live(`life-${index}`, template.uuid, index % 3 === 2)),
  ).finally(() => {
    over = true;
  });
  // Heard below; a failure meanwhile must not be taken for unhandled.
  lives.catch(() => undefined);
  for (let count = 0; count < kills; count += 1) {
    await pause(Math.random() * (over ? 50 : 500));
    await server.kill();
    await server.start();
  }
  const clusters = await lives;

  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    const deadline = Date.now() + 90_000;
    for (;;) {
      const { rows } = await client.query('select count(*)::int as count from operation');
      if (rows[0].count === 0) break;
      if (Date.now() > deadline) throw new Error(`${rows[0].count} operations are still not done`);
      await pause(50);
    }
    const kept = clusters.filter((_, index) => index % 3 !== 2).toSorted();
    for (const cluster of kept) {
      const { body } = await server.send('GET', `/v1/clusters/${cluster}`);
      expect(body.status).toMatch(/^(CREATE|UPDATE)_COMPLETE$/);
      expect(body).toMatchObject({ node_count: 9, master_count: 1, status_reason: null });
      const groups = await server.send('GET', `/v1/clusters/${cluster}/nodegroups`);
      const shown = groups.body.nodegroups.map((group: Record<string, unknown>) => [
        group['name'],
        group['node_count'],
      ]);
      expect(shown).toEqual([
        ['default-master', 1],
        ['default-worker', 4],
        ['extra', 5],
      ]);
      for (const group of groups.body.nodegroups) expect(group.status).toMatch(/_COMPLETE$/);
    }
    const rows = async (text: string): Promise<unknown[]> => (await client.query(text)).rows;
    expect(await rows('select uuid, name, status, status_reason from cluster order by uuid::text')).toEqual(
      kept.map((uuid) => expect.objectContaining({ uuid })),
    );
    // The driver has what the service has: nothing was left behind and nothing made twice.
    expect(
      await rows("select id as uuid from sandbox.object where kind = 'simulated-cluster' order by id"),
    ).toEqual(kept.map((uuid) => ({ uuid })));
    expect(await rows('select count(*)::int as count from certificate')).toEqual([
      { count: 4 * kept.length },
    ]);
  } finally {
    await client.end();
  }
}, 300_000);
