import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { collection, everything, nothing, replace, saidBy, Templates } from './support/templates.ts';

let service: TestService;
let templates: Templates;

beforeAll(async () => {
  service = await startTestService();
  templates = new Templates(service);
});
afterAll(() => service.close());

/** Another value of each attribute, but for the image and the version that it decides. */
const others: Record<Exclude<keyof typeof everything, 'image_id' | 'kubernetes_version'>, unknown> = {
  role: 'batch',
  node_count: 3,
  min_node_count: 2,
  max_node_count: 9,
  flavor_id: 'm1.small',
  docker_volume_size: 8,
  labels: { another: '1' },
  node_labels: { tier: 'batch' },
  node_taints: [{ key: 'batch', effect: 'NoExecute' }],
  root_volume: { size: 50 },
  data_volumes: [],
  availability_zones: ['az2'],
  networks: [],
  security_groups: [],
  server_group_policy: 'affinity',
  update_strategy: 'rolling',
};

describe('a change', () => {
  test.each(Object.entries(others))('sets %s to %j, and nothing else', async (name, value) => {
    const { uuid, ...made } = await templates.make(everything);
    const { body } = await templates.patch(uuid, [replace(name, value)]);
    expect(body).toStrictEqual({ ...made, uuid, [name]: value, updated_at: expect.any(String) });
    expect(await templates.show(uuid)).toStrictEqual(body);
  });

  test.each(Object.keys(everything))('opens %s, by remove and by null', async (name) => {
    for (const change of [{ op: 'remove', path: `/${name}` }, replace(name, null)]) {
      const { uuid } = await templates.make(everything);
      const { body } = await templates.patch(uuid, [change]);
      expect(saidBy(body)).toStrictEqual({ ...everything, [name]: null });
    }
  });

  test('sets every attribute of one that leaves all open', async () => {
    const { uuid } = await templates.make({});
    const changes = Object.entries(everything).map(([name, value]) => ({
      ...replace(name, value),
      op: 'add',
    }));
    expect(saidBy((await templates.patch(uuid, changes)).body)).toStrictEqual(everything);
    const removals = Object.keys(everything).map((name) => ({ op: 'remove', path: `/${name}` }));
    expect(saidBy((await templates.patch(uuid, removals)).body)).toStrictEqual(nothing);
  });

  test('of image and version goes together', async () => {
    const { uuid } = await templates.make(everything);
    const alone = [replace('image_id', 'ubuntu-kube-v1.32')];
    const path = `${collection}/${uuid}`;
    expect(await templates.refusal(400, 'PATCH', path, alone)).toContain('holds v1.32.1');
    const { body } = await templates.patch(uuid, [...alone, replace('kubernetes_version', 'v1.32.1')]);
    expect(body).toMatchObject({ image_id: 'ubuntu-kube-v1.32', kubernetes_version: 'v1.32.1' });
  });

  test('of name, tags and use of labels is free', async () => {
    const { uuid } = await templates.make({ name: 'before' });
    const changes = [replace('name', 'after'), replace('tags', 'x,y'), replace('merge_labels', true)];
    const { body } = await templates.patch(uuid, changes);
    expect(body).toMatchObject({ name: 'after', tags: 'x,y', merge_labels: true });
  });

  test('reaches single keys of maps, also of one that was open', async () => {
    const { uuid } = await templates.make({ labels: { a: '1', b: '2' } });
    const changes = [
      { op: 'remove', path: '/labels/a' },
      { op: 'add', path: '/labels/c', value: '3' },
      { op: 'add', path: '/node_labels/tier', value: 'gpu' },
    ];
    const { body } = await templates.patch(uuid, changes);
    expect(body).toMatchObject({ labels: { b: '2', c: '3' }, node_labels: { tier: 'gpu' } });
  });

  test('is taken in the media type of the extensions alike', async () => {
    const { uuid } = await templates.make({});
    const type = { 'content-type': 'application/vnd.jeroboam.v1+json' };
    const path = `${collection}/${uuid}`;
    const answer = await templates.ask('demo', 'PATCH', path, [replace('node_count', 2)], 200, type);
    expect(answer.body.node_count).toBe(2);
  });

  test('to what it is already changes nothing', async () => {
    const made = await templates.make(everything);
    const { body } = await templates.patch(made.uuid, [replace('labels', everything.labels)]);
    expect(body).toStrictEqual(made);
  });

  test.each(['uuid', 'cluster_template_id', 'project_id', 'source_nodegroup', 'created_at', 'links'])(
    'cannot reach %s',
    async (name) => {
      const { uuid } = await templates.make({});
      const detail = await templates.refusal(400, 'PATCH', `${collection}/${uuid}`, [replace(name, 'x')]);
      expect(detail).toBe(`'/${name}' is an internal attribute and can not be updated`);
    },
  );

  test.each(['name', 'merge_labels', 'public', 'hidden'])('cannot take %s away', async (name) => {
    const { uuid } = await templates.make({});
    const change = [{ op: 'remove', path: `/${name}` }];
    const detail = await templates.refusal(400, 'PATCH', `${collection}/${uuid}`, change);
    expect(detail).toBe(`'/${name}' is a mandatory attribute and can not be removed`);
  });

  test('is refused for all reasons at once, and then changes nothing', async () => {
    const made = await templates.make({ ...everything, name: 'steady' });
    const detail = await templates.refusal(400, 'PATCH', `${collection}/${made.uuid}`, [
      replace('flavor_id', 'no-such-flavor'),
      replace('networks', [{ network: 'no-such-network' }]),
      replace('max_node_count', 1),
      replace('role', 'master'),
      replace('tags', 'changed'),
    ]);
    for (const word of [
      'Unable to find flavor no-such-flavor',
      'Unable to find network no-such-network',
      'node_count (2) should be less or equal to max_node_count (1)',
      'node_labels are not supported for master nodegroups',
    ])
      expect(detail).toContain(word);
    expect(await templates.show(made.uuid)).toStrictEqual(made);
  });

  test('asks the cloud only about what changes', async () => {
    const { uuid } = await templates.make(everything);
    service.cloud.requests.clear();
    await templates.patch(uuid, [replace('node_count', 3), replace('tags', 'x')]);
    expect(service.cloud.requests.count('GET', /flavors|images|networks/)).toBe(0);
    await templates.patch(uuid, [replace('flavor_id', 'm1.small')]);
    expect(service.cloud.requests.count('GET', /flavors/)).toBeGreaterThan(0);
    expect(service.cloud.requests.count('GET', /images|networks/)).toBe(0);
  });
});

describe('a node-group template', () => {
  test('is shown, changed and deleted by uuid and by name', async () => {
    for (const by of ['uuid', 'name'] as const) {
      const made = await templates.make({ name: `known-by-${by}` });
      const ident = String(made[by]);
      expect(await templates.show(ident)).toStrictEqual(made);
      await templates.patch(ident, [replace('tags', 'x')]);
      await templates.ask('demo', 'DELETE', `${collection}/${ident}`, undefined, 204);
      const detail = await templates.refusal(404, 'GET', `${collection}/${ident}`);
      expect(detail).toBe(`NodeGroupTemplate ${ident} could not be found.`);
      for (const [method, body] of [['PATCH', [replace('tags', 'y')]], ['DELETE']] as const)
        await templates.ask('demo', method, `${collection}/${ident}`, body, 404);
    }
  });

  test('whose name is that of another must be called by uuid', async () => {
    const [one] = [await templates.make({ name: 'same' }), await templates.make({ name: 'same' })];
    const calls = [['GET'], ['PATCH', [replace('tags', 'x')]], ['DELETE']] as const;
    for (const [method, body] of calls) {
      const detail = await templates.refusal(409, method, `${collection}/same`, body);
      expect(detail).toBe(
        'Multiple NodeGroupTemplates exist with same name. Please use the NodeGroupTemplate uuid instead.',
      );
    }
    await templates.ask('demo', 'DELETE', `${collection}/${one.uuid}`, undefined, 204);
    expect(await templates.show('same')).toMatchObject({ name: 'same' });
  });

  test('is there at every microversion', async () => {
    const headers = { 'openstack-api-version': 'container-infra 1.1' };
    const made = await templates.ask('demo', 'POST', collection, everything, 201, headers);
    const path = `${collection}/${made.body.uuid}`;
    const shown = await templates.ask('demo', 'GET', path, undefined, 200, headers);
    expect(shown.body).toStrictEqual(made.body);
  });

  test('is asked for by the right methods', async () => {
    for (const method of ['PATCH', 'DELETE'])
      expect(await templates.refusal(400, method, collection)).toBe(
        'Missing argument: "nodegroup_template_ident"',
      );
    expect(await templates.refusal(400, 'POST', `${collection}/x`)).toContain('Too many arguments');
    const wrong = await templates.ask('demo', 'PUT', `${collection}/x`, {}, 405);
    expect(wrong.headers.get('allow')).toBe('DELETE, GET, PATCH, POST');
  });
});
