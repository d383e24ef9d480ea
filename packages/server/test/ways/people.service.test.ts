import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compilePolicy } from '../../src/policy/index.ts';
import { startTestService, type Person, type TestService } from '../support/test-service.ts';
import { wholeCluster, wholeGroup, World, type Body } from './support/world.ts';

let service: TestService;
let world: World;

/** What demo has, under names that nobody else uses. */
const theirs = { cluster: '', template: '', groupTemplate: '', group: '' };

beforeAll(async () => {
  service = await startTestService({
    change: (options) => ({ ...options, maxClustersPerProject: 500 }),
  });
  world = new World(service);
  theirs.cluster = await world.cluster({
    ...wholeCluster,
    name: 'demos-cluster',
    nodegroups: [{ name: 'demos-group', ...wholeGroup }],
  });
  theirs.template = await world.template({ name: 'demos-template', source_cluster: theirs.cluster });
  theirs.groupTemplate = await world.groupTemplate({ name: 'demos-group-template', ...wholeGroup });
  const groups = await world.whole(`/v1/clusters/${theirs.cluster}/nodegroups`);
  theirs.group = groups.nodegroups.find(({ name }: Body) => name === 'demos-group').uuid;
});
afterAll(() => service.close());

/** Every request that names a source, by what it names. Each would be accepted from demo. */
const requests: [string, () => { path: string; body: Body }][] = [
  [
    'a cluster from a template',
    () => ({ path: '/v1/clusters', body: { cluster_template_id: theirs.template, coe: 'kubernetes' } }),
  ],
  [
    'a cluster from a template’s name',
    () => ({ path: '/v1/clusters', body: { cluster_template_id: 'demos-template', coe: 'kubernetes' } }),
  ],
  ['a cluster from a cluster', () => ({ path: '/v1/clusters', body: { source_cluster: theirs.cluster } })],
  [
    'a cluster from a cluster’s name',
    () => ({ path: '/v1/clusters', body: { source_cluster: 'demos-cluster' } }),
  ],
  [
    'a cluster with a group from a group',
    () => ({
      path: '/v1/clusters',
      body: { ...wholeCluster, nodegroups: [{ source_nodegroup: theirs.group }] },
    }),
  ],
  [
    'a cluster with a group from a group’s name',
    () => ({
      path: '/v1/clusters',
      body: { ...wholeCluster, nodegroups: [{ source_nodegroup: 'demos-cluster/demos-group' }] },
    }),
  ],
  [
    'a cluster with a group from a group in a cluster’s uuid',
    () => ({
      path: '/v1/clusters',
      body: { ...wholeCluster, nodegroups: [{ source_nodegroup: `${theirs.cluster}/demos-group` }] },
    }),
  ],
  [
    'a cluster with a group from a template',
    () => ({
      path: '/v1/clusters',
      body: { ...wholeCluster, nodegroups: [{ nodegroup_template_id: theirs.groupTemplate }] },
    }),
  ],
  [
    'a cluster with a group from a template’s name',
    () => ({
      path: '/v1/clusters',
      body: { ...wholeCluster, nodegroups: [{ nodegroup_template_id: 'demos-group-template' }] },
    }),
  ],
  [
    'a template from a template',
    () => ({ path: '/v1/clustertemplates', body: { source_template: theirs.template } }),
  ],
  [
    'a template from a cluster',
    () => ({ path: '/v1/clustertemplates', body: { source_cluster: 'demos-cluster' } }),
  ],
  [
    'a template with a group from a group',
    () => ({ path: '/v1/clustertemplates', body: { nodegroups: [{ source_nodegroup: theirs.group }] } }),
  ],
  [
    'a template with a group from a template',
    () => ({
      path: '/v1/clustertemplates',
      body: { nodegroups: [{ nodegroup_template_id: theirs.groupTemplate }] },
    }),
  ],
  [
    'a group template from a group template',
    () => ({ path: '/v1/nodegrouptemplates', body: { source_nodegroup_template: theirs.groupTemplate } }),
  ],
  [
    'a group template from a group',
    () => ({ path: '/v1/nodegrouptemplates', body: { source_nodegroup: 'demos-cluster/demos-group' } }),
  ],
];

const ask = async (person: Person, path: string, body: Body): Promise<string> => {
  const answer = await service.request(person, 'POST', path, body);
  return `${answer.status} ${answer.text}`;
};

describe.each(requests)('%s', (_name, request) => {
  test('is made for a member of the project', async () => {
    const { path, body } = request();
    expect(await ask('demo', path, body)).toMatch(/^20[12] /);
  });

  test('is refused to a reader of the project', async () => {
    const { path, body } = request();
    expect(await ask('reader', path, body)).toMatch(/^403 /);
  });

  test('is nothing that another project can find, nor be told anything about', async () => {
    const { path, body } = request();
    const answer = await ask('bob', path, body);
    expect(answer).toMatch(/^404 /);
    for (const secret of ['m1.large', 'monitoring_enabled', 'group_label'])
      expect(answer).not.toContain(secret);
    const dry = await ask('bob', `${path}?dry_run=true`, body);
    expect(dry).toMatch(/^404 /);
  });
});

test('a group for a cluster of one’s own cannot come from another project', async () => {
  const own = await world.cluster({ ...wholeCluster, name: 'bobs' }, 'bob');
  const path = `/v1/clusters/${own}/nodegroups`;
  expect(await ask('bob', path, { name: 'g', source_nodegroup: theirs.group })).toMatch(/^404 /);
  expect(await ask('bob', path, { name: 'g', nodegroup_template_id: theirs.groupTemplate })).toMatch(/^404 /);
  expect(await ask('bob', path, { name: 'g', source_nodegroup: 'bobs/default-worker' })).toMatch(/^202 /);
});

describe('a source that is public', () => {
  test('serves everybody, with all its groups', async () => {
    const template = await world.template(
      {
        ...templateOf(wholeCluster),
        name: 'public-one',
        public: true,
        nodegroups: [{ name: 'gpu', ...wholeGroup }],
      },
      'admin',
    );
    const uuid = await world.cluster({ cluster_template_id: 'public-one', coe: 'kubernetes' }, 'bob');
    expect(await world.groupNames(uuid, 'bob')).toStrictEqual(['default-master', 'gpu']);
    expect(await ask('bob', '/v1/clustertemplates', { source_template: template })).toMatch(/^201 /);
  });

  test('but hidden is found by nobody else, and is used by no one but administrators', async () => {
    const template = await world.template(
      { ...templateOf(wholeCluster), name: 'hidden-one', public: true, hidden: true },
      'admin',
    );
    const body = { cluster_template_id: template, coe: 'kubernetes' };
    expect(await ask('bob', '/v1/clusters', body)).toMatch(/^404 /);
    expect(await ask('bob', '/v1/clustertemplates', { source_template: 'hidden-one' })).toMatch(/^404 /);
    expect(await ask('admin', '/v1/clustertemplates', { source_template: 'hidden-one' })).toMatch(/^201 /);
    const group = await world.groupTemplate(
      { name: 'hidden-group', public: true, hidden: true, ...wholeGroup },
      'admin',
    );
    const withGroup = { ...wholeCluster, nodegroups: [{ nodegroup_template_id: group }] };
    expect(await ask('bob', '/v1/clusters', withGroup)).toMatch(/^404 /);
  });
});

const templateOf = ({ keypair, ...rest }: typeof wholeCluster): Body => ({ ...rest, keypair_id: keypair });

describe('a template of one’s own project that is hidden', () => {
  let retired: TestService;
  beforeAll(async () => {
    // Members may hide templates here, which is else for administrators alone.
    const text =
      '"clustertemplate:publish": "rule:admin_or_project_member"\n"nodegrouptemplate:publish": "rule:admin_or_project_member"';
    retired = await startTestService({
      change: (options) => ({ ...options, policy: compilePolicy({ file: 'policy.yaml', text }) }),
    });
  });
  afterAll(() => retired.close());

  test('can be looked at, but nothing new is made from it', async () => {
    const own = new World(retired);
    const template = await own.template({ ...templateOf(wholeCluster), hidden: true, create_timeout: 5 });
    const group = await own.groupTemplate({ hidden: true, ...wholeGroup });
    const looked = await retired.request('demo', 'GET', `/v1/clustertemplates/${template}`);
    expect(looked.status).toBe(200);
    for (const [path, body] of [
      ['/v1/clusters', { cluster_template_id: template }],
      ['/v1/clusters', { cluster_template_id: template, nodegroups: [] }],
      ['/v1/clustertemplates', { source_template: template }],
      ['/v1/clusters', { ...wholeCluster, nodegroups: [{ nodegroup_template_id: group }] }],
      ['/v1/nodegrouptemplates', { source_nodegroup_template: group }],
    ] as const) {
      const answer = await retired.request('demo', 'POST', path, body);
      expect(`${answer.status} ${answer.text}`).toMatch(/^403 /);
    }
  });
});

describe('a source that nobody knows, or that is not the only one', () => {
  test.each([
    ['/v1/clusters', { source_cluster: 'nobody' }, 404, 'Cluster nobody could not be found'],
    ['/v1/clusters', { cluster_template_id: 'nobody', coe: 'kubernetes' }, 404, 'ClusterTemplate nobody'],
    [
      '/v1/clusters',
      { nodegroups: [{ name: 'a', nodegroup_template_id: 'nobody' }] },
      404,
      'NodeGroupTemplate nobody',
    ],
    ['/v1/clusters', { nodegroups: [{ name: 'a', source_nodegroup: 'no/body' }] }, 404, 'Nodegroup no/body'],
    ['/v1/clusters', { nodegroups: [{ name: 'a', source_nodegroup: 'nobody' }] }, 404, 'Nodegroup nobody'],
    ['/v1/clusters', { source_cluster: 'a', cluster_template_id: 'b' }, 400, 'source_cluster'],
    ['/v1/clustertemplates', { source_template: 'nobody' }, 404, 'ClusterTemplate nobody'],
  ])('%s %j is refused and says so', async (path, body, status, told) => {
    const answer = await service.request('demo', 'POST', path, body);
    expect([answer.status, answer.text]).toStrictEqual([status, expect.stringContaining(told)]);
  });

  test('is refused as ambiguous where two are called so', async () => {
    for (const _ of [1, 2]) {
      await world.cluster({ ...wholeCluster, name: 'twins' });
      await world.template({ ...templateOf(wholeCluster), name: 'twin-templates', create_timeout: 5 });
      await world.groupTemplate({ name: 'twin-groups' });
    }
    for (const [path, body] of [
      ['/v1/clusters', { source_cluster: 'twins' }],
      ['/v1/clusters', { cluster_template_id: 'twin-templates', coe: 'kubernetes' }],
      ['/v1/clusters', { ...wholeCluster, nodegroups: [{ nodegroup_template_id: 'twin-groups' }] }],
      ['/v1/clusters', { ...wholeCluster, nodegroups: [{ source_nodegroup: 'twins/default-worker' }] }],
      ['/v1/clustertemplates', { source_template: 'twin-templates' }],
    ] as const) {
      const answer = await ask('demo', path, body);
      expect(answer).toMatch(/^409 .*Multiple/s);
    }
  });
});
