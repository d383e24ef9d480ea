import type { DesiredCluster } from '@jeroboam/domain';
import type { KubeObject } from '@jeroboam/kubernetes';
import { describe, expect, test } from 'vitest';
import { plainGroup, withGroup } from '../../domain/test/driver-conformance/desired.ts';
import { emptyCluster, type ClusterObjects } from '../src/cache/held.ts';
import { renderedAnnotation } from '../src/markers.ts';
import { isDue } from '../src/plan/plan.ts';
import { applied, planOf } from './support/plans.ts';
import { recorded } from './support/recording.ts';

const { cluster, live } = recorded('created');
const named = (suffix: string): string => `${cluster.stackId ?? ''}-${suffix}`;

/** The recording as if a group had another version. */
const atVersion =
  (controlPlane: string, workers: string) =>
  (object: KubeObject): KubeObject => {
    const isMaster = object.metadata.labels?.['cluster.x-k8s.io/control-plane'] !== undefined;
    const changed = structuredClone(object) as KubeObject & {
      spec: { version: string; template?: { spec: { version?: string } } };
      status: { version?: string };
    };
    if (object.kind === 'KubeadmControlPlane') {
      changed.spec.version = controlPlane;
      changed.status.version = controlPlane;
    }
    if (object.kind === 'Machine') changed.spec.version = isMaster ? controlPlane : workers;
    if (object.kind === 'MachineDeployment' && changed.spec.template !== undefined)
      changed.spec.template.spec.version = workers;
    return changed;
  };

/** What is known once the control plane was applied as a plan has it. */
function controlPlaneApplied(desired: DesiredCluster, known: ClusterObjects): ClusterObjects {
  const due = planOf(desired, known).apply.find(({ stage }) => stage === 'control-plane');
  const rendered = due?.object.metadata.annotations?.[renderedAnnotation] ?? null;
  return known.controlPlane === null
    ? known
    : {
        ...known,
        controlPlane: { ...known.controlPlane, rendered: rendered ?? known.controlPlane.rendered },
      };
}

const versionIn = (plan: ReturnType<typeof planOf>, kind: string): string | undefined => {
  const spec = plan.apply.find((rendered) => rendered.kind.kind === kind)?.object.spec as
    | { version?: string; template?: { spec: { version: string } } }
    | undefined;
  return spec?.version ?? spec?.template?.spec.version;
};

describe('a plan', () => {
  test('for a new cluster applies everything, and waits for nothing', () => {
    const plan = planOf(cluster, emptyCluster);
    expect(plan.apply).toHaveLength(9);
    expect(plan).toMatchObject({ choose: [], remove: [], waits: [] });
  });

  test('for a cluster that is as desired does nothing', () => {
    const plan = planOf(cluster, live);
    expect(applied(plan)).toStrictEqual([]);
    expect(isDue(plan)).toBe(false);
    expect(plan.waits).toStrictEqual([]);
  });

  test('is the same when made again', () => {
    const grown = withGroup(cluster, 'default-worker', { nodeCount: 5 });
    expect(planOf(grown, live)).toStrictEqual(planOf(grown, live));
  });

  test('for another size touches only the group and how many of it may be ill', () => {
    const masters = planOf(withGroup(cluster, 'default-master', { nodeCount: 3 }), live);
    expect(applied(masters)).toStrictEqual([
      `KubeadmControlPlane ${named('control-plane')}`,
      `MachineHealthCheck ${named('control-plane')}`,
    ]);
    const workers = planOf(withGroup(cluster, 'default-worker', { nodeCount: 1 }), live);
    expect(applied(workers)).toStrictEqual([`MachineDeployment ${named('default-worker')}`]);
  });

  test('puts back a size that somebody else changed, while it is ours to say', () => {
    const { live: scaled } = recorded('created', (object) =>
      object.kind === 'MachineDeployment'
        ? { ...object, spec: { ...(object.spec as object), replicas: 7 } }
        : object,
    );
    expect(applied(planOf(cluster, scaled))).toStrictEqual([`MachineDeployment ${named('default-worker')}`]);
  });

  test('leaves the size to the autoscaler once the group exists', () => {
    const scaled = withGroup(cluster, 'default-worker', {
      labels: { auto_scaling_enabled: 'true' },
      minNodeCount: 1,
      maxNodeCount: 5,
    });
    const sizeIn = (plan: ReturnType<typeof planOf>) =>
      plan.apply.find(({ kind }) => kind.kind === 'MachineDeployment')?.object.spec;
    expect(sizeIn(planOf(scaled, emptyCluster))).toMatchObject({ replicas: 2 });
    expect(sizeIn(planOf(scaled, live))).not.toHaveProperty('replicas');
  });

  test('replaces nodes of one group at a time', () => {
    const two = { ...cluster, nodeGroups: [...cluster.nodeGroups, plainGroup('extra')] };
    const both = ['default-worker', 'extra'];
    const made = planOf(two, live);
    expect(applied(made)).toContain(`MachineDeployment ${named('extra')}`);
    const { live: rolling } = recorded('created', (object) =>
      object.kind === 'MachineDeployment'
        ? { ...object, metadata: { ...object.metadata, generation: 99 } }
        : object,
    );
    const withExtra = {
      ...rolling,
      deployments: [
        ...rolling.deployments,
        ...live.deployments.map((one) => ({ ...one, name: named('extra'), nodeGroup: 'other' })),
      ],
    };
    const changed = both.reduce<DesiredCluster>(
      (all, name) => withGroup(all, name, { flavorId: 'm1.large', nodeCount: 4 }),
      two,
    );
    const plan = planOf(changed, withExtra);
    const specs = plan.apply
      .filter(({ kind }) => kind.kind === 'MachineDeployment')
      .map(
        ({ object }) =>
          object.spec as { replicas: number; template: { spec: { infrastructureRef: { name: string } } } },
      );
    // Both get their size; only the one whose turn it is gets its new machines.
    expect(specs.map(({ replicas }) => replicas)).toStrictEqual([4, 4]);
    expect(specs[1]?.template.spec.infrastructureRef.name).toBe(live.deployments[0]?.machineTemplate);
    expect(specs[0]?.template.spec.infrastructureRef.name).not.toBe(live.deployments[0]?.machineTemplate);
    expect(plan.waits.map(({ reason }) => reason)).toStrictEqual([
      `Nodes of extra are replaced after those of ${named('default-worker')}.`,
    ]);
  });

  test('removes groups that are to go, with their health checks and templates', () => {
    const going = withGroup(cluster, 'default-worker', { deleting: true });
    const { remove } = planOf(going, live);
    expect(remove.map(({ kind, name }) => `${kind.kind} ${name}`)).toStrictEqual([
      `MachineHealthCheck ${named('default-worker')}`,
      `MachineDeployment ${named('default-worker')}`,
    ]);
    const gone = { ...live, deployments: [], machineSets: [], healthChecks: [], parts: [] };
    expect(
      planOf(going, gone)
        .remove.map(({ kind }) => kind.kind)
        .toSorted(),
    ).toStrictEqual(['DevMachineTemplate', 'KubeadmConfigTemplate']);
  });

  test('waits with a group of a name whose predecessor is still going', () => {
    const { live: leaving } = recorded('created', (object) =>
      object.kind === 'MachineDeployment'
        ? { ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-11-16T00:00:00Z' } }
        : object,
    );
    const plan = planOf(cluster, leaving);
    expect(applied(plan)).toStrictEqual([]);
    expect(plan.waits[0]?.reason).toContain('predecessor');
  });

  test('keeps a template for as long as any machine was made from it', () => {
    const larger = withGroup(cluster, 'default-worker', { flavorId: 'm1.large' });
    expect(planOf(larger, live).remove).toStrictEqual([]);
  });

  test('chooses the machines that somebody named before their group shrinks, and none otherwise', () => {
    const victim = live.machines.find(({ isControlPlane }) => !isControlPlane);
    const named = [victim?.nodeName ?? ''];
    const smaller = withGroup(cluster, 'default-worker', { nodeCount: 1 });
    expect(planOf(smaller, live, { nodesToRemove: named }).choose).toStrictEqual([victim]);
    expect(planOf(smaller, live, { nodesToRemove: ['somebody-else'] }).choose).toStrictEqual([]);
    expect(planOf(cluster, live, { nodesToRemove: named }).choose).toStrictEqual([]);
  });

  test('lets as many nodes be replaced at once as was asked for', () => {
    const plan = planOf(withGroup(cluster, 'default-worker', { flavorId: 'm1.large' }), live, {
      maxBatchSize: 3,
    });
    expect(plan.apply.find(({ kind }) => kind.kind === 'MachineDeployment')?.object.spec).toMatchObject({
      rollout: { strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 0 } } },
    });
  });
});

describe('an upgrade', () => {
  test('takes the control plane first, and then the workers', () => {
    const to = { ...cluster, kubernetesVersion: 'v1.36.0' };
    const first = planOf(to, live);
    expect(versionIn(first, 'KubeadmControlPlane')).toBe('v1.36.0');
    expect(versionIn(first, 'MachineDeployment')).toBeUndefined();
    expect(first.waits.map(({ reason }) => reason).join()).toContain('default-worker goes to v1.36.0');

    const { live: half } = recorded('upgrading');
    expect(applied(planOf(to, half))).toStrictEqual([]);
    expect(planOf(to, half).waits).toHaveLength(1);

    const { live: risen } = recorded('created', atVersion('v1.36.0', 'v1.35.4'));
    const last = planOf(to, controlPlaneApplied(to, risen));
    expect(versionIn(last, 'MachineDeployment')).toBe('v1.36.0');
    expect(last.waits).toStrictEqual([]);
  });

  test('over several minor versions takes one after the other', () => {
    const to = { ...cluster, kubernetesVersion: 'v1.34.1' };
    const { live: old } = recorded('created', atVersion('v1.32.1', 'v1.32.1'));
    expect(versionIn(planOf(to, old), 'KubeadmControlPlane')).toBe('v1.33.6');
    const { live: next } = recorded('created', atVersion('v1.33.6', 'v1.32.1'));
    expect(versionIn(planOf(to, next), 'KubeadmControlPlane')).toBe('v1.34.1');
  });

  test('lets workers rest on the way where they would fall too far behind', () => {
    const to = { ...cluster, kubernetesVersion: 'v1.36.0' };
    const { live: far } = recorded('created', atVersion('v1.34.2', 'v1.31.4'));
    const plan = planOf(to, controlPlaneApplied(to, far));
    expect(versionIn(plan, 'KubeadmControlPlane')).toBeUndefined();
    expect(versionIn(plan, 'MachineDeployment')).toBe('v1.34.2');
  });

  test('leaves a group alone that has a version of its own', () => {
    const to = withGroup({ ...cluster, kubernetesVersion: 'v1.36.0' }, 'default-worker', {
      kubernetesVersion: 'v1.35.4',
    });
    const { live: risen } = recorded('created', atVersion('v1.36.0', 'v1.35.4'));
    expect(versionIn(planOf(to, risen), 'MachineDeployment')).toBeUndefined();
  });

  test('makes no new group before the control plane can take its nodes', () => {
    const to = {
      ...cluster,
      kubernetesVersion: 'v1.36.0',
      nodeGroups: [...cluster.nodeGroups, plainGroup('extra')],
    };
    expect(applied(planOf(to, live)).join()).not.toContain('extra');
  });
});
