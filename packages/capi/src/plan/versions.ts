import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import type { ClusterObjects, HeldControlPlane, HeldDeployment } from '../cache/held.ts';
import { groupObjectName } from '../names.ts';
import { isSettled } from '../observe/settled.ts';
import type { Wait } from './plan.ts';
import { controlPlaneOf, workersOf } from '../render/render-cluster.ts';
import { compareVersions, minorsAhead, nextVersion } from '../versions/order.ts';
import type { WantedVersions } from '../versions/wanted.ts';

/** Which version each group may go to now; groups that are not among them must wait. */
export interface VersionStep {
  versions: ReadonlyMap<string, string>;
  waits: readonly Wait[];
}

/** A kubelet may be so many minor versions older than the API server. */
const mostSkew = 3;

export const deploymentOf = (
  live: ClusterObjects,
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
): HeldDeployment | null => {
  const name = groupObjectName(cluster, group);
  return live.deployments.find((deployment) => deployment.name === name) ?? null;
};

/** The version that all of the control plane has reached. */
function reached(controlPlane: HeldControlPlane, live: ClusterObjects): string | null {
  return isSettled(controlPlane, live)
    ? controlPlane.version
    : (controlPlane.runningVersion ?? controlPlane.version);
}

/** The oldest version among the workers. */
function oldestWorkers(live: ClusterObjects): string | null {
  const versions = live.deployments.flatMap(({ version }) => (version === null ? [] : [version]));
  return versions.toSorted(compareVersions)[0] ?? null;
}

/**
 * The next versions on the way to those wanted: the control plane first and one minor version at a time, then the
 * workers. They follow at once to the end, and earlier only where they would fall too far behind.
 */
export function versionStep(
  cluster: DesiredCluster,
  wanted: WantedVersions,
  live: ClusterObjects,
): VersionStep {
  const { controlPlane } = live;
  if (controlPlane === null || controlPlane.version === null) return { versions: wanted, waits: [] };
  const masters = controlPlaneOf(cluster);
  const goal = wanted.get(masters.name) ?? controlPlane.version;
  const step = controlPlaneStep(controlPlane, goal, live);
  const versions = new Map([[masters.name, step.version]]);
  const base =
    step.version === controlPlane.version ? reached(controlPlane, live) : controlPlane.runningVersion;
  const waits: Wait[] = step.waiting === null ? [] : [{ nodeGroup: masters.uuid, reason: step.waiting }];
  for (const group of workersOf(cluster)) {
    const running = deploymentOf(live, cluster, group)?.version ?? null;
    const target = wanted.get(group.name) ?? running;
    if (target === null) continue;
    const isReached = base !== null && compareVersions(target, base) <= 0;
    if (isReached || target === running) versions.set(group.name, target);
    else {
      // Falling too far behind, workers take a rest on the way where the control plane is now.
      const rest = step.workersFirst && base !== null ? base : running;
      if (rest !== null) versions.set(group.name, rest);
      const reason = `Node group ${group.name} goes to ${target} when the control plane has reached it.`;
      waits.push({ nodeGroup: group.uuid, reason });
    }
  }
  return { versions, waits };
}

function controlPlaneStep(
  controlPlane: HeldControlPlane,
  goal: string,
  live: ClusterObjects,
): { version: string; waiting: string | null; workersFirst: boolean } {
  const now = controlPlane.version ?? goal;
  // Within a minor version anything can be taken back at once, also while it goes wrong.
  if (minorsAhead(now, goal) <= 0) return { version: goal, waiting: null, workersFirst: false };
  const next = nextVersion(now, goal);
  const stay = (why: string, workersFirst = false) => ({
    version: now,
    waiting: `The control plane goes on from ${now} to ${next} ${why}.`,
    workersFirst,
  });
  if (!isSettled(controlPlane, live)) return stay(`when all of it is at ${now}`);
  const oldest = oldestWorkers(live);
  if (oldest !== null && minorsAhead(oldest, next) > mostSkew)
    return stay(`when the workers of ${oldest} are newer`, true);
  return {
    version: next,
    waiting: next === goal ? null : `The control plane is on its way to ${goal} over ${next}.`,
    workersFirst: false,
  };
}
