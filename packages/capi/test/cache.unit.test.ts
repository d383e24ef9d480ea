import type { KubeObject } from '@jeroboam/kubernetes';
import { beforeEach, describe, expect, test } from 'vitest';
import { ClusterCache } from '../src/cache/cluster-cache.ts';
import { keepDeployment } from '../src/cache/keep.ts';
import { clusterLabel } from '../src/markers.ts';

const deployment = (name: string, version: number, replicas = 1, cluster = 'one'): KubeObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDeployment',
  metadata: { name, namespace: 'ns', resourceVersion: String(version), labels: { [clusterLabel]: cluster } },
  spec: { replicas },
});

describe('what is held of clusters', () => {
  let told: string[];
  let cache: ClusterCache;
  const sizes = (cluster = 'one'): Record<string, number> =>
    Object.fromEntries(cache.of(cluster).deployments.map(({ name, replicas }) => [name, replicas.wanted]));
  const hear = (object: KubeObject): void => cache.changed('deployments', keepDeployment(object));
  const wrote = (object: KubeObject): void => cache.put('deployments', keepDeployment(object));
  const list = (...objects: KubeObject[]): void =>
    cache.listed('deployments', 'MachineDeployment', objects.map(keepDeployment));

  beforeEach(() => {
    told = [];
    cache = new ClusterCache((cluster) => told.push(cluster));
  });

  test('is told apart by cluster, and each change tells whose it was', () => {
    list(deployment('a', 1), deployment('b', 2, 1, 'two'));
    expect(sizes()).toStrictEqual({ a: 1 });
    expect(sizes('two')).toStrictEqual({ b: 1 });
    expect(told).toStrictEqual(['one', 'two']);
    cache.gone(keepDeployment(deployment('b', 5, 1, 'two')));
    expect(sizes('two')).toStrictEqual({});
    expect(told).toStrictEqual(['one', 'two', 'two']);
  });

  test('is not told as changed by what is not kept of an object', () => {
    hear(deployment('a', 1));
    hear({ ...deployment('a', 2), status: { unheardOf: 1 } });
    expect(told).toStrictEqual(['one']);
  });

  test('has our own writes at once, and is not set back by news from before them', () => {
    hear(deployment('a', 10, 1));
    wrote(deployment('a', 12, 3));
    expect(sizes()).toStrictEqual({ a: 3 });
    hear(deployment('a', 11, 2));
    expect(sizes()).toStrictEqual({ a: 3 });
    hear(deployment('a', 13, 4));
    expect(sizes()).toStrictEqual({ a: 4 });
  });

  test('does not bring back what was heard to be gone after we wrote it', () => {
    hear(deployment('a', 10));
    cache.gone(keepDeployment(deployment('a', 14)));
    wrote(deployment('a', 12));
    expect(sizes()).toStrictEqual({});
  });

  test('is what a list says, even where the server counts anew from older data', () => {
    hear(deployment('a', 100, 5));
    hear(deployment('b', 101));
    list(deployment('a', 50, 2));
    expect(sizes()).toStrictEqual({ a: 2 });
    wrote(deployment('a', 60, 3));
    expect(sizes()).toStrictEqual({ a: 3 });
  });

  test('knows whether a namespace is empty', () => {
    expect(cache.isEmpty('ns')).toBe(true);
    hear(deployment('a', 1));
    expect(cache.isEmpty('ns')).toBe(false);
    expect(cache.isEmpty('other')).toBe(true);
  });
});
