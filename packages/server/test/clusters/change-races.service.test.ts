import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Changes, set } from './support/changes.ts';

let changes: Changes;
let cluster: string;

beforeAll(async () => {
  changes = await Changes.start();
});
afterAll(() => changes.close());
beforeEach(async () => {
  cluster = await changes.cluster({ nodegroups: [{ name: 'default-worker' }, { name: 'gpu' }] });
});

const patch = (path: string, operations: unknown) =>
  changes.extended('PATCH', `/clusters/${cluster}${path}`, operations);

describe('changes of a cluster and of its groups at the same time', () => {
  test('never lose one another', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [of, own] =
        round % 2 === 0 ? ['ubuntu-kube-v1.32', 'm1.large'] : ['ubuntu-kube-v1.31', 'm1.medium'];
      const answers = await Promise.all([
        patch('', [set('image_id', of)]),
        patch('/nodegroups/gpu', [set('flavor_id', own)]),
        patch('/nodegroups/gpu', [set('node_count', round + 2)]),
        patch('', [set('create_timeout', round + 1)]),
        patch('', [set(`labels/round_${round}`, 'cluster')]),
        patch('/nodegroups/default-worker', [set('node_count', round + 3)]),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
      const { cluster: shown, groups } = await changes.shown(cluster);
      expect(shown).toMatchObject({
        image_id: of,
        create_timeout: round + 1,
        labels: { [`round_${round}`]: 'cluster' },
      });
      // It follows the cluster in all but what was said to it alone.
      expect(groups.gpu).toMatchObject({
        image_id: of,
        flavor_id: own,
        node_count: round + 2,
        labels: shown.labels,
      });
      expect(groups['default-worker']).toMatchObject({ image_id: of, node_count: round + 3 });
    }
  });

  test('of the same attribute end with one of them, whole', async () => {
    const images = ['ubuntu-kube-v1.32', 'fedora-atomic-f23-dib'] as const;
    const [ofCluster, ofGroup] = await Promise.all([
      patch('', [set('image_id', images[0])]),
      patch('/nodegroups/gpu', [set('image_id', images[1])]),
    ]);
    expect([ofCluster.status, ofGroup.status]).toEqual([202, 202]);
    const { groups } = await changes.shown(cluster);
    // Whichever came first: a group that was given its own image no longer follows, and one that followed was given it after.
    expect(groups.gpu.image_id).toBe(images[1]);
    expect(groups['default-worker'].image_id).toBe(images[0]);
    await changes.settled(cluster);
    expect(changes.desiredGroup(cluster, 'gpu')['imageId']).toBe(images[1]);
  });

  test('add labels one by one without dropping any', async () => {
    const keys = Array.from({ length: 8 }, (_each, index) => `key_${index}`);
    const answers = await Promise.all(keys.map((key) => patch('', [set(`labels/${key}`, 'x')])));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 202));
    expect(Object.keys((await changes.shown(cluster)).cluster.labels)).toEqual(expect.arrayContaining(keys));
  });

  test('keep to the bounds that another has just set', async () => {
    const [bound, resized] = await Promise.all([
      patch('/nodegroups/gpu', [set('max_node_count', 3)]),
      patch('/nodegroups/gpu', [set('node_count', 5)]),
    ]);
    expect([bound.status, resized.status].filter((status) => status === 202)).toHaveLength(1);
    const { gpu } = (await changes.shown(cluster)).groups;
    expect(gpu.max_node_count === null || gpu.node_count <= gpu.max_node_count).toBe(true);
  });
});
