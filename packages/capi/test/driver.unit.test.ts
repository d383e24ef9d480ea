import { describe, expect, test } from 'vitest';
import { plainCluster, plainGroup } from '../../domain/test/driver-conformance/desired.ts';
import { ClusterApiDriver } from '../src/driver.ts';
import { inMemoryInfrastructure } from '../src/infrastructure/in-memory.ts';
import { remembered } from '../src/versions/remembered.ts';
import { wantedVersions } from '../src/versions/wanted.ts';

const open = (imageVersion: string | null = null): ClusterApiDriver =>
  new ClusterApiDriver({
    name: 'k8s_cluster_api_v1',
    infrastructure: inMemoryInfrastructure(),
    imageVersion: () => Promise.resolve(imageVersion),
  });

const asked = { verb: 'UPDATE', nodesToRemove: [], maxBatchSize: null, working: true } as const;

describe('a driver without a management cluster', () => {
  test('says that there is none, and then why', () => {
    const driver = open();
    expect(driver.availability()).toStrictEqual({
      ready: false,
      reason: 'No management cluster is connected yet.',
    });
    driver.unavailable('It is being built.');
    expect(driver.availability()).toStrictEqual({ ready: false, reason: 'It is being built.' });
  });

  test('fails what is asked of it as something that passes', async () => {
    const cluster = plainCluster({ stackId: 'some-abcdefghijkl' });
    await expect(open().observeCluster(cluster, asked)).rejects.toMatchObject({ status: 503 });
    await expect(open().deleteCluster(cluster)).rejects.toMatchObject({ kind: 'cloud_unavailable' });
  });

  test('still refuses what its own rules refuse', async () => {
    const after = plainCluster({ kubernetesVersion: 'v1.99.0' });
    expect(await open().refusals({ before: null, after })).toHaveLength(2);
    expect(await open().refusals({ before: null, after: plainCluster() })).toStrictEqual([]);
  });

  test('draws a name, and knows nothing of a cluster without one', async () => {
    const cluster = plainCluster({ name: 'Ein Name' });
    expect((await open().prepareCluster(cluster)).stackId).toMatch(/^ein-name-[a-z0-9]{12}$/);
    expect((await open().observeCluster(cluster, asked)).phase).toBe('ABSENT');
  });
});

describe('the size of a control plane', () => {
  test('is one, three, five or seven', () => {
    const driver = open();
    const fits = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter(
      (size) => driver.validateMasterResize(size) === null,
    );
    expect(fits).toStrictEqual([1, 3, 5, 7]);
    expect(driver.validateMasterSize(4)).toBe(
      'master nodegroup size of 4 is invalid, size cannot be an even number.',
    );
    expect(driver.validateMasterSize(9)).toBe(
      'master nodegroup size of 9 is invalid, size cannot be above 7.',
    );
  });
});

describe('the version of a group', () => {
  const none = (): null => null;
  const from = async (
    cluster: Parameters<typeof plainCluster>[0],
    group: Parameters<typeof plainGroup>[1],
    image: string | null = 'v1.31.4',
  ): Promise<string | undefined> => {
    const whole = plainCluster({ ...cluster, nodeGroups: [plainGroup('default-worker', group)] });
    return (await wantedVersions(whole, () => Promise.resolve(image), none)).get('default-worker');
  };

  test('is its own, else the cluster’s, else the label’s, else the image’s', async () => {
    const labels = { kube_tag: 'v1.33.6' };
    expect(await from({ kubernetesVersion: 'v1.34.2', labels }, { kubernetesVersion: '1.35.4' })).toBe(
      'v1.35.4',
    );
    expect(await from({ kubernetesVersion: 'v1.34.2', labels }, {})).toBe('v1.34.2');
    expect(await from({ kubernetesVersion: null, labels }, {})).toBe('v1.33.6');
    expect(await from({ kubernetesVersion: null }, {})).toBe('v1.31.4');
  });

  test('that nothing says is what it runs already, or a failure in words', async () => {
    const whole = plainCluster({ kubernetesVersion: null });
    const image = (): Promise<null> => Promise.resolve(null);
    expect((await wantedVersions(whole, image, () => 'v1.32.1')).get('default-master')).toBe('v1.32.1');
    await expect(wantedVersions(whole, image, none)).rejects.toThrow(
      'no Kubernetes version: the image ubuntu-kube-v1.35 of node group default-master has no property kube_version',
    );
  });
});

test('an image is asked once a minute, and again where it said nothing', async () => {
  const asked: string[] = [];
  let time = 0;
  const versions: Record<string, string> = { known: 'v1.35.4' };
  const ask = remembered(
    (image) => {
      asked.push(image);
      return Promise.resolve(versions[image] ?? null);
    },
    () => time,
  );
  await ask('known');
  await ask('silent');
  expect([await ask('known'), await ask('silent')]).toStrictEqual(['v1.35.4', null]);
  expect(asked).toStrictEqual(['known', 'silent', 'silent']);
  time = 60_000;
  await ask('known');
  expect(asked).toHaveLength(4);
});
