import https from 'node:https';
import type { DesiredCluster, ObservedCluster } from '@jeroboam/domain';
import { KubeClient, namespaces, secrets } from '@jeroboam/kubernetes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainCluster, plainGroup, withGroup } from '../../domain/test/driver-conformance/desired.ts';
import { managementClusterOfThisRun } from '../../sandbox/test/support/management-cluster.ts';
import { watchedKinds } from '../src/cache/watched-kinds.ts';
import type { ClusterApiDriver } from '../src/driver.ts';
import { devKinds, machines, machineDeployments } from '../src/kinds.ts';
import { clusterLabel } from '../src/markers.ts';
import { namespaceOf } from '../src/names.ts';
import { authoritiesFor } from './support/authorities.ts';
import { asked, openDriver, settled } from './support/driver.ts';

/** One cluster goes through its whole life; each test begins where the one before it ended. */
describe('a cluster made through Cluster API', () => {
  let driver: ClusterApiDriver;
  let client: KubeClient;
  let cluster: DesiredCluster = plainCluster({
    name: 'Life of a cluster',
    projectId: 'feedfacefeedfacefeedfacefeedface',
  });
  let identity: Awaited<ReturnType<typeof authoritiesFor>>;

  beforeAll(async () => {
    driver = openDriver();
    client = new KubeClient(managementClusterOfThisRun().access);
    identity = await authoritiesFor(cluster.name);
  });
  afterAll(() => {
    driver.close();
    client.close();
  });

  /** Asks for a change, waits until it is done, and answers all that was seen on the way. */
  async function change(
    after: DesiredCluster,
    options: { nodesToRemove?: string[]; maxBatchSize?: number } = {},
  ): Promise<ObservedCluster[]> {
    expect(await driver.refusals({ before: cluster, after, ...options })).toStrictEqual([]);
    cluster = after;
    const all = { ...asked, ...options };
    await driver.applyCluster(cluster, all);
    const seen: ObservedCluster[] = [];
    const last = await settled(driver, cluster, all, (observed) => seen.push(observed));
    expect(last).toMatchObject({ phase: 'COMPLETE', reason: null });
    return seen;
  }

  const machineNames = async (group: string): Promise<string[]> =>
    (await driver.machines(cluster)).filter(({ nodeGroup }) => nodeGroup === group).map(({ name }) => name);

  const masters = (): Promise<number> => machineNames('default-master').then(({ length }) => length);

  test('is created with one master and two workers, and is healthy', async () => {
    expect(await driver.refusals({ before: null, after: cluster })).toStrictEqual([]);
    cluster = withGroup(cluster, 'default-worker', { nodeCount: 2 });
    cluster = { ...cluster, ...(await driver.prepareCluster(cluster)) };
    await driver.createCluster(cluster, () => Promise.resolve(identity.authorities));
    const reasons: (string | null)[] = [];
    const seen = await settled(driver, cluster, { verb: 'CREATE' }, ({ reason }) => reasons.push(reason));
    expect(seen).toMatchObject({ phase: 'COMPLETE', coeVersion: 'v1.35.4', health: { status: 'HEALTHY' } });
    expect(reasons.some((reason) => reason?.startsWith('KubeadmControlPlane life-of-a-cluster-'))).toBe(true);
    expect(await machineNames('default-worker')).toHaveLength(2);
  });

  test('lets in whom the service vouches for', async () => {
    const { apiAddress } = await driver.observeCluster(cluster, { ...asked, working: false });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      https
        .get(
          `${apiAddress ?? ''}/api/v1/nodes`,
          {
            ca: identity.authorities.kubernetes.certificate,
            cert: identity.client.certificatePem,
            key: identity.client.privateKeyPem,
          },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        )
        .on('error', reject);
    });
    expect(status).toBe(200);
  });

  test('is not changed by a second creation, and keeps its authorities', async () => {
    const name = `${cluster.stackId ?? ''}-sa`;
    const before = await client.get(secrets, name, namespaceOf(cluster));
    await driver.createCluster(cluster, () => Promise.reject(new Error('not needed')));
    expect((await settled(driver, cluster)).phase).toBe('COMPLETE');
    expect((await client.get(secrets, name, namespaceOf(cluster)))?.data).toStrictEqual(before?.data);
  });

  test('grows to three masters and shrinks to one, one member at a time', async () => {
    const counts = new Set<number>();
    const end = driver.watch(() => void masters().then((count) => counts.add(count)));
    await change(withGroup(cluster, 'default-master', { nodeCount: 3 }));
    expect(await masters()).toBe(3);
    await change(withGroup(cluster, 'default-master', { nodeCount: 1 }));
    end();
    expect(await masters()).toBe(1);
    expect(counts).toContain(2);
  });

  test('is refused what its management cluster refuses, before anything is changed', async () => {
    const after = withGroup(cluster, 'default-worker', {
      nodeLabels: { 'node-role.kubernetes.io/x': 'no spaces please' },
    });
    const refused = await driver.refusals({ before: cluster, after });
    expect(refused.map(({ status, message }) => ({ status, message }))).toStrictEqual([
      { status: 400, message: expect.stringContaining('MachineDeployment life-of-a-cluster') },
    ]);
  });

  test('loses the node that was named when a group shrinks, and refuses names of strangers', async () => {
    const [one, other] = await machineNames('default-worker');
    const smaller = withGroup(cluster, 'default-worker', { nodeCount: 1 });
    const stranger = (await machineNames('default-master'))[0] ?? '';
    const refused = await driver.refusals({ before: cluster, after: smaller, nodesToRemove: [stranger] });
    expect(refused.map(({ message }) => message)).toStrictEqual([
      `Node ${stranger} is not in node group default-worker.`,
    ]);
    await change(smaller, { nodesToRemove: [other ?? ''] });
    expect(await machineNames('default-worker')).toStrictEqual([one]);
  });

  test('gets a group with labels and taints, sized by an autoscaler, and loses it again', async () => {
    const extra = plainGroup('extra', {
      labels: { auto_scaling_enabled: 'true' },
      nodeCount: 1,
      minNodeCount: 1,
      maxNodeCount: 3,
      nodeLabels: { 'node-restriction.kubernetes.io/tenant': 'blue' },
      nodeTaints: [{ key: 'only', effect: 'NoSchedule' }],
    });
    await change({ ...cluster, nodeGroups: [...cluster.nodeGroups, extra] });
    const name = `${cluster.stackId ?? ''}-extra`;
    // Somebody else sizes it now; what we apply later must leave that alone.
    await client.mergePatch(machineDeployments, name, namespaceOf(cluster), { spec: { replicas: 2 } });
    const seen = await change(withGroup(cluster, 'extra', { maxNodeCount: 4 }));
    expect(seen.at(-1)?.nodeGroups.find((group) => group.name === 'extra')).toMatchObject({ nodeCount: 2 });
    const going = withGroup(cluster, 'extra', { deleting: true });
    const last = (await change(going)).at(-1);
    expect(last?.nodeGroups.find((group) => group.name === 'extra')?.phase).toBe('ABSENT');
    expect(await client.get(machineDeployments, name, namespaceOf(cluster))).toBeNull();
    cluster = { ...cluster, nodeGroups: cluster.nodeGroups.filter((group) => group.name !== 'extra') };
  });

  test('replaces its workers by others of another flavor, and leaves no old template behind', async () => {
    const before = await machineNames('default-worker');
    await change(withGroup(cluster, 'default-worker', { flavorId: 'm1.large' }));
    const after = await machineNames('default-worker');
    expect(after).toHaveLength(1);
    expect(before).not.toContain(after[0]);
    const { items } = await client.list(devKinds.machineTemplate, {
      labelSelector: `${clusterLabel}=${cluster.uuid}`,
    });
    expect(items).toHaveLength(2);
  });

  test('is upgraded by one minor version, the control plane before the workers', async () => {
    const order: string[] = [];
    const versions = async (): Promise<void> => {
      const versionOf = async (role: string) =>
        (await driver.machines(cluster))
          .filter((machine) => machine.role === role)
          .map((one) => one.kubernetesVersion);
      const isNew = (all: (string | null)[]): boolean => all.every((version) => version === 'v1.36.0');
      if (isNew(await versionOf('worker')) && !isNew(await versionOf('master'))) order.push('workers first');
    };
    const end = driver.watch(() => void versions());
    const seen = await change({ ...cluster, kubernetesVersion: 'v1.36.0' });
    end();
    expect(order).toStrictEqual([]);
    expect(seen.at(-1)?.coeVersion).toBe('v1.36.0');
    expect(
      new Set((await driver.machines(cluster)).map((machine) => machine.kubernetesVersion)),
    ).toStrictEqual(new Set(['v1.36.0']));
    const back = await driver.refusals({
      before: cluster,
      after: { ...cluster, kubernetesVersion: 'v1.35.4' },
    });
    expect(back[0]?.message).toContain('cannot go back to v1.35.4');
  });

  test('gets another machine for one that is ill', async () => {
    const [ill] = await machineNames('default-worker');
    await client.mergePatch(machines, ill ?? '', namespaceOf(cluster), {
      metadata: { annotations: { 'cluster.x-k8s.io/remediate-machine': '' } },
    });
    await new Promise<void>((resolve) => {
      const look = async (): Promise<void> => {
        const names = await machineNames('default-worker');
        if (names.length === 0 || names.includes(ill ?? '')) return;
        end();
        resolve();
      };
      const end = driver.watch(() => void look());
    });
    expect((await settled(driver, cluster)).phase).toBe('COMPLETE');
    expect(await machineNames('default-worker')).not.toContain(ill);
  });

  test('leaves nothing behind when it is deleted', async () => {
    await driver.deleteCluster(cluster);
    expect((await settled(driver, cluster, { verb: 'DELETE' })).phase).toBe('ABSENT');
    const left = await Promise.all(
      watchedKinds(devKinds).map(({ kind }) =>
        client.list(
          kind,
          { labelSelector: `${clusterLabel}=${cluster.uuid}` },
          ({ metadata }) => `${kind.kind} ${metadata.name}`,
        ),
      ),
    );
    expect(left.flatMap(({ items }) => items)).toStrictEqual([]);
    const namespace = await client.get(namespaces, namespaceOf(cluster));
    expect(namespace?.metadata.deletionTimestamp ?? 'gone').toMatch(/\w/);
    // The next cluster of the project may be asked for while the namespace is still going.
    const next = plainCluster({ projectId: cluster.projectId });
    expect(await driver.refusals({ before: null, after: next })).toStrictEqual([]);
  });
});
