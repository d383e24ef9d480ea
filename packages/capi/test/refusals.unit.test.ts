import type { DesiredCluster } from '@jeroboam/domain';
import type { KubeObject } from '@jeroboam/kubernetes';
import { describe, expect, test } from 'vitest';
import { withGroup } from '../../domain/test/driver-conformance/desired.ts';
import { etcdRefusals } from '../src/refusals/etcd-health.ts';
import { removalRefusals, sizeRefusals, strategyRefusals, versionRefusals } from '../src/refusals/rules.ts';
import { versionsOf } from './support/plans.ts';
import { recorded } from './support/recording.ts';

const { cluster, live } = recorded('created');
const masters = (nodeCount: number): DesiredCluster => withGroup(cluster, 'default-master', { nodeCount });
const messages = (faults: readonly { message: string }[]): string[] => faults.map(({ message }) => message);

const sick =
  (kind: string, type: string, status: string) =>
  (object: KubeObject): KubeObject => {
    const isMaster = object.metadata.labels?.['cluster.x-k8s.io/control-plane'] !== undefined;
    if (object.kind !== kind || (kind === 'Machine' && !isMaster)) return object;
    const { conditions } = object.status as { conditions: { type: string }[] };
    const others = conditions.filter((condition) => condition.type !== type);
    return {
      ...object,
      status: { ...(object.status as object), conditions: [...others, { type, status, message: 'alarm' }] },
    };
  };

describe('a control plane', () => {
  test('may be resized while etcd is well', () => {
    expect(etcdRefusals({ before: cluster, after: masters(3) }, live)).toStrictEqual([]);
  });

  test('is not resized while a member of etcd is ill, and the member is named', () => {
    for (const status of ['False', 'Unknown']) {
      const { live: ill } = recorded('created', sick('Machine', 'EtcdMemberHealthy', status));
      const [fault] = etcdRefusals({ before: cluster, after: masters(3) }, ill);
      expect(fault).toMatchObject({ status: 409, field: 'node_count' });
      expect(fault?.message).toMatch(/Machine tryout-\w+-control-plane-\w+: EtcdMemberHealthy: alarm$/);
    }
  });

  test('is not resized while etcd as a whole is ill', () => {
    const { live: ill } = recorded('created', sick('KubeadmControlPlane', 'EtcdClusterHealthy', 'False'));
    expect(messages(etcdRefusals({ before: masters(3), after: cluster }, ill))).toHaveLength(1);
  });

  test('that is ill may have everything else changed', () => {
    const { live: ill } = recorded('created', sick('Machine', 'EtcdMemberHealthy', 'False'));
    const after = withGroup(cluster, 'default-worker', { nodeCount: 5 });
    expect(etcdRefusals({ before: cluster, after }, ill)).toStrictEqual([]);
  });

  test('of several needs a load balancer', () => {
    const after = { ...masters(3), masterLbEnabled: false };
    expect(messages(sizeRefusals({ before: { ...cluster, masterLbEnabled: false }, after }))).toStrictEqual([
      'A control plane of 3 needs a load balancer before it: master_lb_enabled is False.',
    ]);
    expect(sizeRefusals({ before: cluster, after: masters(3) })).toStrictEqual([]);
  });
});

describe('sizes', () => {
  test('that an autoscaler sets are not set by others, while its bounds may change', () => {
    const scaled = withGroup(cluster, 'default-worker', {
      labels: { auto_scaling_enabled: 'true' },
      maxNodeCount: 5,
    });
    const resized = withGroup(scaled, 'default-worker', { nodeCount: 4 });
    expect(sizeRefusals({ before: scaled, after: resized })[0]).toMatchObject({ status: 409 });
    const bounds = withGroup(scaled, 'default-worker', { maxNodeCount: 9 });
    expect(sizeRefusals({ before: scaled, after: bounds })).toStrictEqual([]);
    expect(sizeRefusals({ before: cluster, after: resized })).toStrictEqual([]);
  });
});

describe('nodes to remove', () => {
  const smaller = withGroup(cluster, 'default-worker', { nodeCount: 1 });
  const workers = live.machines.filter(({ isControlPlane }) => !isControlPlane);
  const refused = (nodesToRemove: string[], after = smaller): string[] =>
    messages(removalRefusals({ before: cluster, after, nodesToRemove }, live));

  test('may be named by machine, by node, by the cloud and by the last part of that', () => {
    const [machine] = workers;
    for (const name of [
      machine?.name,
      machine?.nodeName,
      machine?.providerId,
      machine?.providerId?.split('/').at(-1),
    ])
      expect(refused([name ?? ''])).toStrictEqual([]);
  });

  test('must be in the group, and are named where they are not', () => {
    expect(refused(['b33f'])).toStrictEqual(['Node b33f is not in node group default-worker.']);
    const master = live.machines.find(({ isControlPlane }) => isControlPlane)?.name ?? '';
    expect(refused([master])).toStrictEqual([`Node ${master} is not in node group default-worker.`]);
  });

  test('cannot be more than the group loses', () => {
    expect(refused(workers.map(({ name }) => name))).toStrictEqual([
      'nodes_to_remove names 2 nodes of default-worker, which becomes smaller by 1.',
    ]);
    expect(refused([workers[0]?.name ?? ''], cluster)).toHaveLength(1);
  });
});

describe('versions', () => {
  const running = (): string => 'v1.35.4';
  const refused = (version: string, now: () => string | null = running): string[] => {
    const after = { ...cluster, kubernetesVersion: version };
    return messages(versionRefusals({ before: cluster, after }, versionsOf(after), now));
  };

  test('may rise, also over several minor versions, and stay', () => {
    expect(refused('v1.35.4')).toStrictEqual([]);
    expect(refused('v1.36.0')).toStrictEqual([]);
    expect(refused('v1.34.2', () => 'v1.31.4')).toStrictEqual([]);
  });

  test('may not go back', () => {
    expect(refused('v1.35.3')[0]).toBe(
      'Node group default-master runs Kubernetes v1.35.4 and cannot go back to v1.35.3.',
    );
  });

  test('must be known', () => {
    for (const version of ['v1.99.0', 'v1.2.3', 'latest'])
      expect(refused(version)[0]).toContain(
        `Kubernetes ${version} of node group default-master is not known`,
      );
  });

  test('of workers may be older than that of the control plane, not newer, and not too old', () => {
    const apart = (workers: string): string[] => {
      const after = withGroup(cluster, 'default-worker', { kubernetesVersion: workers });
      return messages(versionRefusals({ before: cluster, after }, versionsOf(after), () => null));
    };
    expect(apart('v1.32.1')).toStrictEqual([]);
    expect(apart('v1.36.0')[0]).toContain('newer than the control plane');
    expect(apart('v1.31.4')[0]).toContain('more than 3 minor versions older');
  });
});

test('a group that may only be updated in place is refused', () => {
  const after = withGroup(cluster, 'default-worker', { updateStrategy: 'in-place-or-fail' });
  expect(strategyRefusals({ before: cluster, after })[0]).toMatchObject({
    field: 'update_strategy',
    status: 400,
  });
});
