import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../access/support/database.ts';
import { makeCluster, makeTemplate } from '../support/clusters.ts';
import { startTestService, type Person, type TestService } from '../support/test-service.ts';
import {
  collection,
  everything,
  nothing,
  replace,
  saidBy,
  Templates,
  type Body,
} from './support/templates.ts';

let service: TestService;
let templates: Templates;
let database: Database;
let parent: string;
let source: Body & { uuid: string };

beforeAll(async () => {
  service = await startTestService({ change: (options) => ({ ...options, heartbeatMs: 3_600_000 }) });
  templates = new Templates(service);
  parent = await makeTemplate(service, 'demo', { name: 'parent' });
  await makeCluster(service, 'demo', parent, { name: 'prod' });
  source = await templates.make({ name: 'source', ...everything });
  const within = `/v1/clustertemplates/${parent}/nodegrouptemplates`;
  await templates.make({ name: 'cp', role: 'master' }, within);
  database = await openDatabase(service.connectionString);
  await database.allWorkDone();
});
afterAll(async () => {
  await database.close();
  await service.close();
});

interface Answer {
  resource: Body;
  origins: Record<string, { kind: string; uuid?: string; name?: string }>;
  refusals: { field: string | null; status: number; message: string }[];
}

/** Asks what would happen, and finds that nothing did. */
async function dryRun(method: string, path: string, body: unknown, person: Person = 'demo'): Promise<Answer> {
  const before = await database.fingerprint();
  const answer = await templates.ask(person, method, `${path}?dry_run=true`, body, 200);
  expect(await database.fingerprint()).toEqual(before);
  expect(Object.keys(answer.body).toSorted()).toStrictEqual(['origins', 'refusals', 'resource']);
  return answer.body;
}

const told = (answer: Answer): [string | null, number][] =>
  answer.refusals.map(({ field, status }) => [field, status]);

describe('a dry run of a creation', () => {
  test('from scratch shows what is said, and what is left open', async () => {
    const answer = await dryRun('POST', collection, { node_count: 2, tags: 'x' });
    expect(saidBy(answer.resource)).toStrictEqual({ ...nothing, node_count: 2 });
    expect(answer.origins).toMatchObject({ node_count: { kind: 'request' }, tags: { kind: 'request' } });
    expect(answer.origins).not.toHaveProperty('flavor_id');
    expect(answer.refusals).toStrictEqual([]);
  });

  test('from a template tells of each attribute whether it is from there or from the request', async () => {
    const body = { source_nodegroup_template: 'source', node_count: 4, image_id: null };
    const { resource, origins } = await dryRun('POST', collection, body);
    expect(saidBy(resource)).toStrictEqual({ ...everything, node_count: 4, image_id: null });
    expect(origins['node_count']).toStrictEqual({ kind: 'request' });
    expect(origins['flavor_id']).toStrictEqual({
      kind: 'nodegroup_template',
      uuid: source.uuid,
      name: 'source',
    });
  });

  test('from a node group tells of that', async () => {
    const body = { source_nodegroup: 'prod/default-worker' };
    const { origins } = await dryRun('POST', collection, body);
    expect(origins['flavor_id']).toMatchObject({ kind: 'nodegroup', name: 'default-worker' });
  });

  test('within a cluster template tells that this says who sees it', async () => {
    const path = `/v1/clustertemplates/${parent}/nodegrouptemplates`;
    const { resource, origins } = await dryRun('POST', path, { name: 'gpu' });
    expect(resource).toMatchObject({ cluster_template_id: parent, name: 'gpu', public: false });
    expect(origins['public']).toStrictEqual({ kind: 'cluster_template', uuid: parent, name: 'parent' });
  });

  test('tells all that would be refused', async () => {
    const answer = await dryRun('POST', `/v1/clustertemplates/${parent}/nodegrouptemplates`, {
      name: 'cp',
      role: 'master',
      public: true,
      flavor_id: 'no-such-flavor',
      image_id: 'ubuntu-kube-v1.31',
      kubernetes_version: 'v1.32.1',
      min_node_count: 5,
      max_node_count: 1,
    });
    expect(told(answer)).toStrictEqual([
      ['public', 409],
      ['max_node_count', 409],
      ['name', 409],
      ['role', 409],
      ['flavor_id', 400],
      ['kubernetes_version', 400],
    ]);
  });
});

describe('a dry run of a change', () => {
  test('shows the template as it would be and what the request says', async () => {
    const path = `${collection}/${source.uuid}`;
    const changes = [replace('node_count', 5), { op: 'remove', path: '/labels' }];
    const { resource, origins, refusals } = await dryRun('PATCH', path, changes);
    expect(saidBy(resource)).toStrictEqual({ ...everything, node_count: 5, labels: null });
    expect([origins['node_count']?.kind, origins['labels']?.kind, origins['role']?.kind]).toStrictEqual([
      'request',
      'request',
      'nodegroup_template',
    ]);
    expect(refusals).toStrictEqual([]);
    expect(await templates.show(source.uuid)).toStrictEqual(source);
  });

  test('tells all that would be refused', async () => {
    const changes = [replace('max_node_count', 1), replace('flavor_id', 'no-such-flavor')];
    const answer = await dryRun('PATCH', `${collection}/${source.uuid}`, changes);
    expect(told(answer)).toStrictEqual([
      ['max_node_count', 409],
      ['flavor_id', 400],
    ]);
  });
});

describe('a dry run', () => {
  test('is no way around policy or past what one can see', async () => {
    const path = `${collection}?dry_run=true`;
    const status = async (person: Person, method: string, at: string, body: unknown) =>
      (await service.request(person, method, at, body)).status;
    expect(await status('reader', 'POST', path, {})).toBe(403);
    expect(await status('demo', 'POST', path, { public: true })).toBe(403);
    expect(await status('bob', 'POST', path, { source_nodegroup_template: source.uuid })).toBe(404);
    const one = `${collection}/${source.uuid}?dry_run=true`;
    expect(await status('reader', 'PATCH', one, [replace('tags', 'x')])).toBe(403);
    expect(await status('bob', 'PATCH', one, [replace('tags', 'x')])).toBe(404);
  });

  test('that is not wanted is a request like any other', async () => {
    const { uuid } = await templates.make({}, `${collection}?dry_run=false`);
    expect(await templates.show(uuid)).toMatchObject({ uuid });
  });
});
