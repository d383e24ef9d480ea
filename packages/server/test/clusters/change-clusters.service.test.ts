import { clusterAttributes, clusterSpec } from '@jeroboam/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
    expect(answer.status).toBe(409);
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
