import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { managementClusterOfThisRun } from '../../sandbox/test/support/management-cluster.ts';
import { configMaps, KubeClient, KubeError, namespaces, type KubeObject } from '../src/index.ts';

const namespace = `objects-${randomBytes(4).toString('hex')}`;
let client: KubeClient;

beforeAll(async () => {
  client = new KubeClient(managementClusterOfThisRun().access);
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});

afterAll(async () => {
  await client.delete(namespaces, namespace);
  client.close();
});

const configMap = (
  name: string,
  data: Record<string, string>,
  labels?: Record<string, string>,
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, ...(labels === undefined ? {} : { labels }) },
  data,
});

const apply = (name: string, data: Record<string, string>, fieldManager: string, force?: boolean) =>
  client.apply(configMaps, configMap(name, data), {
    fieldManager,
    ...(force === undefined ? {} : { force }),
  });

const stored = async (name: string) => (await client.get(configMaps, name, namespace))?.data;

describe('applying to a real API server', () => {
  test('makes an object, and again changes nothing', async () => {
    const first = await apply('again', { a: '1' }, 'ours');
    const second = await apply('again', { a: '1' }, 'ours');
    expect(second.metadata.uid).toBe(first.metadata.uid);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test('leaves alone what others own, and takes back what is ours and no longer given', async () => {
    await apply('shared', { a: '1', b: '1' }, 'ours');
    await apply('shared', { theirs: '1' }, 'others');
    await apply('shared', { a: '2' }, 'ours');
    expect(await stored('shared')).toEqual({ a: '2', theirs: '1' });
  });

  test('is refused where others own a field, with both names in the words, unless it is forced', async () => {
    await apply('contested', { a: '1' }, 'others');
    const refused = await apply('contested', { a: '2' }, 'ours').catch(
      (error: unknown) => error as KubeError,
    );
    expect(refused).toBeInstanceOf(KubeError);
    expect(refused).toMatchObject({ status: 409, reason: 'Conflict', conflict: true, passing: false });
    expect((refused as KubeError).message).toMatch(/others.*\.data\.a/s);
    await apply('contested', { a: '2' }, 'ours', true);
    expect(await stored('contested')).toEqual({ a: '2' });
  });

  test('as a dry run tells what would be, and keeps nothing', async () => {
    const object = configMap('tried', { a: '1' });
    const tried = await client.apply(configMaps, object, { fieldManager: 'ours', dryRun: true });
    expect(tried.data).toEqual({ a: '1' });
    expect(await stored('tried')).toBeUndefined();
  });

  test('as a dry run is refused as the real one would be', async () => {
    const object = configMap('Not A Name', { a: '1' });
    const tried = client.apply(configMaps, object, { fieldManager: 'ours', dryRun: true });
    await expect(tried).rejects.toMatchObject({ status: 422, reason: 'Invalid' });
  });
});

describe('objects of a real API server', () => {
  test('are deleted only where they are still the ones that were meant', async () => {
    const { metadata } = await client.create(configMaps, configMap('meant', {}));
    const other = client.delete(configMaps, 'meant', namespace, { uid: 'somebody-else' });
    await expect(other).rejects.toMatchObject({ status: 409 });
    const uid = metadata.uid ?? '';
    await expect(client.delete(configMaps, 'meant', namespace, { uid })).resolves.toBe(true);
    await expect(client.delete(configMaps, 'meant', namespace, { uid })).resolves.toBe(false);
  });

  test('are patched where they are, and made only once', async () => {
    await client.create(configMaps, configMap('patched', { a: '1', b: '1' }));
    await client.mergePatch(configMaps, 'patched', namespace, { data: { b: null, c: '1' } });
    expect(await stored('patched')).toEqual({ a: '1', c: '1' });
    await expect(client.create(configMaps, configMap('patched', {}))).rejects.toMatchObject({
      status: 409,
      reason: 'AlreadyExists',
    });
  });

  test('are listed whole, whatever the size of the pages', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
    await Promise.all(names.map((name) => client.create(configMaps, configMap(name, {}, { paged: 'yes' }))));
    for (const pageSize of [1, 3, 500]) {
      const { items } = await client.list(
        configMaps,
        { namespace, labelSelector: 'paged=yes', pageSize },
        ({ metadata }) => metadata.name,
      );
      expect(items).toEqual(names);
    }
  });

  test('are not for those who show no certificate', async () => {
    const { clientCertificate, clientKey, ...anonymous } = managementClusterOfThisRun().access;
    const stranger = new KubeClient(anonymous);
    expect([clientCertificate, clientKey]).not.toContain(undefined);
    await expect(stranger.list(configMaps, { namespace })).rejects.toMatchObject({ status: 403 });
    stranger.close();
  });
});
