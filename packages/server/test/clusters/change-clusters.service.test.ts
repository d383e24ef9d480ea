import { clusterAttributes, clusterSpec } from '@jeroboam/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTemplate } from '../support/clusters.ts';
import type { TestAnswer } from '../support/test-service.ts';
import { asDriversSay, Changes, detail, named, set } from './support/changes.ts';

let changes: Changes;
/** A cluster that only refusals are tried on. */
let untouched: string;
let cluster: string;

beforeAll(async () => {
  changes = await Changes.start();
  untouched = await changes.cluster();
});
afterAll(() => changes.close());
beforeEach(() => {
  cluster = untouched;
});

const fresh = async (): Promise<void> => {
  cluster = await changes.cluster();
};

const patch = (operations: unknown, path = `/clusters/${cluster}`) =>
  changes.extended('PATCH', path, operations);

/** Another value for each attribute that can be changed. */
const mutable: Record<string, unknown> = {
  keypair: 'mykey',
  node_count: 4,
  master_count: 3,
  docker_volume_size: 30,
  labels: { monitoring_enabled: 'true' },
  master_flavor_id: 'm1.large',
  flavor_id: 'm1.medium',
  create_timeout: 90,
  discovery_url: 'https://discovery.example.com/1',
  image_id: 'ubuntu-kube-v1.32',
  kubernetes_version: 'v1.31.4',
  volume_driver: 'cinder',
  docker_storage_driver: 'overlay2',
  http_proxy: 'http://proxy.example.com:3128',
  https_proxy: 'https://proxy.example.com:3129',
  no_proxy: '10.0.0.0/8',
  registry_enabled: true,
  insecure_registry: '10.0.0.5:5000',
};

/** And for each that cannot. */
const immutable: Record<string, unknown> = {
  name: 'another',
  fixed_network: 'private',
  fixed_subnet: 'private-subnet',
  floating_ip_enabled: false,
  master_lb_enabled: false,
  external_network_id: 'other',
  dns_nameserver: '9.9.9.9',
  network_driver: 'calico',
  apiserver_port: 8443,
  tls_disabled: true,
  server_type: 'bm',
  driver: 'other',
};

const newerTemplate = (): Promise<string> =>
  makeTemplate(changes.recorded.service, 'demo', { image_id: 'ubuntu-kube-v1.32', driver: 'recording' });

/** What stands for numbers of nodes in the groups. */
const counted: Record<string, string> = { node_count: 'default-worker', master_count: 'default-master' };

const desiredValue = (attribute: string): unknown => {
  const group = counted[attribute];
  return group === undefined
    ? changes.desired(cluster)[asDriversSay(attribute)]
    : changes.desiredGroup(cluster, group)['nodeCount'];
};

describe('the attributes of a cluster', () => {
  test('are all tried here', () => {
    expect(Object.keys(mutable).toSorted()).toEqual(
      named(clusterSpec, ({ mutability }) => mutability !== 'immutable').toSorted(),
    );
    // There is only one engine: another is not even read.
    expect([...Object.keys(immutable), 'coe'].toSorted()).toEqual(
      named(clusterSpec, ({ mutability }) => mutability === 'immutable').toSorted(),
    );
  });
});

describe('an attribute of a cluster', () => {
  beforeEach(fresh);

  test.each(Object.entries(mutable))(
    '%s can be changed, which the store, the view and the driver see',
    async (name, value) => {
      const answer = await patch([set(name, value)]);
      expect([answer.status, answer.body]).toEqual([202, { uuid: cluster }]);
      expect((await changes.settled(cluster)).body.status).toBe('UPDATE_COMPLETE');
      expect((await changes.row(cluster))[name]).toEqual(value);
      expect((await changes.shown(cluster)).cluster[name]).toEqual(value);
      expect(desiredValue(name)).toEqual(value);
    },
  );

  const essential = new Set(['image_id', 'flavor_id', 'master_flavor_id']);
  const standard = clusterSpec
    .filter(({ name }) => Object.hasOwn(mutable, name) && !essential.has(name))
    .map((attribute): [string, unknown] => [attribute.name, attribute.fallback ?? attribute.default ?? null]);

  test.each(standard)('%s goes back to %j when it is taken away', async (name, value) => {
    await patch([set(name, mutable[name])]);
    expect((await patch([set(name)])).status).toBe(202);
    await changes.settled(cluster);
    expect((await changes.row(cluster))[name]).toEqual(value);
    expect(desiredValue(name)).toEqual(value);
  });

  test.each([...essential])('%s cannot be taken away, since nodes need one', async (name) => {
    const answer = await patch([set(name)]);
    expect(answer.status).toBe(400);
    expect(detail(answer)).toMatch(/is missing/);
    expect((await changes.row(cluster))['status']).toBe('CREATE_COMPLETE');
  });

  test.each(Object.keys(immutable))('%s may be repeated as it is', async (name) => {
    const { cluster: before } = await changes.shown(cluster);
    expect((await patch([set(name, before[name] ?? null)])).status).toBe(202);
  });
});

describe('refused of a cluster', () => {
  test.each(Object.entries(immutable))(
    '%s is refused with its name and what to do instead',
    async (name, value) => {
      const answer = await patch([set(name, value)]);
      const instead = clusterSpec.find((attribute) => attribute.name === name)?.instead;
      expect(instead).toBeTruthy();
      expect([answer.status, detail(answer)]).toEqual([
        409,
        `${name} cannot be changed after creation. ${instead}`,
      ]);
      expect((await changes.row(cluster))['status']).toBe('CREATE_COMPLETE');
    },
  );

  const notSpec = named(
    clusterAttributes.attributes,
    ({ name, mutability }) => mutability === undefined && name !== 'nodegroups',
  );

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

  test('does not include its groups, which have routes of their own', async () => {
    const answer = await patch([set('nodegroups', [])]);
    expect(answer.status).toBe(409);
    expect(detail(answer)).toContain(`/v1/clusters/${cluster}/nodegroups`);
  });
});

describe('a patch with several mistakes', () => {
  test('is told all of them, and nothing is changed', async () => {
    const before = await changes.row(cluster);
    const answer = await patch([
      set('name', 'x'),
      set('apiserver_port', 1234),
      set('flavor_id', 'nowhere'),
      set('keypair', 'nobodys'),
      set('docker_volume_size', 'big'),
      set('master_count', 2),
      set('volume_driver', 'floppy'),
      set('nodegroups', []),
      set('http_proxy', 'http://fine.example.com'),
    ]);
    expect(answer.status).toBe(400);
    for (const part of [
      'name cannot',
      'apiserver_port cannot',
      'nowhere',
      'nobodys',
      'docker_volume_size',
      'even number',
      'floppy',
      'nodegroups',
    ])
      expect(detail(answer)).toContain(part);
    expect(await changes.row(cluster)).toEqual(before);
  });

  test('that are all immutable attributes is a conflict', async () => {
    const answer = await patch([set('name', 'x'), set('tls_disabled', true)]);
    expect(answer.status).toBe(409);
    expect(detail(answer)).toMatch(/name cannot be changed.*tls_disabled cannot be changed/);
  });
});

describe('what a cluster says of nodes', () => {
  beforeEach(async () => {
    await fresh();
    const own = { image_id: 'fedora-atomic-f23-dib', flavor_id: 'm1.large', labels: { own: 'yes' } };
    for (const body of [{ name: 'follower' }, { name: 'own', ...own }]) {
      await changes.send('POST', `/clusters/${cluster}/nodegroups`, body);
    }
    await changes.settled(cluster);
  });

  const inherited: [string, unknown][] = ['image_id', 'flavor_id', 'labels'].map((name) => [
    name,
    mutable[name],
  ]);

  test.each(inherited)(
    'as %s reaches the default group and those that follow, and no others',
    async (name, value) => {
      const { groups: before } = await changes.shown(cluster);
      const release = changes.recorded.driver.hold('apply');
      await patch([set(name, value)]);
      const { groups } = await changes.shown(cluster);
      expect(groups['default-worker'][name]).toEqual(value);
      expect(groups.follower).toMatchObject({ [name]: value, status: 'UPDATE_IN_PROGRESS' });
      expect(groups.own).toMatchObject({ [name]: before.own[name], status: before.own.status });
      release();
      await changes.settled(cluster);
      expect(changes.desiredGroup(cluster, 'follower')[asDriversSay(name)]).toEqual(value);
    },
  );

  test('as the flavor of masters reaches the control plane alone', async () => {
    await patch([set('master_flavor_id', 'm1.large')]);
    const { groups } = await changes.shown(cluster);
    expect(groups['default-master'].flavor_id).toBe('m1.large');
    expect(groups['default-worker'].flavor_id).toBe('m1.small');
    expect(groups.follower.flavor_id).toBe('m1.small');
  });

  test('as a volume for containers reaches the two default groups, as in Magnum', async () => {
    await patch([set('docker_volume_size', 30)]);
    const { groups } = await changes.shown(cluster);
    const sizes = Object.entries(groups).map(([name, group]) => [
      name,
      (group as Record<string, unknown>)['docker_volume_size'],
    ]);
    expect(Object.fromEntries(sizes)).toEqual({
      'default-master': 30,
      'default-worker': 30,
      follower: null,
      own: null,
    });
  });

  test('wins over a default group that had something else, even if the cluster itself already said it', async () => {
    await changes.extended('PATCH', `/clusters/${cluster}/nodegroups/default-worker`, [
      set('flavor_id', 'm1.large'),
    ]);
    expect((await changes.shown(cluster)).groups['default-worker'].flavor_id).toBe('m1.large');
    await patch([set('flavor_id', 'm1.small')]);
    expect((await changes.shown(cluster)).groups['default-worker'].flavor_id).toBe('m1.small');
  });

  test('as an image says which system runs on it', async () => {
    const answer = await patch([set('image_id', 'fedora-coreos')]);
    expect(answer.status).toBe(400);
    expect(detail(answer)).toContain("('vm', 'fedora-coreos', 'kubernetes') is not supported");
    await patch([set('image_id', 'ubuntu-kube-v1.32')]);
    expect((await changes.shown(cluster)).cluster.cluster_distro).toBe('ubuntu');
  });

  test('as a version must be what the images hold and what all groups can join', async () => {
    const both = [set('kubernetes_version', 'v1.32.1'), set('image_id', 'ubuntu-kube-v1.32')];
    // A group that says no version would be given this one, whatever image it has.
    expect(detail(await patch(both))).toContain('kubernetes_version of own is v1.32.1, but the image');
    await changes.extended('PATCH', `/clusters/${cluster}/nodegroups/own`, [
      set('kubernetes_version', 'v1.31.4'),
    ]);
    expect((await patch(both)).status).toBe(202);
    const older = await patch([set('kubernetes_version', 'v1.30.0')]);
    expect(older.status).toBe(400);
    expect(detail(older)).toContain('holds v1.32.1');
    expect(detail(older)).toContain('kubernetes_version of own: nodes of v1.31.4 are newer');
  });

  test('as single labels changes those and keeps the others', async () => {
    await patch([set('labels', { a: '1', b: '2' })]);
    await patch([set('labels/a', '3'), set('labels/c', 4), set('labels/b')]);
    expect((await changes.shown(cluster)).groups.follower.labels).toEqual({ a: '3', c: '4' });
  });
});

describe('numbers of nodes', () => {
  beforeEach(fresh);

  test('are kept within the bounds of the default group', async () => {
    await changes.extended('PATCH', `/clusters/${cluster}/nodegroups/default-worker`, [
      set('max_node_count', 3),
    ]);
    const answer = await patch([set('node_count', 4)]);
    expect([400, 409]).toContain(answer.status);
    expect(detail(answer)).toContain('node_count (4) should be less or equal to max_node_count (3)');
  });

  test('beyond a bound that was broken before stand in the way of nothing else', async () => {
    await changes.extended('PATCH', `/clusters/${cluster}/nodegroups/default-worker`, [
      set('max_node_count', 3),
    ]);
    // Magnum's own PATCH minds no bounds.
    expect((await changes.send('PATCH', `/clusters/${cluster}`, [set('node_count', 5)])).status).toBe(202);
    expect((await patch([set('create_timeout', 5)])).status).toBe(202);
  });

  test('of masters beyond one need a load balancer', async () => {
    const alone = await changes.cluster({ master_lb_enabled: false });
    const answer = await patch([set('master_count', 3)], `/clusters/${alone}`);
    expect([answer.status, detail(answer)]).toEqual([
      400,
      'master_count must be 1 when master_lb_enabled is False',
    ]);
  });

  test('of none need a microversion that knows them', async () => {
    const answer = await changes.recorded.service.request(
      'demo',
      'PATCH',
      `/v1/clusters/${cluster}`,
      [set('node_count', 0)],
      {
        'content-type': 'application/vnd.jeroboam.v1+json',
        'openstack-api-version': 'container-infra 1.9',
      },
    );
    expect(detail(answer)).toContain('zero is not supported');
    expect((await patch([set('node_count', 0)])).status).toBe(202);
  });
});

describe('a control plane alone', () => {
  beforeEach(async () => {
    cluster = await changes.cluster({ nodegroups: [] });
  });

  const counting: [string, () => Promise<TestAnswer>][] = [
    ['PATCH in the extension type', () => patch([set('node_count', 2)])],
    ["PATCH of Magnum's", () => changes.send('PATCH', `/clusters/${cluster}`, [set('node_count', 2)])],
    ['resize', () => changes.send('POST', `/clusters/${cluster}/actions/resize`, { node_count: 2 })],
  ];

  test.each(counting)('has no default workers to count for a %s, which says so', async (_way, request) => {
    const answer = await request();
    expect(answer.status).toBe(404);
    expect(detail(answer)).toContain('has no node group default-worker');
  });

  test('changes all else', async () => {
    expect((await patch([set('flavor_id', 'm1.large'), set('master_count', 3)])).status).toBe(202);
    expect((await changes.settled(cluster)).body).toMatchObject({
      flavor_id: 'm1.large',
      master_count: 3,
      node_count: 0,
    });
    const unknown = await patch([set('flavor_id', 'nowhere')]);
    expect(detail(unknown)).toContain('Unable to find flavor nowhere');
  });

  test('is upgraded through its masters', async () => {
    const answer = await changes.send('POST', `/clusters/${cluster}/actions/upgrade`, {
      cluster_template: await newerTemplate(),
    });
    expect(answer.status).toBe(202);
    await changes.settled(cluster);
    expect(changes.desiredGroup(cluster, 'default-master')['imageId']).toBe('ubuntu-kube-v1.32');
  });
});

describe('an upgrade', () => {
  test('moves every group that boots the image of the cluster, and leaves the version to the new image', async () => {
    cluster = await changes.cluster({
      kubernetes_version: 'v1.31.4',
      nodegroups: [
        { name: 'default-worker' },
        { name: 'follower' },
        { name: 'own', image_id: 'fedora-atomic-f23-dib' },
      ],
    });
    const answer = await changes.send('POST', `/clusters/${cluster}/actions/upgrade`, {
      cluster_template: await newerTemplate(),
    });
    expect(answer.status).toBe(202);
    await changes.settled(cluster);
    const { cluster: shown, groups } = await changes.shown(cluster);
    const newer = { image_id: 'ubuntu-kube-v1.32', kubernetes_version: null };
    for (const moved of [shown, groups['default-master'], groups['default-worker'], groups.follower])
      expect(moved).toMatchObject(newer);
    expect(groups.own).toMatchObject({ image_id: 'fedora-atomic-f23-dib', kubernetes_version: 'v1.31.4' });
  });
});

describe('groups that came with the cluster', () => {
  test('all bear the name of its stack, those added later none', async () => {
    const made = await changes.cluster({ nodegroups: [{ name: 'gpu' }] });
    await changes.send('POST', `/clusters/${made}/nodegroups`, { name: 'later' });
    await changes.settled(made);
    const { cluster: shown, groups } = await changes.shown(made);
    expect(shown.cluster_id).toMatch(/-stack$/);
    expect(groups['default-master'].stack_id).toBe(shown.cluster_id);
    expect(groups.gpu.stack_id).toBe(shown.cluster_id);
    expect(groups.later.stack_id).toBeNull();
  });
});

describe("Magnum's own PATCH", () => {
  const extensions = named(clusterSpec, ({ extension }) => extension === true);

  test.each(extensions)('knows no attribute %s', async (name) => {
    const answer = await changes.send('PATCH', `/clusters/${cluster}`, [set(name, 'x')]);
    expect(answer.status).toBe(400);
    expect(detail(answer)).toContain(`can't replace a non-existent object '${name}'`);
    const added = await changes.send('PATCH', `/clusters/${cluster}`, [
      { op: 'add', path: `/${name}`, value: 'x' },
    ]);
    expect(detail(added)).toBe(`Adding a new attribute /${name} to the root of the resource is not allowed.`);
  });

  test('still changes nothing but the number of workers', async () => {
    const answer = await changes.send('PATCH', `/clusters/${cluster}`, [set('flavor_id', 'm1.large')]);
    expect(detail(answer)).toBe('cannot change cluster property(ies) flavor_id.');
  });
});

describe('who may change a cluster', () => {
  beforeEach(fresh);

  const flavor = [set('flavor_id', 'm1.large')];

  test('is not somebody of another project, for whom there is none', async () => {
    expect((await changes.extended('PATCH', `/clusters/${cluster}`, flavor, 'bob')).status).toBe(404);
  });

  test('is not a reader', async () => {
    expect((await changes.extended('PATCH', `/clusters/${cluster}`, flavor, 'reader')).status).toBe(403);
    expect((await changes.row(cluster))['flavor_id']).toBe('m1.small');
  });

  test('is nobody once it is being deleted', async () => {
    changes.recorded.driver.finishing = false;
    await changes.send('DELETE', `/clusters/${cluster}`);
    const answer = await patch(flavor);
    expect([answer.status, detail(answer)]).toEqual([
      400,
      'Updating a cluster when status is "DELETE_IN_PROGRESS" is not supported.',
    ]);
    const dry = await patch(flavor, `/clusters/${cluster}?dry_run=true`);
    expect(dry.body.refusals).toMatchObject([{ status: 400, message: detail(answer) }]);
    changes.recorded.driver.finishing = true;
    await changes.send('DELETE', `/clusters/${cluster}`);
    expect((await changes.settled(cluster)).status).toBe(404);
  });
});

describe('a dry run', () => {
  beforeEach(fresh);

  test('shows the cluster as it would be and where that comes from, and writes nothing', async () => {
    const before = await changes.row(cluster);
    const answer = await patch(
      [set('flavor_id', 'm1.large'), set('master_count', 3)],
      `/clusters/${cluster}?dry_run=true`,
    );
    expect(answer.status).toBe(200);
    const own = { kind: 'cluster', uuid: cluster, name: before['name'] };
    expect(answer.body).toMatchObject({
      refusals: [],
      resource: {
        uuid: cluster,
        flavor_id: 'm1.large',
        master_count: 3,
        nodegroups: [
          { name: 'default-master', node_count: 3, flavor_id: 'm1.small' },
          { name: 'default-worker', flavor_id: 'm1.large' },
        ],
      },
      origins: {
        flavor_id: { kind: 'request' },
        master_count: { kind: 'request' },
        image_id: own,
        nodegroups: {
          'default-worker': {
            flavor_id: { kind: 'request' },
            image_id: { kind: 'nodegroup', name: 'default-worker' },
          },
        },
      },
    });
    expect(Object.keys(answer.body.resource)).toEqual(
      expect.arrayContaining(clusterSpec.map(({ name }) => name)),
    );
    expect(await changes.row(cluster)).toEqual(before);
  });

  test('tells what would be refused', async () => {
    const { status, body } = await patch(
      [set('name', 'x'), set('flavor_id', 'nowhere')],
      `/clusters/${cluster}?dry_run=true`,
    );
    expect(status).toBe(200);
    expect(body.refusals).toMatchObject([
      { field: 'name', status: 409 },
      { field: 'flavor_id', status: 400 },
    ]);
  });

  test("is there for Magnum's own PATCH as well", async () => {
    const before = await changes.row(cluster);
    const path = `/clusters/${cluster}?dry_run=true`;
    const counted = await changes.send('PATCH', path, [set('node_count', 7)]);
    expect(counted.body).toMatchObject({
      resource: { node_count: 7, nodegroups: [{ node_count: 1 }, { name: 'default-worker', node_count: 7 }] },
      origins: { node_count: { kind: 'request' } },
      refusals: [],
    });
    const healthy = await changes.send('PATCH', path, [
      { op: 'add', path: '/health_status', value: 'UNHEALTHY' },
    ]);
    expect(healthy.body.resource.health_status).toBe('UNHEALTHY');
    const refused = await changes.send('PATCH', path, [set('flavor_id', 'm1.large')]);
    expect(refused.body.refusals).toMatchObject([{ field: 'flavor_id', status: 400 }]);
    expect(await changes.row(cluster)).toEqual(before);
  });
});
