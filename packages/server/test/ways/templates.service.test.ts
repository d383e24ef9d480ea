import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { wholeCluster, wholeGroup, World, type Body } from './support/world.ts';

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await startTestService({
    change: (options) => ({ ...options, maxClustersPerProject: 500 }),
  });
  world = new World(service);
});
afterAll(() => service.close());

const { keypair, ...others } = wholeCluster;
const wholeTemplate = { ...others, keypair_id: keypair, master_count: 1, create_timeout: 45 };

const groupsOf = (template: { nodegroups: Body[] }): string[] =>
  template.nodegroups.map(({ name }) => String(name));

describe('a cluster template from scratch', () => {
  test('says what the request says and leaves all else open', async () => {
    const uuid = await world.template({ name: 'open-1', create_timeout: 45 });
    const whole = await world.whole(`/v1/clustertemplates/${uuid}`);
    expect(whole).toMatchObject({ name: 'open-1', create_timeout: 45, nodegroups: [] });
    for (const left of [
      'image_id',
      'flavor_id',
      'floating_ip_enabled',
      'network_driver',
      'server_type',
      'driver',
    ])
      expect([left, whole[left]]).toStrictEqual([left, null]);
  });

  test('shows clients of Magnum what Magnum would show', async () => {
    const uuid = await world.template({ name: 'open-2', create_timeout: 45, nodegroups: [] });
    const plain = (await world.ask('demo', 'GET', `/v1/clustertemplates/${uuid}`, undefined, 200)).body;
    expect(plain).toMatchObject({
      coe: 'kubernetes',
      server_type: 'vm',
      floating_ip_enabled: true,
      master_lb_enabled: false,
      labels: {},
    });
    const magnums = await world.magnumTemplate();
    const known = (await world.ask('demo', 'GET', `/v1/clustertemplates/${magnums}`, undefined, 200)).body;
    expect(Object.keys(plain).toSorted()).toStrictEqual(Object.keys(known).toSorted());
  });

  test('holds node-group templates for its groups', async () => {
    const uuid = await world.template({
      ...wholeTemplate,
      nodegroups: [{ name: 'gpu', ...wholeGroup }, { name: 'b' }],
    });
    const whole = await world.whole(`/v1/clustertemplates/${uuid}`);
    expect(groupsOf(whole)).toStrictEqual(['gpu', 'b']);
    expect(whole.nodegroups[0]).toMatchObject({ ...wholeGroup, cluster_template_id: uuid });
    expect(whole.nodegroups[1]).toMatchObject({ flavor_id: null, node_count: null, labels: null });
  });

  test('is refused with all its mistakes at once', async () => {
    const answer = await world.ask(
      'demo',
      'POST',
      '/v1/clustertemplates',
      {
        image_id: 'no-such-image',
        flavor_id: 'no-such-flavor',
        network_driver: 'cilium',
        nodegroups: [{ name: 'a', min_node_count: 5, max_node_count: 2 }, { name: 'a' }],
      },
      400,
    );
    for (const told of [
      'no-such-image',
      'no-such-flavor',
      'Network driver type cilium',
      'min_node_count (5)',
      'two groups called a',
    ])
      expect(answer.body.errors[0].detail).toContain(told);
  });
});

describe('a cluster template from a cluster', () => {
  test('has its groups as node-group templates, and gives clusters equal to it', async () => {
    const cluster = await world.cluster({
      ...wholeCluster,
      name: 'model',
      master_lb_enabled: true,
      master_count: 3,
      nodegroups: [
        { name: 'gpu', ...wholeGroup },
        { name: 'default-worker', node_count: 2 },
        { name: 'follows' },
      ],
    });
    const template = await world.template({ name: 'of-model', source_cluster: 'model' });
    const whole = await world.whole(`/v1/clustertemplates/${template}`);
    expect(groupsOf(whole)).toStrictEqual(['default-master', 'gpu', 'default-worker', 'follows']);
    const made = await world.cluster({ cluster_template_id: template });
    expect(await world.configuration(made)).toStrictEqual(await world.configuration(cluster));
  });

  test('without workers gives clusters without workers', async () => {
    const cluster = await world.cluster({ ...wholeCluster, name: 'alone', nodegroups: [] });
    const template = await world.template({ source_cluster: cluster });
    const made = await world.cluster({ cluster_template_id: template });
    expect(await world.groupNames(made)).toStrictEqual(['default-master']);
    expect(await world.configuration(made)).toStrictEqual(await world.configuration(cluster));
  });

  test('takes what the request says over what the cluster says', async () => {
    await world.cluster({ ...wholeCluster, name: 'model-2', nodegroups: [{ name: 'gpu', ...wholeGroup }] });
    const template = await world.template({
      source_cluster: 'model-2',
      flavor_id: 'm1.large',
      keypair_id: null,
      labels: { more: 'yes' },
      merge_labels: true,
      nodegroups: [{ name: 'other' }],
      merge_nodegroups: true,
    });
    const whole = await world.whole(`/v1/clustertemplates/${template}`);
    expect(whole).toMatchObject({
      flavor_id: 'm1.large',
      keypair_id: null,
      labels: { monitoring_enabled: 'true', more: 'yes' },
    });
    expect(groupsOf(whole)).toStrictEqual(['default-master', 'gpu', 'other']);
  });
});

describe('a cluster template from a template', () => {
  test('is its equal, groups and all, and its own', async () => {
    const source = await world.template({
      ...wholeTemplate,
      name: 'first',
      nodegroups: [{ name: 'gpu', ...wholeGroup }],
    });
    const copy = await world.template({ name: 'second', source_template: 'first' });
    const [one, other] = [
      await world.whole(`/v1/clustertemplates/${source}`),
      await world.whole(`/v1/clustertemplates/${copy}`),
    ];
    const configuration = ({
      uuid: _u,
      name: _n,
      links: _l,
      created_at: _c,
      nodegroups,
      ...rest
    }: Body): Body => ({
      ...rest,
      groups: (nodegroups as Body[]).map(
        ({ uuid: _uuid, links: _links, created_at: _at, cluster_template_id: _in, ...group }) => group,
      ),
    });
    expect(configuration(other)).toStrictEqual(configuration(one));
    await world.ask('demo', 'DELETE', `/v1/clustertemplates/${source}`, undefined, 204);
    expect(configuration(await world.whole(`/v1/clustertemplates/${copy}`))).toStrictEqual(
      configuration(one),
    );
  });

  test('that Magnum’s clients made goes on to give what that gives', async () => {
    const source = await world.magnumTemplate({ name: 'magnums', labels: { a: '1' } });
    const copy = await world.template({
      source_template: 'magnums',
      nodegroups: [{ name: 'more' }],
      merge_nodegroups: true,
    });
    const made = await world.cluster({ cluster_template_id: copy, node_count: 2 });
    const { groups } = await world.configuration(made);
    expect(Object.keys(groups)).toStrictEqual(['default-master', 'default-worker', 'more']);
    expect(groups['default-worker']).toMatchObject({ node_count: 2, labels: { a: '1' } });
    expect(source).not.toBe(copy);
  });

  test('cannot be from two things at once', async () => {
    const answer = await world.ask(
      'demo',
      'POST',
      '/v1/clustertemplates',
      { source_template: 'a', source_cluster: 'b' },
      400,
    );
    expect(answer.body.errors[0].detail).toContain('source_cluster');
  });
});

describe('a node group', () => {
  let cluster: string;
  beforeAll(async () => {
    cluster = await world.cluster({ ...wholeCluster, name: 'parent' });
  });

  const add = (body: Body): Promise<{ body: Body }> =>
    world.ask('demo', 'POST', `/v1/clusters/${cluster}/nodegroups`, body, 202);
  const whole = (name: string): Promise<Body> => world.whole(`/v1/clusters/${cluster}/nodegroups/${name}`);

  test('is made from scratch with every attribute', async () => {
    await add({ name: 'scratch', ...wholeGroup });
    expect(await whole('scratch')).toMatchObject(wholeGroup);
  });

  test('is made from a node-group template, and from one plus attributes', async () => {
    const template = await world.groupTemplate({ name: 'ng-template', ...wholeGroup });
    await add({ nodegroup_template_id: template });
    expect(await whole('ng-template')).toMatchObject(wholeGroup);
    await add({
      name: 'from-template',
      nodegroup_template_id: 'ng-template',
      node_count: 4,
      root_volume: null,
    });
    expect(await whole('from-template')).toMatchObject({ ...wholeGroup, node_count: 4, root_volume: null });
  });

  test('is made from another group of any cluster one can read', async () => {
    await world.cluster({ ...wholeCluster, name: 'elsewhere', nodegroups: [{ name: 'gpu', ...wholeGroup }] });
    await add({ source_nodegroup: 'elsewhere/gpu' });
    expect(await whole('gpu')).toMatchObject(wholeGroup);
    await add({ name: 'gpu-2', source_nodegroup: 'elsewhere/gpu', labels: { x: 'y' }, merge_labels: true });
    expect(await whole('gpu-2')).toMatchObject({ ...wholeGroup, labels: { group_label: 'own', x: 'y' } });
  });

  test('takes from its cluster what nobody says', async () => {
    await add({ name: 'plain', availability_zones: ['az2'] });
    expect(await whole('plain')).toMatchObject({
      flavor_id: 'm1.small',
      image_id: 'ubuntu-kube-v1.31',
      labels: wholeCluster.labels,
      node_count: 1,
      update_strategy: 'rolling',
      availability_zones: ['az2'],
    });
  });

  test('cannot be a control plane, whatever it is made from', async () => {
    const answer = await world.ask(
      'demo',
      'POST',
      `/v1/clusters/${cluster}/nodegroups`,
      { name: 'masters', source_nodegroup: 'parent/default-master' },
      400,
    );
    expect(answer.body.errors[0].detail).toContain('Creating master nodegroups');
  });
});
