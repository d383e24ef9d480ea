import type { KubeObject } from '@jeroboam/kubernetes';
import { describe, expect, test } from 'vitest';
import { plainGroup, withGroup } from '../../domain/test/driver-conformance/desired.ts';
import type { ClusterObjects } from '../src/cache/held.ts';
import { observedMachines } from '../src/observe/machines.ts';
import { observeCluster, observeLeaving } from '../src/observe/observe-cluster.ts';
import type { Plan } from '../src/plan/plan.ts';
import { planOf } from './support/plans.ts';
import { recorded } from './support/recording.ts';

const { cluster } = recorded('created');

function look(live: ClusterObjects, desired = cluster, plan: Plan | null = planOf(desired, live)) {
  if (live.cluster === null) throw new Error('the recording has no cluster');
  return observeCluster(desired, live.cluster, live, { plan, apiAddress: 'https://127.0.0.1:20000' });
}

/** The recording with one condition of one kind of object set otherwise. */
const withCondition =
  (kind: string, type: string, status: string, message: string) =>
  (object: KubeObject): KubeObject => {
    if (object.kind !== kind) return object;
    const { conditions } = object.status as { conditions: { type: string }[] };
    const others = conditions.filter((condition) => condition.type !== type);
    return {
      ...object,
      status: { ...(object.status as object), conditions: [...others, { type, status, message }] },
    };
  };

describe('a cluster', () => {
  test('that is as desired is complete, healthy, and says its version and address', () => {
    expect(look(recorded('created').live)).toMatchObject({
      phase: 'COMPLETE',
      reason: null,
      apiAddress: 'https://127.0.0.1:20000',
      coeVersion: 'v1.35.4',
      nodeGroups: [
        { name: 'default-master', phase: 'COMPLETE' },
        { name: 'default-worker', phase: 'COMPLETE' },
      ],
      health: {
        status: 'HEALTHY',
        reason: { cluster: 'Ready', infrastructure: 'Ready', controlplane: 'Ready', nodegroup: 'Ready' },
      },
    });
  });

  test('that is being made says which object waits for what, and is of unknown health', () => {
    const seen = look(recorded('creating').live);
    expect(seen.phase).toBe('IN_PROGRESS');
    expect(seen.reason).toMatch(/^KubeadmControlPlane tryout-\w+-control-plane: \w+: .*Machine tryout-/);
    expect(seen.reason).not.toContain('\n');
    expect(seen.health?.status).toBe('UNKNOWN');
  });

  test('whose control plane grows is in progress there, complete elsewhere, and healthy all the while', () => {
    const seen = look(recorded('growing').live, withGroup(cluster, 'default-master', { nodeCount: 3 }));
    expect(seen.nodeGroups.map(({ phase }) => phase)).toStrictEqual(['IN_PROGRESS', 'COMPLETE']);
    expect(seen.health?.status).toBe('HEALTHY');
  });

  test('is not complete while machines of an older version are there, whatever the counts say', () => {
    // Recorded just after the workers were told their version: the group's own counts had not changed yet.
    const { live } = recorded('upgraded');
    const workers = live.deployments[0];
    expect(workers?.replicas).toStrictEqual({ wanted: 2, there: 2, upToDate: 2, available: 2 });
    const seen = look(live, { ...cluster, kubernetesVersion: 'v1.36.0' });
    expect(seen.phase).toBe('IN_PROGRESS');
    expect(seen.nodeGroups[1]).toMatchObject({ name: 'default-worker', phase: 'IN_PROGRESS' });
  });

  test('is in progress while something is still to be done for it, and says what for', () => {
    const desired = { ...cluster, kubernetesVersion: 'v1.36.0' };
    const seen = look(recorded('created').live, desired);
    expect(seen.phase).toBe('IN_PROGRESS');
    expect(seen.nodeGroups[1]?.reason).toContain('goes to v1.36.0');
  });

  test('that nobody works on shows what others made of it', () => {
    const { live } = recorded('created', (object) =>
      object.kind === 'MachineDeployment'
        ? { ...object, spec: { ...(object.spec as object), replicas: 7 } }
        : object,
    );
    const seen = look(live, cluster, null);
    expect(seen.nodeGroups[1]).toMatchObject({ nodeCount: 7, phase: 'IN_PROGRESS' });
    expect(look(live).nodeGroups[1]).not.toHaveProperty('nodeCount');
  });

  test('shows the size that an autoscaler gave a group, also while we work', () => {
    const scaled = withGroup(cluster, 'default-worker', {
      labels: { auto_scaling_enabled: 'true' },
      nodeCount: 1,
      maxNodeCount: 5,
    });
    expect(look(recorded('created').live, scaled).nodeGroups[1]).toMatchObject({ nodeCount: 2 });
  });

  test('is ill with the words of the condition that says so', () => {
    const { live } = recorded(
      'created',
      withCondition('MachineDeployment', 'Available', 'False', 'no host\nhas room'),
    );
    expect(look(live).health).toMatchObject({
      status: 'UNHEALTHY',
      reason: {
        nodegroup: expect.stringMatching(/^MachineDeployment tryout-\S+: Available: no host has room$/),
      },
    });
  });

  test('is ill with the etcd member that is, though the rest works', () => {
    const { live } = recorded(
      'created',
      withCondition('KubeadmControlPlane', 'EtcdClusterHealthy', 'False', 'member a'),
    );
    expect(look(live).health).toMatchObject({
      status: 'UNHEALTHY',
      reason: { cluster: 'Ready', controlplane: expect.stringContaining('EtcdClusterHealthy: member a') },
    });
  });

  test('that cannot be reached is of unknown health', () => {
    const away = withCondition('Cluster', 'RemoteConnectionProbe', 'False', 'no answer');
    const ill = withCondition('Cluster', 'Available', 'Unknown', 'no answer');
    expect(look(recorded('created', (object) => ill(away(object))).live).health?.status).toBe('UNKNOWN');
  });

  test('that is going says what it waits for', () => {
    const seen = observeLeaving(recorded('deleting').live);
    expect(seen.phase).toBe('IN_PROGRESS');
    expect(seen.reason).toMatch(/^Cluster tryout-\w+: Deleting: /);
  });
});

describe('a group', () => {
  test('that was to go is absent when nothing of it is left, and not before', () => {
    const { live } = recorded('created');
    const going = withGroup(cluster, 'default-worker', { deleting: true });
    expect(look(live, going).nodeGroups[1]?.phase).toBe('IN_PROGRESS');
    const orphaned = { ...live, deployments: [] };
    expect(look(orphaned, going).nodeGroups[1]?.reason).toContain('Waiting for these machines to go');
    const gone = { ...orphaned, machines: live.machines.filter((machine) => machine.isControlPlane) };
    expect(look(gone, going).nodeGroups[1]?.phase).toBe('ABSENT');
  });

  test('that is to be made is not absent', () => {
    const desired = { ...cluster, nodeGroups: [...cluster.nodeGroups, plainGroup('extra')] };
    expect(look(recorded('created').live, desired).nodeGroups[2]).toMatchObject({ phase: 'IN_PROGRESS' });
  });
});

describe('machines', () => {
  test('are told with what is known of them, masters first', () => {
    const machines = observedMachines(cluster, recorded('created').live);
    expect(machines.map(({ nodeGroup, role }) => `${nodeGroup}/${role}`)).toStrictEqual([
      'default-master/master',
      'default-worker/worker',
      'default-worker/worker',
    ]);
    expect(machines[0]).toMatchObject({
      phase: 'Running',
      kubernetesVersion: 'v1.35.4',
      deleting: false,
      providerId: expect.stringMatching(/^in-memory:\/\//),
    });
    expect(machines[0]?.conditions.find(({ type }) => type === 'EtcdMemberHealthy')?.status).toBe('True');
    expect(machines[0]?.changedAt).toMatch(/^2026-/);
  });
});
