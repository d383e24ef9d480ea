import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { fillClusters, withDatabase } from './support/rows.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    change: (options) => ({ ...options, api: { ...options.api, maxLimit: 10 } }),
  });
  const fill = { projectId: service.vars['project.demo'] ?? '', userId: service.vars['user.demo'] ?? '' };
  await withDatabase(service.connectionString, (client) => fillClusters(client, { ...fill, count: 20 }));
});
afterAll(() => service.close());

const list = async (query: string, path = '/v1/clusters') => {
  const { status, body } = await service.request('demo', 'GET', `${path}${query}`);
  expect(status).toBe(200);
  return body as { clusters: { uuid: string }[]; next?: string };
};

describe('a list', () => {
  test('says where the next page is whenever this one is full, and never otherwise', async () => {
    const first = await list('?limit=8');
    const last = first.clusters.at(-1)?.uuid;
    expect(first.next).toBe(`${service.url}/v1/clusters?sort_key=id&sort_dir=asc&limit=8&marker=${last}`);
    expect((await list(`?limit=8&marker=${last}`)).clusters).toHaveLength(8);

    const full = await list('?limit=10');
    const end = await list(`?limit=10&marker=${full.clusters.at(-1)?.uuid}`);
    expect(end.clusters).toHaveLength(10);
    // Full, though nothing follows: the empty page after it has no next.
    expect(end.next).toBeDefined();
    const empty = await list(`?marker=${end.clusters.at(-1)?.uuid}`);
    expect(empty).toEqual({ clusters: [] });
  });

  test('names the sorting in use and keeps the form of the list in the link', async () => {
    const page = await list('?limit=3&sort_key=name&sort_dir=desc', '/v1/clusters/detail');
    expect(page.next).toBe(
      `${service.url}/v1/clusters/detail?sort_key=name&sort_dir=desc&limit=3&marker=${page.clusters.at(-1)?.uuid}`,
    );
    expect((await list('?limit=3&sort_key=')).next).toContain('sort_key=id&sort_dir=asc');
  });

  test('is never longer than the service allows, asked or not', async () => {
    expect((await list('')).clusters).toHaveLength(10);
    const capped = await list('?limit=5000');
    expect(capped.clusters).toHaveLength(10);
    expect(capped.next).toContain('limit=10&');
  });

  test.each([
    ['?limit=0', 'Limit must be positive'],
    ['?limit=-1', 'Limit must be positive'],
    [
      '?limit=x',
      "Invalid input for field/attribute limit. Value: 'x'. unable to convert to int. Error: invalid literal for int() with base 10: 'x'",
    ],
    ['?sort_dir=up', "Invalid sort direction: up. Acceptable values are 'asc' or 'desc'"],
    ['?sort_key=node_count', 'The sort_key value "node_count" is an invalid field for sorting'],
    ['?sort_key=id;drop', 'The sort_key value "id;drop" is an invalid field for sorting'],
    ['?sort_key=template_labels', 'The sort_key value "template_labels" is an invalid field for sorting'],
    ['?name=x', 'Unknown argument: "name"'],
  ])('refuses %s', async (query, detail) => {
    const answer = await service.request('demo', 'GET', `/v1/clusters${query}`);
    expect([answer.status, answer.body.errors[0].detail]).toEqual([400, detail]);
  });

  test('does not know a marker that the caller cannot see', async () => {
    const { clusters } = await list('?limit=1');
    const foreign = await service.request('bob', 'GET', `/v1/clusters?marker=${clusters[0]?.uuid}`);
    expect(foreign.status).toBe(404);
    const template = await makeTemplate(service, 'demo');
    const other = await service.request('bob', 'GET', `/v1/clustertemplates?marker=${template}`);
    expect(other.body.errors[0].detail).toBe(`ClusterTemplate ${template} could not be found.`);
  });

  test('of node groups can be cut to one role, and has the cluster in its next link', async () => {
    const { clusters } = await list('?limit=1');
    const path = `/v1/clusters/${clusters[0]?.uuid}/nodegroups`;
    const masters = await service.request('demo', 'GET', `${path}?role=master`);
    expect(masters.body.nodegroups.map((group: { name: string }) => group.name)).toEqual(['default-master']);
    expect((await service.request('demo', 'GET', `${path}?role=none`)).body).toEqual({ nodegroups: [] });
    const first = await service.request('demo', 'GET', `${path}?limit=1`);
    expect(first.body.next).toBe(
      `${service.url}${path}?sort_key=id&sort_dir=asc&limit=1&marker=${first.body.nodegroups[0].uuid}`,
    );
  });
});
