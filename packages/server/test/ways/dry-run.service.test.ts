import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../access/support/database.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { extensions, wholeCluster, wholeGroup, World, type Body } from './support/world.ts';

let service: TestService;
let world: World;
let database: Database;
let template: string;
let cluster: string;

beforeAll(async () => {
  service = await startTestService();
  world = new World(service);
  database = await openDatabase(service.connectionString);
  const { keypair, ...rest } = wholeCluster;
  template = await world.template({
    ...rest,
    name: 'the-template',
    keypair_id: keypair,
    nodegroups: [{ name: 'gpu', ...wholeGroup }],
  });
  cluster = await world.cluster({ name: 'the-cluster', cluster_template_id: template, coe: 'kubernetes' });
});
afterAll(async () => {
  await database.close();
  await service.close();
});

/** The answer of a dry run, which must leave everything as it was. */
async function dry(method: string, path: string, body: unknown, headers = {}): Promise<Body> {
  const before = await database.fingerprint();
  const answer = await world.ask('demo', method, `${path}?dry_run=true`, body, 200, headers);
  expect(await database.fingerprint()).toStrictEqual(before);
  return answer.body as Body;
}

const inExtensions = { 'content-type': extensions };

describe('a dry run of a creation', () => {
  test('tells where each attribute of the cluster and its groups comes from', async () => {
    const { resource, origins, refusals } = (await dry('POST', '/v1/clusters', {
      cluster_template_id: template,
      flavor_id: 'm1.medium',
      merge_nodegroups: true,
      nodegroups: [{ name: 'extra', source_nodegroup: 'the-cluster/gpu', node_count: 4 }],
    })) as { resource: Body; origins: Body; refusals: Body[] };
    expect(refusals).toStrictEqual([]);
    expect(resource).toMatchObject({ flavor_id: 'm1.medium', image_id: 'ubuntu-kube-v1.31', node_count: 6 });
    const fromTemplate = { kind: 'cluster_template', uuid: template, name: 'the-template' };
    expect(origins).toMatchObject({
      flavor_id: { kind: 'request' },
      image_id: fromTemplate,
      labels: fromTemplate,
      create_timeout: { kind: 'default' },
      nodegroups: {
        'default-master': { image_id: fromTemplate, min_node_count: { kind: 'default' } },
        gpu: { flavor_id: { kind: 'nodegroup_template', name: 'gpu' } },
        extra: { node_count: { kind: 'request' }, flavor_id: { kind: 'nodegroup', name: 'gpu' } },
      },
    });
    const names = (resource['nodegroups'] as Body[]).map(({ name }) => name);
    expect(names).toStrictEqual(['default-master', 'gpu', 'extra']);
  });

  test('says all that would be refused, and still what is known', async () => {
    const { resource, refusals } = await dry('POST', '/v1/clusters', {
      image_id: 'ubuntu-kube-v1.31',
      master_count: 2,
      nodegroups: [{ name: 'a', flavor_id: 'no-such-flavor' }],
    });
    expect(resource).toMatchObject({ image_id: 'ubuntu-kube-v1.31' });
    const fields = (refusals as Body[]).map(({ field }) => field);
    expect(fields).toStrictEqual(
      expect.arrayContaining(['master_flavor_id', 'master_count', 'nodegroups/a/flavor_id']),
    );
    for (const refusal of refusals as Body[])
      expect(refusal).toStrictEqual({
        field: expect.any(String),
        status: expect.toBeOneOf([400, 409]),
        message: expect.stringMatching(/\w/),
      });
  });

  test('works for requests that Magnum’s clients send', async () => {
    const answer = await dry('POST', '/v1/clusters', {
      cluster_template_id: template,
      node_count: 3,
      name: 'x',
    });
    expect(answer).toMatchObject({ resource: { node_count: 5, name: 'x' }, refusals: [] });
    const made = await dry('POST', '/v1/clustertemplates', {
      coe: 'kubernetes',
      image_id: 'ubuntu-kube-v1.31',
      flavor_id: 'no-such-flavor',
    });
    expect(made).toMatchObject({ origins: { image_id: { kind: 'request' }, public: { kind: 'default' } } });
    expect((made['refusals'] as Body[]).map(({ field }) => field)).toStrictEqual(['flavor_id']);
    const group = await dry('POST', `/v1/clusters/${cluster}/nodegroups`, { name: 'gpu' });
    expect((group['refusals'] as Body[]).map(({ field, status }) => [field, status])).toStrictEqual([
      ['name', 409],
    ]);
  });

  test('of a template and of a group', async () => {
    const made = await dry('POST', '/v1/clustertemplates', {
      source_cluster: cluster,
      flavor_id: 'm1.large',
    });
    expect(made).toMatchObject({
      resource: { flavor_id: 'm1.large', keypair_id: 'default' },
      origins: { flavor_id: { kind: 'request' }, keypair_id: { kind: 'cluster', uuid: cluster } },
    });
    const group = await dry('POST', `/v1/clusters/${cluster}/nodegroups`, {
      name: 'new',
      availability_zones: ['nova'],
    });
    expect(group).toMatchObject({
      resource: { flavor_id: 'm1.small', availability_zones: ['nova'] },
      origins: { flavor_id: { kind: 'cluster', uuid: cluster }, availability_zones: { kind: 'request' } },
    });
    const groupTemplate = await dry('POST', '/v1/nodegrouptemplates', {
      source_nodegroup: 'the-cluster/gpu',
    });
    expect(groupTemplate).toMatchObject({ resource: { flavor_id: 'm1.large' } });
  });
});

describe('a dry run of a change', () => {
  test.each([
    ['cluster', () => `/v1/clusters/${cluster}`, [{ op: 'replace', path: '/flavor_id', value: 'm1.large' }]],
    [
      'group',
      () => `/v1/clusters/${cluster}/nodegroups/gpu`,
      [{ op: 'replace', path: '/flavor_id', value: 'm1.small' }],
    ],
    [
      'template',
      () => `/v1/clustertemplates/${template}`,
      [{ op: 'replace', path: '/flavor_id', value: 'm1.large' }],
    ],
  ])('of a %s shows it changed and changes nothing', async (_name, path, patch) => {
    const answer = await dry('PATCH', path(), patch, inExtensions);
    expect(answer).toMatchObject({
      resource: { flavor_id: patch[0]?.value },
      origins: { flavor_id: { kind: 'request' } },
      refusals: [],
    });
  });

  test('says what would be refused', async () => {
    const patch = [
      { op: 'replace', path: '/fixed_network', value: 'other' },
      { op: 'replace', path: '/flavor_id', value: 'no-such-flavor' },
    ];
    const { refusals } = await dry('PATCH', `/v1/clusters/${cluster}`, patch, inExtensions);
    const told = (refusals as Body[]).map(({ field, status }) => [field, status]);
    expect(told).toStrictEqual(
      expect.arrayContaining([
        ['fixed_network', 409],
        ['flavor_id', 400],
      ]),
    );
  });
});

test('a dry run is refused to who may not do it', async () => {
  const body = { cluster_template_id: template };
  const ask = async (person: 'reader' | 'bob'): Promise<number> =>
    (await service.request(person, 'POST', '/v1/clusters?dry_run=true', body)).status;
  expect([await ask('reader'), await ask('bob')]).toStrictEqual([403, 404]);
});
