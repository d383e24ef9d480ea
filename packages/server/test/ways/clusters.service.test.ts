import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { wholeCluster, wholeGroup, World } from './support/world.ts';

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await startTestService({
    change: (options) => ({ ...options, maxClustersPerProject: 500 }),
  });
  world = new World(service);
});
afterAll(() => service.close());

describe('a cluster made of all its attributes', () => {
  test('needs no template and has what the request says', async () => {
    const uuid = await world.cluster({ ...wholeCluster, name: 'alone' });
    const { cluster, groups } = await world.configuration(uuid);
    const { keypair, ...said } = wholeCluster;
    expect(cluster).toMatchObject({ ...said, keypair, node_count: 1, master_count: 1 });
    expect(Object.keys(groups)).toStrictEqual(['default-master', 'default-worker']);
    expect(groups['default-worker']).toMatchObject({ flavor_id: 'm1.small', node_count: 1 });
    expect(groups['default-master']).toMatchObject({ flavor_id: 'm1.medium', role: 'master' });
  });

  test('has the groups that the request lists, each with every attribute it says', async () => {
    const uuid = await world.cluster({
      ...wholeCluster,
      nodegroups: [{ name: 'gpu', ...wholeGroup }, { name: 'plain' }],
    });
    const { groups } = await world.configuration(uuid);
    expect(Object.keys(groups)).toStrictEqual(['default-master', 'gpu', 'plain']);
    expect(groups['gpu']).toMatchObject(wholeGroup);
    expect(groups['plain']).toMatchObject({
      role: 'worker',
      flavor_id: 'm1.small',
      labels: wholeCluster.labels,
    });
  });

  test('without any group of workers is a control plane alone', async () => {
    const uuid = await world.cluster({ ...wholeCluster, nodegroups: [] });
    expect(await world.groupNames(uuid)).toStrictEqual(['default-master']);
    const shown = await world.ask('demo', 'GET', `/v1/clusters/${uuid}`, undefined, 200);
    expect(shown.body).toMatchObject({ node_count: 0, master_count: 1, status: 'CREATE_COMPLETE' });
  });

  test('describes its control plane like any other group', async () => {
    const uuid = await world.cluster({
      ...wholeCluster,
      master_lb_enabled: true,
      nodegroups: [
        {
          name: 'default-master',
          node_count: 3,
          availability_zones: ['nova', 'az2'],
          root_volume: { size: 50 },
        },
        { name: 'default-worker', node_count: 2 },
      ],
    });
    const { cluster, groups } = await world.configuration(uuid);
    expect(cluster).toMatchObject({ master_count: 3, node_count: 2 });
    expect(groups['default-master']).toMatchObject({
      node_count: 3,
      availability_zones: ['nova', 'az2'],
      root_volume: { size: 50 },
      flavor_id: 'm1.medium',
    });
  });

  test('answers with a template id that resolves out of its own attributes', async () => {
    const uuid = await world.cluster({ ...wholeCluster, name: 'own-template', tls_disabled: false });
    const shown = await world.ask('demo', 'GET', `/v1/clusters/${uuid}`, undefined, 200);
    const path = `/v1/clustertemplates/${shown.body.cluster_template_id}`;
    const template = await world.ask('demo', 'GET', path, undefined, 200);
    expect(template.body).toMatchObject({
      uuid: shown.body.cluster_template_id,
      coe: 'kubernetes',
      image_id: 'ubuntu-kube-v1.31',
      labels: wholeCluster.labels,
      tls_disabled: false,
    });
    await world.ask('bob', 'GET', path, undefined, 404);
  });

  test('is told all that is missing and contradictory at once', async () => {
    const answer = await world.ask(
      'demo',
      'POST',
      '/v1/clusters',
      {
        coe: 'kubernetes',
        master_count: 2,
        nodegroups: [
          { name: 'a', node_count: 5, max_node_count: 3 },
          { name: 'b', node_labels: { 'kubernetes.io/forbidden': 'x' } },
        ],
      },
      400,
    );
    for (const told of [
      'image_id is missing',
      'master_flavor_id is missing',
      'nodegroups/a/flavor_id is missing',
      'nodegroups/b/flavor_id is missing',
      'master_count must be 1',
      'max_node_count for a is invalid',
      'node_labels for b is invalid',
    ])
      expect(answer.body.errors[0].detail).toContain(told);
  });
});

describe('a cluster made from a template', () => {
  test('has the groups of its node-group templates, each with its own attributes over the cluster’s', async () => {
    const template = await world.template({
      name: 'with-groups',
      ...templateAttributes(),
      nodegroups: [
        { name: 'gpu', ...wholeGroup },
        { name: 'small', node_count: 3 },
      ],
    });
    const uuid = await world.cluster({ cluster_template_id: template });
    const { cluster, groups } = await world.configuration(uuid);
    expect(Object.keys(groups)).toStrictEqual(['default-master', 'gpu', 'small']);
    expect(groups['gpu']).toMatchObject(wholeGroup);
    expect(groups['small']).toMatchObject({ node_count: 3, flavor_id: 'm1.small' });
    expect(cluster).toMatchObject({ node_count: 5, keypair: 'default' });
  });

  test('may be asked for by a client that knows Magnum only', async () => {
    const template = await world.template({
      ...templateAttributes(),
      nodegroups: [{ name: 'gpu', ...wholeGroup }],
    });
    const uuid = await world.magnumCluster(template, { name: 'by-magnum', master_count: 1 });
    expect(await world.groupNames(uuid)).toStrictEqual(['default-master', 'gpu']);
    // Who asks for a number of workers means the group that Magnum knows.
    const counted = await world.magnumCluster(template, { name: 'by-magnum-too', node_count: 2 });
    expect(await world.groupNames(counted)).toStrictEqual(['default-master', 'gpu', 'default-worker']);
  });

  test('is whole when the template leaves open what the request says, and refused with all that is still open', async () => {
    const template = await world.template({
      name: 'open',
      kubernetes_version: null,
      nodegroups: [{ name: 'a' }],
    });
    const refused = await world.ask('demo', 'POST', '/v1/clusters', { cluster_template_id: template }, 400);
    for (const told of [
      'image_id is missing',
      'master_flavor_id is missing',
      'nodegroups/a/flavor_id is missing',
    ])
      expect(refused.body.errors[0].detail).toContain(told);
    const uuid = await world.cluster({
      cluster_template_id: template,
      image_id: 'ubuntu-kube-v1.31',
      flavor_id: 'm1.small',
      master_flavor_id: 'm1.small',
    });
    const { groups } = await world.configuration(uuid);
    expect(groups['a']).toMatchObject({ flavor_id: 'm1.small', image_id: 'ubuntu-kube-v1.31' });
  });

  test('does not notice when its template changes or goes, and neither does what its id answers', async () => {
    const template = await world.template({
      ...templateAttributes(),
      nodegroups: [{ name: 'gpu', ...wholeGroup }],
    });
    const uuid = await world.cluster({ cluster_template_id: template });
    const before = await world.configuration(uuid);
    await world.ask(
      'demo',
      'PATCH',
      `/v1/clustertemplates/${template}`,
      [{ op: 'replace', path: '/labels', value: "{'changed': 'yes'}" }],
      200,
    );
    await world.ask('demo', 'DELETE', `/v1/clustertemplates/${template}`, undefined, 204);
    expect(await world.configuration(uuid)).toStrictEqual(before);
    const remembered = await world.ask('demo', 'GET', `/v1/clustertemplates/${template}`, undefined, 200);
    expect(remembered.body).toMatchObject({
      uuid: template,
      coe: 'kubernetes',
      image_id: 'ubuntu-kube-v1.31',
    });
  });
});

const templateAttributes = (): Record<string, unknown> => {
  const { keypair, ...rest } = wholeCluster;
  return { ...rest, keypair_id: keypair };
};

describe('a clone', () => {
  test('has the whole configuration of its source and nothing of its identity', async () => {
    const source = await world.cluster({
      ...wholeCluster,
      name: 'source-1',
      nodegroups: [
        { name: 'gpu', ...wholeGroup },
        { name: 'default-worker', node_count: 3 },
      ],
    });
    const clone = await world.cluster({ name: 'clone-1', source_cluster: 'source-1' });
    expect(await world.configuration(clone)).toStrictEqual(await world.configuration(source));
    const [one, other] = [
      await world.whole(`/v1/clusters/${source}`),
      await world.whole(`/v1/clusters/${clone}`),
    ];
    for (const own of ['uuid', 'cluster_id', 'cluster_template_id', 'links', 'created_at'])
      expect(other[own]).not.toStrictEqual(one[own]);
    const certificate = async (cluster: string): Promise<string> =>
      (await world.ask('demo', 'GET', `/v1/certificates/${cluster}`, undefined, 200)).body.pem;
    expect(await certificate(clone)).not.toBe(await certificate(source));
  });

  test('of a clone equals the clone', async () => {
    await world.cluster({ ...wholeCluster, name: 'source-2', nodegroups: [{ name: 'gpu', ...wholeGroup }] });
    const clone = await world.cluster({ name: 'clone-2', source_cluster: 'source-2' });
    const again = await world.cluster({ name: 'clone-2-again', source_cluster: clone });
    expect(await world.configuration(again)).toStrictEqual(await world.configuration(clone));
  });

  test('of a cluster that Magnum’s clients made equals it too', async () => {
    const template = await world.magnumTemplate({ labels: { a: '1', min_node_count: '2' } });
    const source = await world.magnumCluster(template, {
      node_count: 3,
      labels: { b: '2' },
      merge_labels: true,
      create_timeout: 30,
      docker_volume_size: 9,
    });
    await world.ask(
      'demo',
      'POST',
      `/v1/clusters/${source}/nodegroups`,
      { name: 'extra', node_count: 2 },
      202,
    );
    const clone = await world.cluster({ source_cluster: source });
    expect(await world.configuration(clone)).toStrictEqual(await world.configuration(source));
  });

  test('takes what the request says over what the source says, and groups follow where they followed', async () => {
    await world.cluster({
      ...wholeCluster,
      name: 'source-3',
      nodegroups: [{ name: 'default-worker' }, { name: 'follows' }, { name: 'gpu', flavor_id: 'm1.large' }],
    });
    const clone = await world.cluster({
      source_cluster: 'source-3',
      flavor_id: 'm1.medium',
      node_count: 4,
      labels: { extra: 'yes' },
      merge_labels: true,
      dns_nameserver: '9.9.9.9',
    });
    const { cluster, groups } = await world.configuration(clone);
    expect(cluster).toMatchObject({
      flavor_id: 'm1.medium',
      dns_nameserver: '9.9.9.9',
      labels: { monitoring_enabled: 'true', extra: 'yes' },
    });
    expect(groups['default-worker']).toMatchObject({ flavor_id: 'm1.medium', node_count: 4 });
    expect(groups['follows']).toMatchObject({ flavor_id: 'm1.medium', labels: cluster['labels'] });
    expect(groups['gpu']).toMatchObject({ flavor_id: 'm1.large' });
  });

  test('lives on when its source is deleted', async () => {
    const source = await world.cluster({ ...wholeCluster, name: 'source-4' });
    const clone = await world.cluster({ source_cluster: source });
    const before = await world.configuration(clone);
    await world.ask('demo', 'DELETE', `/v1/clusters/${source}`, undefined, 204);
    expect(await world.configuration(clone)).toStrictEqual(before);
  });
});

describe('the groups of a new cluster', () => {
  test('come from attributes, templates and other groups in one request', async () => {
    const source = await world.cluster({
      ...wholeCluster,
      name: 'groups-source',
      nodegroups: [{ name: 'gpu', ...wholeGroup }],
    });
    const template = await world.groupTemplate({
      name: 'a-group-template',
      node_count: 4,
      flavor_id: 'm1.large',
    });
    const list = await world.whole(`/v1/clusters/${source}/nodegroups`);
    const gpu = list.nodegroups.find((group: { name: string }) => group.name === 'gpu').uuid;
    const uuid = await world.cluster({
      ...wholeCluster,
      nodegroups: [
        { name: 'by-attributes', node_count: 1 },
        { nodegroup_template_id: template },
        { name: 'by-template', nodegroup_template_id: 'a-group-template', node_count: 2 },
        { name: 'by-uuid', source_nodegroup: gpu },
        { source_nodegroup: 'groups-source/gpu', max_node_count: null, min_node_count: 0 },
      ],
    });
    const { groups } = await world.configuration(uuid);
    expect(groups['a-group-template']).toMatchObject({ node_count: 4, flavor_id: 'm1.large' });
    expect(groups['by-template']).toMatchObject({ node_count: 2, flavor_id: 'm1.large' });
    expect(groups['by-uuid']).toMatchObject(wholeGroup);
    expect(groups['gpu']).toMatchObject({ ...wholeGroup, max_node_count: null, min_node_count: 0 });
  });

  test('replace those of the source, or are laid over them by name', async () => {
    await world.cluster({
      ...wholeCluster,
      name: 'layers',
      nodegroups: [{ name: 'a', node_count: 2 }, { name: 'b' }],
    });
    const replaced = await world.cluster({ source_cluster: 'layers', nodegroups: [{ name: 'c' }] });
    expect(await world.groupNames(replaced)).toStrictEqual(['default-master', 'c']);
    const merged = await world.cluster({
      source_cluster: 'layers',
      merge_nodegroups: true,
      nodegroups: [{ name: 'a', max_node_count: 9 }, { name: 'c' }],
    });
    const { groups } = await world.configuration(merged);
    expect(Object.keys(groups)).toStrictEqual(['default-master', 'a', 'b', 'c']);
    expect(groups['a']).toMatchObject({ node_count: 2, max_node_count: 9 });
    const chosen = await world.cluster({ source_cluster: 'layers', nodegroups: [{ source_nodegroup: 'a' }] });
    expect(await world.groupNames(chosen)).toStrictEqual(['default-master', 'a']);
  });
});
