import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTemplate } from '../support/clusters.ts';
import type { TestAnswer } from '../support/test-service.ts';
import { asDriversSay, Changes, detail, set } from './support/changes.ts';

let changes: Changes;
let cluster: string;

beforeAll(async () => {
  changes = await Changes.start();
});
afterAll(() => changes.close());
beforeEach(async () => {
  cluster = await changes.cluster();
});

const patch = (operations: unknown, path = `/clusters/${cluster}`) =>
  changes.extended('PATCH', path, operations);

const newerTemplate = (): Promise<string> =>
  makeTemplate(changes.recorded.service, 'demo', { image_id: 'ubuntu-kube-v1.32', driver: 'recording' });

describe('what a cluster says of nodes', () => {
  beforeEach(async () => {
    const own = { image_id: 'fedora-atomic-f23-dib', flavor_id: 'm1.large', labels: { own: 'yes' } };
    for (const body of [{ name: 'follower' }, { name: 'own', ...own }]) {
      await changes.send('POST', `/clusters/${cluster}/nodegroups`, body);
    }
    await changes.settled(cluster);
  });

  const inherited: [string, unknown][] = [
    ['image_id', 'ubuntu-kube-v1.32'],
    ['flavor_id', 'm1.medium'],
    ['labels', { monitoring_enabled: 'true' }],
  ];

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
