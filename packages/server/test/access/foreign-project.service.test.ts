import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operations } from '../../src/rest/operations.ts';
import { templateBody } from '../support/clusters.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { openDatabase, type Database } from './support/database.ts';
import { expectedStatus } from './support/expected-statuses.ts';
import { outcome } from './support/outcome.ts';
import { leakIn, textsOnlyOf } from './support/leaks.ts';
import { askFor, nameOf, type Ask } from './support/requests.ts';
import { makeScene, type Scene } from './support/scene.ts';

let service: TestService;
let database: Database;
let theirs: Scene;
let own: Scene;
let secrets: Set<string>;

beforeAll(async () => {
  service = await startTestService({ change: (options) => ({ ...options, heartbeatMs: 3_600_000 }) });
  theirs = await makeScene(service, 'demo');
  own = await makeScene(service, 'bob');
  const quota = { project_id: theirs.project, resource: 'Cluster', hard_limit: 1313 };
  await service.request('admin', 'POST', '/v1/quotas', quota);
  database = await openDatabase(service.connectionString);
  secrets = textsOnlyOf(await database.dump(), theirs.project);
});
afterAll(async () => {
  await database.close();
  await service.close();
});

/** Sends it as bob, and finds that nothing of demo's came back and nothing of theirs changed. */
async function askAsBob({ method, path, body }: Ask): Promise<TestAnswer> {
  const before = await database.fingerprint();
  const answer = await service.request('bob', method, path, body);
  // His own new template is the one thing he may make here; it goes before the comparison.
  if (answer.status === 201) await service.request('bob', 'DELETE', `${path}/${answer.body.uuid}`);
  const shown = `${answer.text}\n${JSON.stringify([...answer.headers])}`;
  expect(leakIn(shown, `${path} ${JSON.stringify(body)}`, secrets)).toBeUndefined();
  expect(await database.fingerprint()).toEqual(before);
  return answer;
}

it('knows what must stay secret: names, uuids, labels, addresses, certificates and ids', () => {
  for (const text of [theirs.project, theirs.cluster, theirs.clusterName, theirs.nodeGroup, theirs.template])
    expect(secrets).toContain(text);
  expect([...secrets].filter((text) => text.startsWith('-----BEGIN CERTIFICATE'))).toHaveLength(4);
  expect([...secrets].filter((text) => text.includes('-label'))).not.toHaveLength(0);
});

describe('a member of another project', () => {
  it.each(operations.map((operation) => [nameOf(operation), operation] as const))(
    'learns nothing from %s',
    async (name, operation) => {
      const answer = await askAsBob(askFor(operation, theirs));
      expect(outcome(answer, expectedStatus(name, 'foreigner'))).toBe(expectedStatus(name, 'foreigner'));
    },
  );

  // A new template is about nothing that exists.
  const aboutSomething = operations.filter((operation) => nameOf(operation) !== 'POST /v1/clustertemplates');

  it.each(aboutSomething.map((operation) => [nameOf(operation), operation] as const))(
    'cannot tell what exists from what does not by %s',
    async (_name, operation) => {
      const nobody = {
        ...theirs,
        cluster: randomUUID(),
        template: randomUUID(),
        nodeGroup: randomUUID(),
        nodeGroupTemplate: randomUUID(),
        project: randomUUID().replaceAll('-', ''),
      };
      const [real, made] = [askFor(operation, theirs), askFor(operation, nobody)];
      const [seen, unseen] = [await askAsBob(real), await askAsBob(made)];
      const identsOf = ({ cluster, template, nodeGroup, nodeGroupTemplate, project }: Scene): string[] => [
        cluster,
        template,
        nodeGroup,
        nodeGroupTemplate,
        project,
      ];
      const without = (answer: TestAnswer, names: string[]): string =>
        names.reduce((text, name) => text.replaceAll(name, 'X'), `${answer.status} ${answer.text}`);
      expect(without(seen, identsOf(theirs))).toBe(without(unseen, identsOf(nobody)));
      expect([...seen.headers.keys()]).toEqual([...unseen.headers.keys()]);
    },
  );
});

describe('names lead no further than uuids', () => {
  it.each([
    ['GET', () => `/v1/clusters/${theirs.clusterName}`],
    ['DELETE', () => `/v1/clusters/${theirs.clusterName}`],
    ['GET', () => `/v1/clusters/${theirs.clusterName}/nodegroups`],
    ['GET', () => `/v1/clusters/${theirs.clusterName}/nodegroups/default-worker`],
    ['GET', () => `/v1/clustertemplates/${theirs.templateName}`],
    ['DELETE', () => `/v1/clustertemplates/${theirs.templateName}`],
    ['GET', () => `/v1/clustertemplates/${theirs.templateName}/nodegrouptemplates`],
    ['GET', () => `/v1/nodegrouptemplates/${theirs.nodeGroupTemplateName}`],
    ['DELETE', () => `/v1/nodegrouptemplates/${theirs.nodeGroupTemplateName}`],
    ['GET', () => `/v1/certificates/${theirs.clusterName}`],
  ] as const)('%s of a name of another project', async (method, path) => {
    expect((await askAsBob({ method, path: path() })).status).toBe(404);
  });
});

describe("things of one's own mixed with those of others", () => {
  it("has no node groups of another project's cluster, by uuid, name or number", async () => {
    const list = await service.request('demo', 'GET', `/v1/clusters/${theirs.cluster}/nodegroups`);
    expect(list.status).toBe(200);
    const shown = await service.request(
      'demo',
      'GET',
      `/v1/clusters/${theirs.cluster}/nodegroups/${theirs.nodeGroup}`,
    );
    for (const ident of [theirs.nodeGroup, theirs.nodeGroupName, String(shown.body.id)]) {
      const path = `/v1/clusters/${own.cluster}/nodegroups/${ident}`;
      expect((await askAsBob({ method: 'GET', path })).status).toBe(404);
      expect((await askAsBob({ method: 'DELETE', path })).status).toBe(404);
      const resize = { node_count: 2, nodegroup: ident };
      const action = `/v1/clusters/${own.cluster}/actions/resize`;
      expect((await askAsBob({ method: 'POST', path: action, body: resize })).status).toBe(404);
    }
  });

  it("makes and upgrades no cluster from another project's template, by uuid, name or number", async () => {
    const dump = await database.dump();
    const row = dump['cluster_template']?.find(({ uuid }) => uuid === theirs.template);
    for (const template of [theirs.template, theirs.templateName, String(row?.['id'])]) {
      const create = { cluster_template_id: template, keypair: 'default' };
      expect((await askAsBob({ method: 'POST', path: '/v1/clusters', body: create })).status).toBe(404);
      const upgrade = { cluster_template: template, max_batch_size: 1 };
      const path = `/v1/clusters/${own.cluster}/actions/upgrade`;
      expect((await askAsBob({ method: 'POST', path, body: upgrade })).status).toBe(404);
    }
  });

  it("does not overwrite another project's template by claiming its uuid", async () => {
    const body = { ...templateBody, uuid: theirs.template };
    expect((await askAsBob({ method: 'POST', path: '/v1/clustertemplates', body })).status).toBe(409);
  });

  it("does not overwrite another project's node-group template by claiming its uuid", async () => {
    const body = { uuid: theirs.nodeGroupTemplate };
    expect((await askAsBob({ method: 'POST', path: '/v1/nodegrouptemplates', body })).status).toBe(409);
  });

  it("makes no node-group template from another project's templates and groups, or within its template", async () => {
    const bodies = [
      { source_nodegroup_template: theirs.nodeGroupTemplate },
      { source_nodegroup_template: theirs.nodeGroupTemplateName },
      { source_nodegroup: theirs.nodeGroup },
      { source_nodegroup: `${theirs.clusterName}/${theirs.nodeGroupName}` },
      { source_nodegroup: `${theirs.cluster}/default-worker` },
      { cluster_template_id: theirs.template },
      { cluster_template_id: theirs.templateName },
    ];
    for (const body of bodies) {
      const answer = await askAsBob({ method: 'POST', path: '/v1/nodegrouptemplates', body });
      expect([body, outcome(answer, 404)]).toEqual([body, 404]);
    }
  });

  it('shows lists with nothing of another project, however they are sorted or cut', async () => {
    for (const path of [
      '/v1/clusters',
      '/v1/clusters/detail',
      '/v1/clustertemplates',
      '/v1/clustertemplates/detail',
      '/v1/nodegrouptemplates',
      '/v1/nodegrouptemplates/detail',
    ]) {
      for (const query of ['', '?sort_key=name&sort_dir=desc', '?limit=1', '?sort_key=project_id']) {
        const { status, body } = await askAsBob({ method: 'GET', path: path + query });
        const [items] = Object.values(body as Record<string, { project_id?: string }[]>);
        expect(status).toBe(200);
        expect(items?.length).toBeGreaterThan(0);
      }
    }
  });

  it.each([
    ['/v1/clusters', () => theirs.cluster],
    ['/v1/clusters/detail', () => theirs.cluster],
    ['/v1/clustertemplates', () => theirs.template],
    ['/v1/clustertemplates/detail', () => theirs.template],
    ['/v1/nodegrouptemplates', () => theirs.nodeGroupTemplate],
    ['/v1/nodegrouptemplates/detail', () => theirs.nodeGroupTemplate],
    ['/v1/federations', () => theirs.cluster],
  ])('starts no page of %s after something of another project', async (path, marker) => {
    for (const query of [`?marker=${marker()}`, `?marker=${marker()}&sort_key=name`])
      expect((await askAsBob({ method: 'GET', path: path + query })).status).toBe(404);
  });

  it("starts no page of node groups after another cluster's", async () => {
    const path = `/v1/clusters/${own.cluster}/nodegroups?marker=${theirs.nodeGroup}`;
    expect((await askAsBob({ method: 'GET', path })).status).toBe(404);
  });

  it('counts and limits of another project are refused as those of a project that does not exist', async () => {
    for (const project of [theirs.project, randomUUID().replaceAll('-', '')]) {
      const stats = await askAsBob({ method: 'GET', path: `/v1/stats?project_id=${project}` });
      expect([stats.status, stats.body.errors[0].detail]).toEqual([403, 'Not authorized.']);
      const quota = await askAsBob({ method: 'GET', path: `/v1/quotas/${project}/Cluster` });
      expect([quota.status, quota.body.errors[0].detail]).toEqual([403, 'Not authorized.']);
    }
    const counted = await askAsBob({ method: 'GET', path: '/v1/stats' });
    expect(counted.body).toEqual({ clusters: 1, nodes: 3 });
  });
});
