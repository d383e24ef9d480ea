import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settled } from '../support/clusters.ts';
import { startRecordedService, type RecordedService } from './support/recorded-service.ts';

let recorded: RecordedService;

beforeAll(async () => {
  recorded = await startRecordedService({
    change: (options) => ({ ...options, maxClustersPerProject: 100 }),
  });
});
afterAll(() => recorded.service.close());

const resize = (cluster: string, body: Record<string, unknown>) =>
  recorded.service.request('demo', 'POST', `/v1/clusters/${cluster}/actions/resize`, body);

const groupsOf = async (cluster: string): Promise<Record<string, unknown>[]> => {
  const answer = await recorded.service.request('demo', 'GET', `/v1/clusters/${cluster}/nodegroups`);
  return answer.body.nodegroups;
};

describe('operations on one cluster', () => {
  test('are carried out in the order accepted, and none is lost while a slow driver works', async () => {
    const { service, driver, accept } = recorded;
    const cluster = await accept('queue');
    await settled(service, 'demo', cluster);
    const release = driver.hold('apply');
    for (const size of [2, 3, 4, 5, 6]) {
      expect((await resize(cluster, { node_count: size, nodes_to_remove: [`node-${size}`] })).status).toBe(
        202,
      );
    }
    const group = { name: 'more', node_count: 2 };
    expect((await service.request('demo', 'POST', `/v1/clusters/${cluster}/nodegroups`, group)).status).toBe(
      202,
    );
    await driver.wasAsked('apply', cluster);
    release();
    const end = await settled(service, 'demo', cluster);
    expect(end.body).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 8, status_reason: null });

    const applied = driver.deeds(cluster).filter(({ method }) => method === 'apply');
    expect(applied).toHaveLength(6);
    expect(applied.at(-1)?.sizes).toEqual({ 'default-master': 1, 'default-worker': 6, more: 2 });
    // Every node that was named is told at the latest with the size that it was named for.
    const sizes = applied.map(({ sizes: { 'default-worker': size } }) => size ?? 0);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    for (const size of [2, 3, 4, 5, 6]) {
      const first = applied.find((call) => (call.sizes['default-worker'] ?? 0) >= size);
      const told = applied
        .slice(0, applied.indexOf(first ?? applied[0]!) + 1)
        .flatMap((call) => call.nodesToRemove);
      expect(told).toContain(`node-${size}`);
    }
  });

  test('show as under way from the answer until the last of them is done', async () => {
    const { service, driver, accept } = recorded;
    const cluster = await accept('under-way');
    await settled(service, 'demo', cluster);
    const release = driver.hold('apply');
    await resize(cluster, { node_count: 2 });
    await resize(cluster, { node_count: 3 });
    const seen = new Set<string>();
    const look = async (): Promise<string> => {
      const { body } = await service.request('demo', 'GET', `/v1/clusters/${cluster}`);
      seen.add(body.status);
      return body.status;
    };
    await look();
    release();
    while ((await look()) !== 'UPDATE_COMPLETE') expect(seen).toEqual(new Set(['UPDATE_IN_PROGRESS']));
    expect(driver.deeds(cluster).filter(({ method }) => method === 'apply')).toHaveLength(2);
  });

  test('are never handed to the driver two at a time, while different clusters go side by side', async () => {
    const { service, driver, accept } = recorded;
    const release = driver.hold('create');
    const clusters = await Promise.all(['side-1', 'side-2', 'side-3', 'side-4'].map((name) => accept(name)));
    for (const cluster of clusters) await driver.wasAsked('create', cluster);
    expect(driver.atOnce.all).toBeGreaterThanOrEqual(4);
    await Promise.all(clusters.map((cluster) => resize(cluster, { node_count: 3 })));
    release();
    for (const cluster of clusters) {
      expect((await settled(service, 'demo', cluster)).body).toMatchObject({
        status: 'CREATE_COMPLETE',
        node_count: 3,
      });
    }
    expect(driver.atOnce.oneCluster).toBe(1);
  });

  test('that come while the driver is being looked at are not overwritten by what it showed', async () => {
    const { service, driver, accept } = recorded;
    const cluster = await accept('overlap');
    await settled(service, 'demo', cluster);
    const group = { name: 'short-lived', node_count: 1 };
    await service.request('demo', 'POST', `/v1/clusters/${cluster}/nodegroups`, group);
    await settled(service, 'demo', cluster);

    driver.finishing = false;
    driver.asked.length = 0;
    const release = driver.hold('observe');
    await resize(cluster, { node_count: 2 });
    await driver.wasAsked('observe', cluster);
    const gone = await service.request('demo', 'DELETE', `/v1/clusters/${cluster}/nodegroups/short-lived`);
    expect(gone.status).toBe(204);
    release();
    // It is looked at again and again while in progress; the deletion stays accepted all the time.
    driver.asked.length = 0;
    await driver.wasAsked('observe', cluster);
    expect((await groupsOf(cluster)).find(({ name }) => name === 'short-lived')?.['status']).toBe(
      'DELETE_IN_PROGRESS',
    );
    driver.finishing = true;
    expect((await settled(service, 'demo', cluster)).body.status).toBe('UPDATE_COMPLETE');
    expect((await groupsOf(cluster)).map(({ name }) => name)).toEqual(['default-master', 'default-worker']);
  });
});

describe('deleting a cluster', () => {
  test('wins over everything that was accepted before it, and can be asked again', async () => {
    const { service, driver, accept } = recorded;
    const cluster = await accept('doomed');
    await settled(service, 'demo', cluster);
    const release = driver.hold('apply');
    for (const size of [2, 3, 4]) await resize(cluster, { node_count: size });
    await driver.wasAsked('apply', cluster);
    for (let time = 0; time < 3; time += 1) {
      expect((await service.request('demo', 'DELETE', `/v1/clusters/${cluster}`)).status).toBe(204);
    }
    const { body } = await service.request('demo', 'GET', `/v1/clusters/${cluster}`);
    expect(body.status).toBe('DELETE_IN_PROGRESS');
    expect((await groupsOf(cluster)).every(({ status }) => status === 'DELETE_IN_PROGRESS')).toBe(true);
    release();
    expect((await settled(service, 'demo', cluster)).status).toBe(404);
    const deeds = driver.deeds(cluster).map(({ method }) => method);
    // The change that had begun was finished, the others were pointless.
    expect(deeds.filter((method) => method === 'apply')).toHaveLength(1);
    expect(deeds.at(-1)).toBe('delete');
    expect(driver.clusters.has(cluster)).toBe(false);
  });

  test('wins over its own creation, of which nothing is left', async () => {
    const { service, driver, accept } = recorded;
    const release = driver.hold('create');
    const cluster = await accept('unborn');
    await driver.wasAsked('create', cluster);
    expect((await service.request('demo', 'DELETE', `/v1/clusters/${cluster}`)).status).toBe(204);
    release();
    expect((await settled(service, 'demo', cluster)).status).toBe(404);
    expect(driver.clusters.has(cluster)).toBe(false);
    expect(driver.deeds(cluster).map(({ method }) => method)).toEqual(['prepare', 'create', 'delete']);
  });

  test('refuses at once what can no longer be done', async () => {
    const { service, driver, accept } = recorded;
    const cluster = await accept('going');
    await settled(service, 'demo', cluster);
    const release = driver.hold('delete');
    await service.request('demo', 'DELETE', `/v1/clusters/${cluster}`);
    const late = await resize(cluster, { node_count: 2 });
    expect(late.status).toBe(400);
    expect(late.body.errors[0].detail).toBe(
      'Resizing a cluster when status is "DELETE_IN_PROGRESS" is not supported.',
    );
    const patch = [{ op: 'replace', path: '/node_count', value: 2 }];
    expect((await service.request('demo', 'PATCH', `/v1/clusters/${cluster}`, patch)).status).toBe(400);
    release();
    expect((await settled(service, 'demo', cluster)).status).toBe(404);
  });
});
