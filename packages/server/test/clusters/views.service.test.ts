import { clusterSpec, nodeGroupSpec } from '@jeroboam/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Changes, extensionType } from './support/changes.ts';

let changes: Changes;
let cluster: string;
let alone: string;

beforeAll(async () => {
  changes = await Changes.start();
  cluster = await changes.cluster({
    labels: { a: 'b' },
    nodegroups: [
      { name: 'default-worker', node_count: 2 },
      { name: 'gpu', node_count: 3, availability_zones: ['az1'] },
    ],
  });
  alone = await changes.cluster({ nodegroups: [] });
});
afterAll(() => changes.close());

const specNames = clusterSpec.map(({ name }) => name);
const beyond = clusterSpec.filter(({ extension }) => extension === true).map(({ name }) => name);

describe('a cluster shown whole', () => {
  test('is what Magnum shows, with every attribute, its system and all its groups', async () => {
    const plain = await changes.send('GET', `/clusters/${cluster}`);
    const whole = await changes.extended('GET', `/clusters/${cluster}`);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, extensionType]);
    expect(whole.headers.get('vary')).toContain('Accept');
    expect(whole.body).toMatchObject(plain.body);
    expect(Object.keys(whole.body).toSorted()).toEqual(
      [...new Set([...Object.keys(plain.body), ...specNames, 'cluster_distro', 'nodegroups'])].toSorted(),
    );
    expect(whole.body).toMatchObject({
      cluster_distro: 'ubuntu',
      image_id: 'ubuntu-kube-v1.31',
      driver: 'recording',
      node_count: 5,
      master_count: 1,
    });
  });

  test('shows its groups as they are shown alone, in the order in which they were made', async () => {
    const { body } = await changes.extended('GET', `/clusters/${cluster}`);
    expect(body.nodegroups.map(({ name }: { name: string }) => name)).toEqual([
      'default-master',
      'default-worker',
      'gpu',
    ]);
    for (const group of body.nodegroups) {
      const single = await changes.extended('GET', `/clusters/${cluster}/nodegroups/${group.uuid}`);
      expect(group).toEqual(single.body);
      expect(Object.keys(group)).toEqual(expect.arrayContaining(nodeGroupSpec.map(({ name }) => name)));
    }
  });

  test('may have a control plane and nothing else', async () => {
    const { body } = await changes.extended('GET', `/clusters/${alone}`);
    expect(body.nodegroups).toHaveLength(1);
    expect(body).toMatchObject({ node_count: 0, master_count: 1, node_addresses: [] });
  });

  test('is not there for another project', async () => {
    expect((await changes.extended('GET', `/clusters/${cluster}`, undefined, 'bob')).status).toBe(404);
  });

  test('tells the faults of a cluster that failed', async () => {
    changes.recorded.driver.fail('apply', 'no more machines');
    const failing = await changes.cluster();
    await changes.send('POST', `/clusters/${failing}/actions/resize`, { node_count: 2 });
    await changes.settled(failing);
    const plain = await changes.send('GET', `/clusters/${failing}`);
    const whole = await changes.extended('GET', `/clusters/${failing}`);
    expect(whole.body.faults).toEqual(plain.body.faults);
    expect(whole.body.faults).toEqual({ 'default-worker': 'no more machines' });
  });
});

describe('a list of clusters in detail', () => {
  test('shows every attribute and no groups to those who accept the extensions', async () => {
    const path = '/clusters/detail?limit=2&sort_key=id';
    const plain = await changes.send('GET', path);
    const whole = await changes.extended('GET', path);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, extensionType]);
    expect(whole.body).toMatchObject(plain.body);
    for (const [index, shown] of whole.body.clusters.entries()) {
      expect(Object.keys(shown).toSorted()).toEqual(
        [...new Set([...Object.keys(plain.body.clusters[index]), ...specNames, 'cluster_distro'])].toSorted(),
      );
    }
  });

  test.each(['', '/detail'])("shows Magnum's clients no more than before at /clusters%s", async (path) => {
    const { headers, body } = await changes.send('GET', `/clusters${path}`);
    expect(headers.get('content-type')).toBe('application/json');
    for (const shown of body.clusters)
      expect(Object.keys(shown).filter((name) => beyond.includes(name))).toEqual([]);
  });
});
