import { nodeGroupAttributes, nodeGroupSpec } from '@jeroboam/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asDriversSay, Changes, detail, extensionType, named, set } from './support/changes.ts';

let changes: Changes;
/** A cluster that only refusals are tried on. */
let untouched: string;
let cluster: string;

const fresh = async (): Promise<void> => {
  cluster = await changes.cluster({
    docker_volume_size: 12,
    labels: { of: 'cluster' },
    nodegroups: [{ name: 'default-worker' }, { name: 'gpu', node_count: 2 }],
  });
};

beforeAll(async () => {
  changes = await Changes.start();
  await fresh();
  untouched = cluster;
});
afterAll(() => changes.close());
beforeEach(() => {
  cluster = untouched;
});

const patch = (operations: unknown, group = 'gpu') =>
  changes.extended('PATCH', `/clusters/${cluster}/nodegroups/${group}`, operations);

/** Another value for each attribute that can be changed. */
const mutable: Record<string, unknown> = {
  node_count: 4,
  min_node_count: 2,
  max_node_count: 9,
  flavor_id: 'm1.large',
  image_id: 'fedora-atomic-f23-dib',
  kubernetes_version: 'v1.31.4',
  docker_volume_size: 7,
  labels: { own: 'yes' },
  node_labels: { tier: 'gpu' },
  node_taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
  root_volume: { size: 40, type: 'ssd' },
  data_volumes: [{ name: 'scratch', size: 100, mount_path: '/var/scratch' }],
  availability_zones: ['nova', 'az2'],
  networks: [{ network: 'private', subnet: 'private-subnet' }],
  security_groups: ['monitoring'],
  server_group_policy: 'anti-affinity',
  update_strategy: 'in-place',
};

const immutable: Record<string, unknown> = { name: 'other', role: 'other' };

describe('the attributes of a group', () => {
  test('are all tried here', () => {
    expect([...Object.keys(mutable), ...Object.keys(immutable)].toSorted()).toEqual(
      nodeGroupSpec.map(({ name }) => name).toSorted(),
    );
    expect(Object.keys(immutable).toSorted()).toEqual(
      named(nodeGroupSpec, ({ mutability }) => mutability === 'immutable').toSorted(),
    );
  });
});

describe('an attribute of a group', () => {
  beforeEach(fresh);

  test.each(Object.entries(mutable))(
    '%s can be changed, which the answer, the store, the view and the driver see',
    async (name, value) => {
      const answer = await patch([set(name, value)]);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([202, extensionType]);
      expect(answer.body[name]).toEqual(value);
      expect((await changes.settled(cluster)).body.status).toBe('UPDATE_COMPLETE');
      expect((await changes.groupRow(cluster, 'gpu'))[name]).toEqual(value);
      const { groups } = await changes.shown(cluster);
      expect(groups.gpu[name]).toEqual(value);
      expect(changes.desiredGroup(cluster, 'gpu')[asDriversSay(name)]).toEqual(value);
      // Nobody else is concerned.
      expect(groups['default-worker'].status).toBe('CREATE_COMPLETE');
    },
  );

  /** What a group takes from its cluster. */
  const inherited: Record<string, unknown> = {
    flavor_id: 'm1.small',
    image_id: 'ubuntu-kube-v1.31',
    labels: { of: 'cluster' },
    kubernetes_version: null,
  };
  const standard = nodeGroupSpec
    .filter(({ name }) => Object.hasOwn(mutable, name))
    .map((attribute): [string, unknown] => [
      attribute.name,
      Object.hasOwn(inherited, attribute.name)
        ? inherited[attribute.name]
        : (attribute.fallback ?? attribute.default ?? null),
    ]);

  test.each(standard)('%s goes back to %j when it is taken away', async (name, value) => {
    expect((await patch([set(name, mutable[name])])).status).toBe(202);
    expect((await patch([{ op: 'replace', path: `/${name}`, value: null }])).body[name]).toEqual(value);
    expect((await changes.groupRow(cluster, 'gpu'))[name]).toEqual(value);
  });

  test('docker_volume_size of a default group goes back to that of the cluster', async () => {
    await patch([set('docker_volume_size', 7)], 'default-worker');
    expect((await patch([set('docker_volume_size')], 'default-worker')).body.docker_volume_size).toBe(12);
  });

  test.each(Object.entries(immutable))(
    '%s is refused with its name and what to do instead',
    async (name, value) => {
      const answer = await patch([set(name, value)]);
      const instead = nodeGroupSpec.find((attribute) => attribute.name === name)?.instead;
      expect(instead).toBeTruthy();
      expect([answer.status, detail(answer)]).toEqual([
        409,
        `${name} cannot be changed after creation. ${instead}`,
      ]);
      expect((await patch([set(name, (await changes.groupRow(cluster, 'gpu'))[name])])).status).toBe(202);
    },
  );
});

describe('refused of a group', () => {
  const notSpec = named(nodeGroupAttributes.attributes, ({ mutability }) => mutability === undefined);

  test.each(notSpec)('%s is no part of what makes it up and cannot be patched', async (name) => {
    const answer = await patch([set(name, 'x')]);
    expect([answer.status, detail(answer)]).toEqual([
      400,
      `'/${name}' is an internal attribute and can not be updated`,
    ]);
  });

  test('does not include others', async () => {
    expect((await patch([set('colour', 'red')])).status).toBe(400);
  });
});

describe('a patch of a group', () => {
  beforeEach(fresh);

  test('with several mistakes is told all of them, and nothing is changed', async () => {
    const before = await changes.groupRow(cluster, 'gpu');
    const answer = await patch([
      set('name', 'x'),
      set('min_node_count', 9),
      set('flavor_id', 'nowhere'),
      set('image_id', 'nothing'),
      set('networks', [{ network: 'nonet' }]),
      set('data_volumes', [
        { name: 'a', size: 1 },
        { name: 'a', size: 2 },
      ]),
      set('node_taints', [{ key: 'k', effect: 'Never' }]),
      set('update_strategy', 'prayer'),
    ]);
    expect(answer.status).toBe(409);
    for (const part of [
      'name cannot',
      'min_node_count (9)',
      'flavor nowhere',
      'Image nothing',
      'network nonet',
      'two volumes called a',
      'effect must be',
      'update_strategy',
    ])
      expect(detail(answer)).toContain(part);
    expect(await changes.groupRow(cluster, 'gpu')).toEqual(before);
  });

  test('may move the bounds and the number of nodes together', async () => {
    expect((await patch([set('min_node_count', 5)])).status).toBe(409);
    const together = [set('min_node_count', 5), set('node_count', 6), set('max_node_count', 7)];
    expect((await patch(together)).body).toMatchObject({
      min_node_count: 5,
      node_count: 6,
      max_node_count: 7,
    });
  });

  test('is answered as Magnum would to those who accept no more', async () => {
    const answer = await changes.recorded.service.request(
      'demo',
      'PATCH',
      `/v1/clusters/${cluster}/nodegroups/gpu`,
      [set('security_groups', ['a'])],
      { 'content-type': extensionType },
    );
    expect([answer.status, answer.headers.get('content-type')]).toEqual([202, 'application/json']);
    expect(answer.body).not.toHaveProperty('security_groups');
  });

  test('finds the group by name, uuid and number', async () => {
    const { uuid, id } = await changes.groupRow(cluster, 'gpu');
    for (const [count, ident] of ['gpu', uuid, id].entries())
      expect((await patch([set('node_count', count)], String(ident))).body).toMatchObject({
        uuid,
        node_count: count,
      });
    expect((await patch([set('node_count', 1)], 'none')).status).toBe(404);
  });

  test('asks for a flavor with a disk unless nodes boot from a volume', async () => {
    const answer = await patch([set('flavor_id', 'm1.zerodisk')]);
    expect(detail(answer)).toContain('zero root volume size');
    expect((await patch([set('flavor_id', 'm1.zerodisk'), set('root_volume', { size: 20 })])).status).toBe(
      202,
    );
    expect(detail(await patch([set('root_volume')]))).toContain('zero root volume size');
  });

  test('asks for a version that the image holds and the control plane can serve', async () => {
    expect(detail(await patch([set('kubernetes_version', 'v1.30.0')]))).toContain('holds v1.31.4');
    const newer = [set('kubernetes_version', 'v1.32.1'), set('image_id', 'ubuntu-kube-v1.32')];
    expect(detail(await patch(newer))).toContain('newer than the control plane of 1.31.4');
    expect((await patch(newer, 'default-master')).status).toBe(202);
    expect((await patch(newer)).status).toBe(202);
    const older = [set('kubernetes_version'), set('image_id')];
    const refused = await patch(older, 'default-master');
    expect(detail(refused)).toContain('kubernetes_version of gpu: nodes of v1.32.1 are newer');
  });
});

describe('the control plane', () => {
  beforeEach(fresh);

  test('has the size that its driver takes', async () => {
    const even = await patch([set('node_count', 2)], 'default-master');
    expect([even.status, detail(even)]).toEqual([
      400,
      'master nodegroup size of 2 is invalid, size cannot be an even number.',
    ]);
    expect((await patch([set('node_count', 3)], 'default-master')).status).toBe(202);
    expect((await changes.settled(cluster)).body.master_count).toBe(3);
  });

  test('needs a load balancer for more than one', async () => {
    cluster = await changes.cluster({ master_lb_enabled: false });
    const answer = await patch([set('node_count', 3)], 'default-master');
    expect(detail(answer)).toBe('master_count must be 1 when master_lb_enabled is False');
  });
});

describe("Magnum's own PATCH of a group", () => {
  const extensions = named(nodeGroupSpec, ({ extension }) => extension === true);

  test.each(extensions)('knows no attribute %s', async (name) => {
    const path = `/clusters/${cluster}/nodegroups/gpu`;
    const answer = await changes.send('PATCH', path, [set(name, 'x')]);
    expect(answer.status).toBe(400);
    expect(detail(answer)).toContain(`can't replace a non-existent object '${name}'`);
    const added = await changes.send('PATCH', path, [{ op: 'add', path: `/${name}`, value: 'x' }]);
    expect(added.status).toBe(400);
  });

  test('has a dry run', async () => {
    const before = await changes.groupRow(cluster, 'gpu');
    const path = `/clusters/${cluster}/nodegroups/gpu?dry_run=true`;
    const fine = await changes.send('PATCH', path, [set('min_node_count', 1)]);
    expect([fine.status, fine.body]).toMatchObject([
      200,
      {
        resource: { name: 'gpu', min_node_count: 1 },
        origins: { min_node_count: { kind: 'request' } },
        refusals: [],
      },
    ]);
    const refused = await changes.send('PATCH', path, [
      set('min_node_count', 9),
      set('node_labels', "{'k8s.io/a': 'b'}"),
    ]);
    expect(refused.body.refusals.map(({ field }: { field: string }) => field)).toEqual([
      'node_labels',
      'min_node_count',
    ]);
    expect(await changes.groupRow(cluster, 'gpu')).toEqual(before);
  });
});

describe('who may change a group', () => {
  beforeEach(fresh);

  const flavor = [set('flavor_id', 'm1.large')];
  const as = (person: 'bob' | 'reader') =>
    changes.extended('PATCH', `/clusters/${cluster}/nodegroups/gpu`, flavor, person);

  test('is not somebody of another project, for whom there is none', async () => {
    expect((await as('bob')).status).toBe(404);
  });

  test('is not a reader', async () => {
    expect((await as('reader')).status).toBe(403);
  });

  test('is nobody once it is being deleted', async () => {
    changes.recorded.driver.finishing = false;
    await changes.send('DELETE', `/clusters/${cluster}/nodegroups/gpu`);
    const answer = await patch(flavor);
    expect(detail(answer)).toBe('Updating a cluster when status is "DELETE_IN_PROGRESS" is not supported.');
    // The cluster itself goes on, and what is said to all groups is not said to the one that goes.
    await changes.extended('PATCH', `/clusters/${cluster}`, flavor);
    expect(await changes.groupRow(cluster, 'gpu')).toMatchObject({
      status: 'DELETE_IN_PROGRESS',
      flavor_id: 'm1.small',
    });
    changes.recorded.driver.finishing = true;
    await changes.send('PATCH', `/clusters/${cluster}`, []);
    expect((await changes.settled(cluster)).body.status).toBe('UPDATE_COMPLETE');
  });
});

describe('a dry run of a change of a group', () => {
  test('shows the group as it would be, where that comes from and what stands in its way', async () => {
    const before = await changes.groupRow(cluster, 'gpu');
    const path = `/clusters/${cluster}/nodegroups/gpu?dry_run=true`;
    const { status, body } = await changes.extended('PATCH', path, [
      set('availability_zones', ['az1']),
      set('role', 'x'),
      set('max_node_count', 1),
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      resource: { uuid: before['uuid'], name: 'gpu', availability_zones: ['az1'], role: 'worker' },
      origins: {
        availability_zones: { kind: 'request' },
        flavor_id: { kind: 'nodegroup', uuid: before['uuid'], name: 'gpu' },
      },
      refusals: [
        { field: 'role', status: 409 },
        { field: 'max_node_count', status: 409 },
      ],
    });
    expect(Object.keys(body.resource).toSorted()).toEqual(
      ['uuid', ...nodeGroupSpec.map(({ name }) => name)].toSorted(),
    );
    expect(await changes.groupRow(cluster, 'gpu')).toEqual(before);
  });
});
