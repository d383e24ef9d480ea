import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { countQueries } from './support/query-count.ts';
import { fillClusters, fillNodeGroups, fillTemplates, withDatabase } from './support/rows.ts';

let service: TestService;
let cluster: string;
const sizes = [1, 50, 500];

beforeAll(async () => {
  service = await startTestService();
  const fill = {
    projectId: service.vars['project.demo'] ?? '',
    userId: service.vars['user.demo'] ?? '',
    count: 500,
  };
  await withDatabase(service.connectionString, async (client) => {
    await fillClusters(client, fill);
    await fillTemplates(client, fill);
    const { rows } = await client.query<{ uuid: string }>('select uuid from cluster limit 1');
    cluster = rows[0]?.uuid ?? '';
    await fillNodeGroups(client, cluster, 500);
  });
});
afterAll(() => service.close());

const lists: [string, () => string, string][] = [
  ['clusters', () => '/v1/clusters', 'clusters'],
  ['clusters in detail', () => '/v1/clusters/detail', 'clusters'],
  ['templates', () => '/v1/clustertemplates', 'clustertemplates'],
  ['templates in detail', () => '/v1/clustertemplates/detail', 'clustertemplates'],
  ['node groups', () => `/v1/clusters/${cluster}/nodegroups`, 'nodegroups'],
];

test.each(lists)(
  'a list of %s takes the same few queries however long the page is',
  async (_name, path, key) => {
    const first = await service.request('demo', 'GET', `${path()}?limit=1`);
    const marker: string = first.body[key][0].uuid;
    const counts = [];
    for (const size of sizes) {
      counts.push(
        await countQueries(async () => {
          const answer = await service.request('demo', 'GET', `${path()}?limit=${size}`);
          expect(answer.body[key]).toHaveLength(size);
        }),
      );
    }
    expect(new Set(counts).size).toBe(1);
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[0]).toBeLessThanOrEqual(2);

    const following = await countQueries(async () => {
      const answer = await service.request(
        'demo',
        'GET',
        `${path()}?limit=450&marker=${marker}&sort_key=name`,
      );
      expect(answer.body[key].length).toBeGreaterThan(0);
    });
    expect(following).toBeLessThanOrEqual((counts[0] ?? 0) + 1);
  },
);

test('showing a cluster takes one query', async () => {
  const path = `/v1/clusters/${cluster}`;
  await service.request('demo', 'GET', path);
  const count = await countQueries(async () => {
    expect((await service.request('demo', 'GET', path)).body.node_count).toBeGreaterThan(500);
  });
  expect(count).toBe(1);
});
