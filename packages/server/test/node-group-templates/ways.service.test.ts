import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCluster, makeTemplate, settled } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { collection, everything, nothing, saidBy, shownNames, Templates } from './support/templates.ts';

let service: TestService;
let templates: Templates;
let cluster: string;
let group: string;

beforeAll(async () => {
  service = await startTestService();
  templates = new Templates(service);
  const template = await makeTemplate(service, 'demo', { labels: { from_cluster: 'yes' } });
  cluster = await makeCluster(service, 'demo', template, { name: 'prod' });
  const path = `/v1/clusters/${cluster}/nodegroups`;
  group = (await templates.ask('demo', 'POST', path, { name: 'gpu', ...everything }, 202)).body.uuid;
  await settled(service, 'demo', cluster);
});
afterAll(() => service.close());

describe('a node-group template from scratch', () => {
  test('leaves open all that is not given, and has a name drawn for it', async () => {
    const made = await templates.make({});
    expect(saidBy(made)).toStrictEqual(nothing);
    expect(made).toMatchObject({
      name: expect.stringMatching(/^[a-z]+-\d+-template$/),
      cluster_template_id: null,
      merge_labels: false,
      public: false,
      hidden: false,
      tags: null,
      project_id: service.vars['project.demo'],
      user_id: service.vars['user.demo'],
      updated_at: null,
    });
    expect(Object.keys(made).toSorted()).toStrictEqual(shownNames.toSorted());
    expect(await templates.show(made.uuid)).toStrictEqual(made);
  });

  test('says what it is given, in every attribute there is', async () => {
    const uuid = randomUUID();
    const body = { ...everything, uuid, name: 'all', tags: 'a,b', merge_labels: true };
    const answer = await templates.ask('demo', 'POST', collection, body, 201);
    expect(answer.body).toMatchObject(body);
    expect(answer.headers.get('location')).toBe(`${service.url}${collection}/${uuid}`);
    expect(answer.body.links[0]).toStrictEqual({
      href: `${service.url}${collection}/${uuid}`,
      rel: 'self',
    });
    expect(await templates.show('all')).toStrictEqual(answer.body);
  });

  test('takes the same in the media type of the extensions', async () => {
    const type = { 'content-type': 'application/vnd.jeroboam.v1+json' };
    const { body } = await templates.ask('demo', 'POST', collection, everything, 201, type);
    expect(saidBy(body)).toStrictEqual(everything);
  });

  test('takes no uuid that is taken', async () => {
    const { uuid } = await templates.make({});
    expect(await templates.refusal(409, 'POST', collection, { uuid })).toBe(
      `A NodeGroupTemplate with UUID ${uuid} already exists.`,
    );
  });
});

describe('a node-group template from another', () => {
  test('says what that says, and nothing of its identity', async () => {
    const source = await templates.make({ name: 'source-1', ...everything, tags: 'theirs' });
    for (const ident of [source.uuid, 'source-1']) {
      const copy = await templates.make({ source_nodegroup_template: ident });
      expect(saidBy(copy)).toStrictEqual(everything);
      expect(copy['uuid']).not.toBe(source.uuid);
      expect([copy['tags'], copy['name']]).not.toContain('theirs');
      expect(copy['name']).not.toBe('source-1');
    }
  });

  test('leaves open what that leaves open', async () => {
    const { uuid } = await templates.make({ node_count: 3 });
    const copy = await templates.make({ source_nodegroup_template: uuid });
    expect(saidBy(copy)).toStrictEqual({ ...nothing, node_count: 3 });
  });

  test.each(Object.keys(everything))('opens %s again when it is given as null', async (name) => {
    const { uuid } = await templates.make(everything);
    const copy = await templates.make({ source_nodegroup_template: uuid, [name]: null });
    expect(saidBy(copy)).toStrictEqual({ ...everything, [name]: null });
  });

  test('says what is given instead, attribute by attribute', async () => {
    const { uuid } = await templates.make(everything);
    const given = { flavor_id: 'm1.small', node_labels: { tier: 'cpu' }, availability_zones: ['nova'] };
    const copy = await templates.make({ source_nodegroup_template: uuid, ...given });
    expect(saidBy(copy)).toStrictEqual({ ...everything, ...given });
  });

  test('lays labels over those of the source when asked to, and replaces them otherwise', async () => {
    const { uuid } = await templates.make({ labels: { kept: 'a', changed: 'b' } });
    const labels = { changed: 'z', own: 'c' };
    const merged = await templates.make({ source_nodegroup_template: uuid, labels, merge_labels: true });
    expect(merged['labels']).toStrictEqual({ kept: 'a', changed: 'z', own: 'c' });
    const replaced = await templates.make({ source_nodegroup_template: uuid, labels });
    expect(replaced['labels']).toStrictEqual(labels);
  });

  test('uses its labels as the source does unless it says otherwise', async () => {
    const { uuid } = await templates.make({ labels: { a: 'b' }, merge_labels: true });
    expect(await templates.make({ source_nodegroup_template: uuid })).toMatchObject({ merge_labels: true });
    const other = await templates.make({ source_nodegroup_template: uuid, merge_labels: false });
    expect(other).toMatchObject({ labels: { a: 'b' }, merge_labels: false });
  });

  test('does not change with it, nor go with it', async () => {
    const { uuid } = await templates.make(everything);
    const copy = await templates.make({ source_nodegroup_template: uuid });
    await templates.patch(uuid, [{ op: 'replace', path: '/node_count', value: 4 }]);
    await templates.ask('demo', 'DELETE', `${collection}/${uuid}`, undefined, 204);
    expect(await templates.show(copy.uuid)).toStrictEqual(copy);
  });
});

describe('a node-group template from a node group', () => {
  test.each([
    ['its uuid', () => group],
    ['names of cluster and group', () => 'prod/gpu'],
    ['uuid of the cluster and name of the group', () => `${cluster}/gpu`],
  ])('by %s is complete', async (_how, source) => {
    expect(saidBy(await templates.make({ source_nodegroup: source() }))).toStrictEqual(everything);
  });

  test('that Magnum would make too leaves open only what a group has none of', async () => {
    const made = await templates.make({ source_nodegroup: 'prod/default-worker' });
    const open = Object.entries(saidBy(made)).flatMap(([name, value]) => (value === null ? [name] : []));
    expect(open.toSorted()).toStrictEqual([
      'docker_volume_size',
      'kubernetes_version',
      'max_node_count',
      'root_volume',
      'server_group_policy',
    ]);
    expect(made).toMatchObject({ labels: { from_cluster: 'yes' }, role: 'worker', node_count: 1 });
  });

  test('says what is given instead, merges labels, and opens what is null', async () => {
    const made = await templates.make({
      source_nodegroup: group,
      name: 'own-name',
      node_count: null,
      flavor_id: 'm1.small',
      labels: { more: 'x' },
      merge_labels: true,
    });
    expect(made['name']).toBe('own-name');
    const labels = { ...everything.labels, more: 'x' };
    const expected = { ...everything, node_count: null, flavor_id: 'm1.small', labels };
    expect(saidBy(made)).toStrictEqual(expected);
  });

  test('makes a group like that one again', async () => {
    const { uuid } = await templates.make({ source_nodegroup: group });
    const path = `/v1/clusters/${cluster}/nodegroups`;
    const body = { name: 'again', nodegroup_template_id: uuid };
    await templates.ask('demo', 'POST', path, body, 202);
    await settled(service, 'demo', cluster);
    const type = { accept: 'application/vnd.jeroboam.v1+json' };
    const again = await templates.ask('demo', 'GET', `${path}/again`, undefined, 200, type);
    expect(saidBy(again.body)).toStrictEqual(everything);
  });
});

describe('sources that cannot be', () => {
  test.each([
    ['source_nodegroup_template', 'nowhere', 'NodeGroupTemplate nowhere could not be found.'],
    ['source_nodegroup', 'nowhere/gpu', 'Nodegroup nowhere/gpu could not be found.'],
    ['source_nodegroup', 'prod/nowhere', 'Nodegroup prod/nowhere could not be found.'],
    ['source_nodegroup', 'gpu', 'Nodegroup gpu could not be found.'],
  ])('%s %s is answered with 404', async (name, ident, detail) => {
    expect(await templates.refusal(404, 'POST', collection, { [name]: ident })).toBe(detail);
  });

  test('two of one name are answered with 409', async () => {
    await templates.make({ name: 'twice' });
    await templates.make({ name: 'twice' });
    const detail = await templates.refusal(409, 'POST', collection, { source_nodegroup_template: 'twice' });
    expect(detail).toBe(
      'Multiple NodeGroupTemplates exist with same name. Please use the NodeGroupTemplate uuid instead.',
    );
  });

  test('a template and a group at once are refused', async () => {
    const { uuid } = await templates.make({});
    const body = { source_nodegroup_template: uuid, source_nodegroup: group };
    expect(await templates.refusal(400, 'POST', collection, body)).toContain(
      'Give either source_nodegroup_template or source_nodegroup, not both.',
    );
  });
});

describe('what is refused', () => {
  test('is told all at once', async () => {
    const before = await templates.names();
    const detail = await templates.refusal(400, 'POST', collection, {
      name: 'all-wrong',
      flavor_id: 'no-such-flavor',
      image_id: 'no-such-image',
      networks: [{ network: 'no-such-network' }],
      min_node_count: 5,
      max_node_count: 3,
      node_labels: { 'node-role.kubernetes.io/x': 'y' },
      node_taints: [{ key: 'a', effect: 'Never' }],
      availability_zones: ['nova', 'nova'],
    });
    for (const word of [
      'Unable to find flavor no-such-flavor',
      'Image no-such-image could not be found',
      'Unable to find network no-such-network',
      'min_node_count (5) should be less or equal to max_node_count (3)',
      "node label 'node-role.kubernetes.io/x'",
      'node_taints[0].effect',
      'availability_zones of all-wrong names nova twice',
    ])
      expect(detail).toContain(word);
    expect(await templates.names()).toStrictEqual(before);
  });

  test.each([
    [{ flavor_id: 'm1.zerodisk' }, 'Flavor with zero root volume size is not supported'],
    [{ image_id: 'ubuntu-kube-v1.31', kubernetes_version: 'v1.32.1' }, 'holds v1.31.4'],
    [{ labels: { boot_volume_size: 'much' } }, 'boot_volume_size must be an integer'],
  ])('says why: %j', async (body, reason) => {
    expect(await templates.refusal(400, 'POST', collection, body)).toContain(reason);
  });

  test('is no flavor without a disk where a volume is booted from', async () => {
    const body = { flavor_id: 'm1.zerodisk', root_volume: { size: 20 } };
    expect(await templates.make(body)).toMatchObject(body);
  });

  test('are attributes that nobody knows or only the service sets', async () => {
    expect(await templates.refusal(400, 'POST', collection, { colour: 'red' })).toBe(
      'Unknown attribute for argument nodegroup_template: colour',
    );
    expect(await templates.refusal(400, 'POST', collection, { project_id: 'x' })).toContain(
      'Cannot set read only field.',
    );
  });
});
