import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDatabase } from '../store/support/rows.ts';
import { makeTemplate, settled } from '../support/clusters.ts';
import { startTestService, type Person, type TestService } from '../support/test-service.ts';

let service: TestService;
const templates: Partial<Record<Person, string>> = {};

beforeAll(async () => {
  service = await startTestService({ change: (options) => ({ ...options, maxClustersPerProject: 2 }) });
  for (const person of ['demo', 'bob', 'admin'] as const)
    templates[person] = await makeTemplate(service, person);
});
afterAll(() => service.close());

const create = (person: Person) =>
  service.request(person, 'POST', '/v1/clusters', { cluster_template_id: templates[person] });

const setLimit = (project: string, limit: number) =>
  service.request('admin', 'POST', '/v1/quotas', {
    project_id: service.vars[`project.${project}`],
    resource: 'Cluster',
    hard_limit: limit,
  });

const stats = async (person: Person, query = '') =>
  (await service.request(person, 'GET', `/v1/stats${query}`)).body;

describe('the limit of clusters', () => {
  test('of seven lets exactly seven of a hundred parallel creations pass', async () => {
    expect((await setLimit('demo', 7)).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 100 }, () => create('demo')));
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 403);
    expect([accepted.length, refused.length]).toEqual([7, 93]);
    expect(new Set(refused.map(({ body }) => body.errors[0].detail))).toEqual(
      new Set([
        'Resource limit exceeded: You have reached the maximum clusters per project, 7. ' +
          'You may delete a cluster to make room for a new one.',
      ]),
    );
    const { body } = await service.request('demo', 'GET', '/v1/clusters');
    const listed: string[] = body.clusters.map(({ uuid }: { uuid: string }) => uuid);
    expect(new Set(listed)).toEqual(new Set(accepted.map((answer) => answer.body.uuid)));
    expect(await stats('demo')).toEqual({ clusters: 7, nodes: 14 });
  });

  test('is the default where a project has none of its own, for administrators as well', async () => {
    for (const person of ['bob', 'admin'] as const) {
      const answers = [await create(person), await create(person), await create(person)];
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 403]);
      expect(answers[2]?.body.errors[0].detail).toContain('maximum clusters per project, 2.');
    }
  });

  test('set for a project wins over the default in both directions', async () => {
    expect((await create('bob')).status).toBe(403);
    await setLimit('second', 3);
    expect((await create('bob')).status).toBe(202);
    expect((await create('bob')).status).toBe(403);
    const path = `/v1/quotas/${service.vars['project.second']}/Cluster`;
    expect((await service.request('admin', 'PATCH', path, { hard_limit: 1 })).body.hard_limit).toBe(1);
    expect((await create('bob')).body.errors[0].detail).toContain('maximum clusters per project, 1.');
    await service.request('admin', 'DELETE', path);
    expect((await create('bob')).body.errors[0].detail).toContain('maximum clusters per project, 2.');
  });

  test('counts clusters in any status, and a deleted one no more', async () => {
    await withDatabase(service.connectionString, (client) =>
      client.query("update cluster set status = 'CREATE_FAILED' where project_id = $1", [
        service.vars['project.second'],
      ]),
    );
    expect((await create('bob')).status).toBe(403);
    const { body } = await service.request('bob', 'GET', '/v1/clusters');
    for (const { uuid } of body.clusters.slice(0, 2)) {
      await service.request('bob', 'DELETE', `/v1/clusters/${uuid}`);
      expect((await settled(service, 'bob', uuid)).status).toBe(404);
    }
    expect((await create('bob')).status).toBe(202);
  });
});

describe('the statistics', () => {
  test('count the clusters of the caller, of a project or of all', async () => {
    expect(await stats('demo')).toMatchObject({ clusters: 7 });
    expect(await stats('bob')).toEqual({ clusters: 2, nodes: 4 });
    expect(await stats('admin', `?project_id=${service.vars['project.second']}`)).toEqual({
      clusters: 2,
      nodes: 4,
    });
    expect(await stats('admin')).toEqual({ clusters: 11, nodes: 22 });
    const foreign = await service.request(
      'bob',
      'GET',
      `/v1/stats?project_id=${service.vars['project.demo']}`,
    );
    expect(foreign.status).toBe(403);
  });

  test('count every node of every group', async () => {
    const { body } = await service.request('demo', 'GET', '/v1/clusters?limit=1');
    const { uuid } = body.clusters[0];
    await settled(service, 'demo', uuid);
    await service.request('demo', 'POST', `/v1/clusters/${uuid}/actions/resize`, { node_count: 5 });
    await service.request('demo', 'POST', `/v1/clusters/${uuid}/nodegroups`, { name: 'more', node_count: 3 });
    expect(await stats('demo', '?type=Cluster')).toEqual({ clusters: 7, nodes: 14 + 4 + 3 });
  });
});
