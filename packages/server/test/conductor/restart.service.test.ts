import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type Server } from '../../src/server.ts';
import { settled } from '../support/clusters.ts';
import { startRecordedService, type RecordedService } from './support/recorded-service.ts';

let recorded: RecordedService;

beforeAll(async () => {
  recorded = await startRecordedService();
});
afterAll(() => recorded.service.close());

const resize = (cluster: string, size: number) =>
  recorded.service.request('demo', 'POST', `/v1/clusters/${cluster}/actions/resize`, { node_count: size });

describe('a server that is restarted', () => {
  test('finishes what was in progress, and what was queued behind it', async () => {
    const { service, driver, accept } = recorded;
    driver.finishing = false;
    const cluster = await accept('interrupted');
    await driver.wasAsked('observe', cluster);
    await resize(cluster, 4);
    await service.restart();
    expect((await service.request('demo', 'GET', `/v1/clusters/${cluster}`)).body.status).toBe(
      'CREATE_IN_PROGRESS',
    );
    driver.finishing = true;
    expect((await settled(service, 'demo', cluster)).body).toMatchObject({
      status: 'CREATE_COMPLETE',
      node_count: 4,
    });
    // What was begun before is not begun again; what waited is.
    expect(driver.deeds(cluster).map(({ method }) => method)).toEqual(['prepare', 'create', 'create']);
  });

  test('finishes a deletion', async () => {
    const { service, driver, accept } = recorded;
    const cluster = await accept('half-deleted');
    await settled(service, 'demo', cluster);
    driver.finishing = false;
    await service.request('demo', 'DELETE', `/v1/clusters/${cluster}`);
    await driver.wasAsked('delete', cluster);
    await service.restart();
    driver.finishing = true;
    expect((await settled(service, 'demo', cluster)).status).toBe(404);
    expect(driver.clusters.has(cluster)).toBe(false);
  });

  test('waits for the step that runs, so that its result is not lost', async () => {
    const { service, driver, accept } = recorded;
    const release = driver.hold('create');
    const cluster = await accept('waited-for');
    await driver.wasAsked('create', cluster);
    const restarted = service.restart();
    release();
    await restarted;
    expect((await settled(service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
    expect(driver.deeds(cluster).filter(({ method }) => method === 'create')).toHaveLength(1);
  });
});

describe('two servers on one database', () => {
  test('carry each operation out once, never two of a cluster at a time, and end where they should', async () => {
    const { service, driver, accept } = recorded;
    const second: Server = await createServer({ ...service.options, hostname: 'conductor-2' });
    await second.listen();
    try {
      driver.atOnce.oneCluster = 0;
      const clusters = await Promise.all(
        ['twin-1', 'twin-2', 'twin-3', 'twin-4'].map((name) => accept(name)),
      );
      for (const size of [2, 3, 4]) await Promise.all(clusters.map((cluster) => resize(cluster, size)));
      const [deleted = '', ...kept] = clusters;
      await service.request('demo', 'DELETE', `/v1/clusters/${deleted}`);
      for (const cluster of kept) {
        const { body } = await settled(service, 'demo', cluster);
        expect(body.status).toMatch(/^(CREATE|UPDATE)_COMPLETE$/);
        expect(body.node_count).toBe(4);
        expect(driver.clusters.get(cluster)?.nodeGroups.map(({ nodeCount }) => nodeCount)).toEqual([1, 4]);
        const deeds = driver.deeds(cluster).filter(({ method }) => method === 'create' || method === 'apply');
        expect(deeds).toHaveLength(4);
      }
      expect((await settled(service, 'demo', deleted)).status).toBe(404);
      expect(driver.clusters.has(deleted)).toBe(false);
      expect(driver.deeds(deleted).at(-1)?.method).toBe('delete');
      expect(driver.atOnce.oneCluster).toBe(1);
    } finally {
      await second.close();
    }
  });

  test('both show up in the list of services', async () => {
    const { body } = await recorded.service.request('admin', 'GET', '/v1/mservices');
    const hosts = body.mservices.map(({ host }: { host: string }) => host);
    expect(hosts).toEqual(['conductor-1', 'conductor-2']);
  });
});
