import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainCluster, plainGroup, withGroup } from '../../domain/test/driver-conformance/desired.ts';
import { renderCluster } from '../src/render/render-cluster.ts';
import { inOrder } from '../src/render/rendered.ts';
import { infrastructure, versionsOf } from './support/plans.ts';

const uuids = {
  cluster: '5d12f6fd-a196-4bf0-ae4c-1f639a523a52',
  masters: '0c4d3e2b-6b5f-4d61-9f5e-2a7d1f3b8c90',
  workers: '7e6f5d4c-3b2a-4190-8877-665544332211',
  gpu: '11112222-3333-4444-8555-666677778888',
};

const small = plainCluster({
  uuid: uuids.cluster,
  name: 'small',
  stackId: 'small-abcdefghijkl',
  nodeGroups: [
    plainGroup('default-master', { uuid: uuids.masters, role: 'master', isDefault: true }),
    plainGroup('default-worker', { uuid: uuids.workers, isDefault: true, nodeCount: 2 }),
  ],
});

const rich = plainCluster({
  uuid: uuids.cluster,
  name: 'Große Last (Produktion)',
  stackId: 'grosse-last-abcdefghijkl',
  labels: {
    auto_healing_enabled: 'true',
    calico_ipv4pool: '10.200.0.0/16',
    service_cluster_ip_range: '10.201.0.0/16',
    dns_cluster_domain: 'prod.local',
  },
  apiserverPort: 7443,
  nodeGroups: [
    plainGroup('default-master', { uuid: uuids.masters, role: 'master', isDefault: true, nodeCount: 3 }),
    plainGroup('default-worker', {
      uuid: uuids.workers,
      isDefault: true,
      nodeCount: 4,
      labels: { auto_scaling_enabled: 'true' },
      minNodeCount: 1,
      maxNodeCount: 10,
    }),
    plainGroup('Grafik & Rechnen für alle', {
      uuid: uuids.gpu,
      role: 'gpu',
      labels: { auto_healing_enabled: 'false' },
      nodeLabels: {
        'example.org/tier': 'gold',
        'node-restriction.kubernetes.io/tenant': 'blue',
        zone: 'a',
      },
      nodeTaints: [
        { key: 'gpu', value: 'only', effect: 'NoSchedule' },
        { key: 'drained', value: '', effect: 'NoExecute' },
      ],
      rootVolume: { size: 40, type: 'ssd' },
      availabilityZones: ['nova'],
      kubernetesVersion: 'v1.34.2',
    }),
  ],
});

const objectsOf = (cluster: DesiredCluster) =>
  inOrder(
    renderCluster(cluster, {
      infrastructure,
      versions: versionsOf(cluster),
      batch: 1,
      liveInfrastructure: null,
    }),
  ).map(({ object }) => object);

const templatesOf = (cluster: DesiredCluster): string[] =>
  objectsOf(cluster)
    .filter(({ kind }) => kind.endsWith('Template'))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe('rendering', () => {
  test.each([
    ['small', small],
    ['rich', rich],
  ])('renders the %s cluster as it always did', async (name, cluster) => {
    await expect(`${JSON.stringify(objectsOf(cluster), null, 2)}\n`).toMatchFileSnapshot(
      `fixtures/golden/${name}.json`,
    );
  });

  test('renders templates before what refers to them, and the control plane before the workers', () => {
    const order = objectsOf(small).map(({ kind }) => kind);
    expect(order).toStrictEqual([
      'DevMachineTemplate',
      'DevMachineTemplate',
      'KubeadmConfigTemplate',
      'DevCluster',
      'Cluster',
      'KubeadmControlPlane',
      'MachineDeployment',
      'MachineHealthCheck',
      'MachineHealthCheck',
    ]);
  });

  test('gives every object the uuid of its cluster, by which it is found again', () => {
    for (const { metadata } of objectsOf(rich))
      expect(metadata.labels?.['jeroboam.io/cluster-uuid']).toBe(uuids.cluster);
  });

  test('gives no object a name longer than what becomes of it can bear', () => {
    for (const { metadata } of objectsOf(rich)) {
      expect(metadata.name).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
      expect(metadata.name.length).toBeLessThanOrEqual(57);
    }
  });
});

/** Changes that reach nodes without replacing them. */
const quiet: Record<string, (value: number) => Partial<DesiredNodeGroup>> = {
  size: (value) => ({ nodeCount: 1 + value }),
  bounds: (value) => ({ minNodeCount: 0, maxNodeCount: 100 + value }),
  autoscaling: (value) => ({ labels: { auto_scaling_enabled: 'true' }, maxNodeCount: 5 + value }),
  healing: () => ({ labels: { auto_healing_enabled: 'false' } }),
  managedLabels: (value) => ({ nodeLabels: { 'node-restriction.kubernetes.io/rack': `r${value}` } }),
  version: () => ({ kubernetesVersion: 'v1.34.2' }),
};

/** Changes that only other machines, or other ways to join, can bring about. */
const loud: Record<string, (value: number) => Partial<DesiredNodeGroup>> = {
  flavor: (value) => ({ flavorId: `flavor-${value}` }),
  image: (value) => ({ imageId: `image-${value}` }),
  volume: (value) => ({ rootVolume: { size: 10 + value } }),
  zones: (value) => ({ availabilityZones: [`zone-${value}`] }),
  labels: (value) => ({ nodeLabels: { 'example.org/tier': `t${value}` } }),
  taints: (value) => ({ nodeTaints: [{ key: `k${value}`, effect: 'NoSchedule' }] }),
};

describe('names of templates', () => {
  const value = fc.nat(50);

  test('are the same for the same cluster, whatever the order of its labels', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{0,8}$/)),
        (labels) => {
          const reversed = Object.fromEntries(Object.entries(labels).toReversed());
          const one = withGroup(small, 'default-worker', { nodeLabels: labels });
          const other = withGroup(small, 'default-worker', { nodeLabels: reversed });
          expect(objectsOf(one)).toStrictEqual(objectsOf(other));
        },
      ),
    );
  });

  test('stay when nodes need not be replaced', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(quiet)), value, (change, number) => {
        expect(templatesOf(withGroup(small, 'default-worker', change(number)))).toStrictEqual(
          templatesOf(small),
        );
      }),
    );
  });

  test('change when nodes must be replaced, and only for that group', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(loud)), value, (change, number) => {
        const before = templatesOf(small);
        const after = templatesOf(withGroup(small, 'default-worker', change(number)));
        expect(after).not.toStrictEqual(before);
        expect(after[0]).toBe(before[0]);
      }),
    );
  });
});
