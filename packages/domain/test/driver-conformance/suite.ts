import type {
  ClusterAuthorities,
  DesiredCluster,
  Driver,
  ObservedCluster,
  ObserveOptions,
} from '@jeroboam/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainCluster, plainGroup, withGroup } from './desired.ts';

export interface DriverUnderTest {
  driver: Driver;
  authorities(): Promise<ClusterAuthorities>;
  /** Another object for the same back end, as after the process was killed. */
  reopen(): Promise<Driver>;
  close(): Promise<void>;
}

export interface SuiteOptions {
  /** How long the back end may take for one change. */
  limitMs: number;
  /** How long to wait between looks where the driver does not say. */
  lookMs: number;
}

const asked: ObserveOptions = { verb: 'UPDATE', nodesToRemove: [], maxBatchSize: null, working: true };

/** What every driver promises the conductor; each driver's own tests call this with its own back end. */
export function describeDriver(
  name: string,
  start: () => Promise<DriverUnderTest>,
  { limitMs, lookMs }: SuiteOptions,
): void {
  describe(`the driver ${name}`, () => {
    let subject: DriverUnderTest;
    let driver: Driver;
    beforeAll(async () => {
      subject = await start();
      ({ driver } = subject);
    }, limitMs);
    afterAll(() => subject?.close(), limitMs);

    /** Looks until nothing is in progress any more. */
    async function settled(cluster: DesiredCluster, options = asked): Promise<ObservedCluster> {
      const deadline = Date.now() + limitMs;
      for (;;) {
        const seen = await driver.observeCluster(cluster, options);
        if (seen.phase !== 'IN_PROGRESS') return seen;
        if (Date.now() > deadline) throw new Error(`still in progress: ${seen.reason ?? ''}`);
        await new Promise((resolve) => setTimeout(resolve, Math.min(seen.lookAgainMs ?? lookMs, lookMs)));
      }
    }

    async function create(cluster: DesiredCluster): Promise<DesiredCluster> {
      const named = { ...cluster, ...(await driver.prepareCluster(cluster)) };
      await driver.createCluster(named, () => subject.authorities());
      expect(await settled(named, { ...asked, verb: 'CREATE' })).toMatchObject({ phase: 'COMPLETE' });
      return named;
    }

    async function remove(cluster: DesiredCluster): Promise<void> {
      await driver.deleteCluster(cluster);
      expect((await settled(cluster, { ...asked, verb: 'DELETE' })).phase).toBe('ABSENT');
    }

    const phases = (seen: ObservedCluster): Record<string, string> =>
      Object.fromEntries(seen.nodeGroups.map((group) => [group.name, group.phase]));

    test('draws another name for each cluster, even for one called the same', async () => {
      const names = [
        (await driver.prepareCluster(plainCluster())).stackId,
        (await driver.prepareCluster(plainCluster())).stackId,
      ];
      expect(new Set(names).size).toBe(2);
      for (const stackId of names) expect(stackId).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/);
    });

    test('knows nothing of a cluster that was never created, and has nothing to delete of it', async () => {
      const stranger = plainCluster({ stackId: 'never-was-abcdefghijkl' });
      expect((await driver.observeCluster(stranger, asked)).phase).toBe('ABSENT');
      await driver.deleteCluster(stranger);
      expect((await driver.observeCluster(stranger, { ...asked, verb: 'DELETE' })).phase).toBe('ABSENT');
    });

    test(
      'creates, grows, shrinks, adds and removes groups, and deletes',
      async () => {
        let cluster = await create(plainCluster());
        const seen = await settled(cluster);
        expect(phases(seen)).toStrictEqual({ 'default-master': 'COMPLETE', 'default-worker': 'COMPLETE' });
        expect(seen.apiAddress).toMatch(/^https:\/\/.+:\d+$/);
        expect(seen.coeVersion).toContain('1.35.4');
        expect(seen.health?.status).toBe('HEALTHY');

        // Asked again, as after a crash, nothing is doubled.
        await driver.createCluster(cluster, () => subject.authorities());
        expect((await settled(cluster)).phase).toBe('COMPLETE');

        cluster = withGroup(cluster, 'default-worker', { nodeCount: 2 });
        await driver.applyCluster(cluster, asked);
        expect((await settled(cluster)).phase).toBe('COMPLETE');

        const extra = plainGroup('extra');
        cluster = { ...cluster, nodeGroups: [...cluster.nodeGroups, extra] };
        await driver.applyCluster(cluster, asked);
        expect(phases(await settled(cluster))).toMatchObject({ extra: 'COMPLETE' });

        const going = withGroup(cluster, 'extra', { deleting: true });
        await driver.applyCluster(going, asked);
        expect(['ABSENT', undefined]).toContain(phases(await settled(going))['extra']);

        cluster = { ...cluster, nodeGroups: cluster.nodeGroups.filter((group) => group.name !== 'extra') };
        await remove(cluster);
        // Deleting what is gone is as good.
        await remove(cluster);
      },
      limitMs * 6,
    );

    test(
      'makes a control plane without workers',
      async () => {
        const masters = plainCluster().nodeGroups.filter((group) => group.role === 'master');
        const cluster = await create(plainCluster({ nodeGroups: masters }));
        expect(Object.keys(phases(await settled(cluster)))).toStrictEqual(['default-master']);
        await remove(cluster);
      },
      limitMs * 3,
    );

    test(
      'keeps nothing in itself that another process would need',
      async () => {
        const cluster = await create(plainCluster());
        const before = driver;
        driver = await subject.reopen();
        expect((await settled(cluster)).phase).toBe('COMPLETE');
        await remove(cluster);
        driver = before;
      },
      limitMs * 3,
    );

    test(
      'only looks when no work goes on',
      async () => {
        const cluster = await create(plainCluster());
        const other = withGroup(cluster, 'default-worker', { nodeCount: 3 });
        const looked = await driver.observeCluster(other, { ...asked, working: false });
        expect(looked.phase).not.toBe('ABSENT');
        // What was desired there must not have been carried out.
        expect((await settled(cluster)).phase).toBe('COMPLETE');
        await remove(cluster);
      },
      limitMs * 3,
    );

    test('says of every size of a control plane whether it can be, and resizes only where it says so', () => {
      for (const size of [1, 3, 5]) expect(driver.validateMasterSize(size)).toBeNull();
      for (const size of [-1, 0, 2, 4]) expect(driver.validateMasterSize(size)).toMatch(/\w/);
      const resizes = driver.capabilities.controlPlaneResize;
      const accepted = [-1, 0, 1, 2, 3, 4, 5].filter((size) => driver.validateMasterResize(size) === null);
      expect(accepted).toStrictEqual(resizes ? [1, 3, 5] : []);
      expect(driver.validateMasterResize(2)).toMatch(resizes ? /even/ : /not supported/);
    });

    test('refuses nothing of a plain cluster, and changes nothing by being asked', async () => {
      const cluster = plainCluster({ stackId: 'asked-only-abcdefghijkl' });
      expect(await driver.refusals({ before: null, after: cluster })).toStrictEqual([]);
      expect((await driver.observeCluster(cluster, asked)).phase).toBe('ABSENT');
    });

    test('can be watched, and stops telling when it is told to', () => {
      const told: (string | null)[] = [];
      const end = driver.watch((cluster) => told.push(cluster));
      end();
      expect(driver.availability()).toStrictEqual({ ready: true });
      expect(told.filter((cluster) => cluster !== null)).toStrictEqual([]);
    });
  });
}
