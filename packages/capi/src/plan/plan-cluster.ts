import type { DesiredCluster } from '@jeroboam/domain';
import type { ClusterObjects } from '../cache/held.ts';
import { autoscalingOf } from '../group-settings.ts';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import { isRolling, isSettled } from '../observe/settled.ts';
import { renderCluster, workersOf } from '../render/render-cluster.ts';
import { inOrder, type RenderedCluster, type RenderedGroup } from '../render/rendered.ts';
import type { WantedVersions } from '../versions/wanted.ts';
import { differs, noted } from './difference.ts';
import { machinesToChoose } from './nodes-to-remove.ts';
import type { Plan, Wait } from './plan.ts';
import { unusedTemplates, unwanted } from './remove.ts';
import { heldBack, unsized, wouldRoll } from './rolling.ts';
import { deploymentOf, versionStep } from './versions.ts';

export interface PlanInput {
  cluster: DesiredCluster;
  wanted: WantedVersions;
  live: ClusterObjects;
  infrastructure: Infrastructure;
  nodesToRemove: readonly string[];
  maxBatchSize: number | null;
}

/** What to do next so that what is there becomes what is desired. Pure: the same input gives the same plan. */
export function planCluster(input: PlanInput): Plan {
  const { cluster, wanted, live, infrastructure } = input;
  const step = versionStep(cluster, wanted, live);
  // A new group waits until the control plane has a version that its nodes can join.
  const joining = workersOf(cluster).filter((group) => step.versions.has(group.name));
  const masters = cluster.nodeGroups.filter((group) => !workersOf(cluster).includes(group));
  const rendered = renderCluster(
    { ...cluster, nodeGroups: [...masters, ...joining] },
    {
      infrastructure,
      versions: step.versions,
      batch: Math.max(1, input.maxBatchSize ?? 1),
      liveInfrastructure: live.infrastructureCluster?.spec ?? null,
    },
  );
  const turns = takeTurns(cluster, rendered, live);
  const due = { ...rendered, groups: turns.groups };
  const objects = inOrder(due).map(noted);
  return {
    choose: machinesToChoose(cluster, live, input.nodesToRemove),
    apply: objects.filter((object) => differs(object, live)),
    standing: objects.filter((object) => object.stage !== 'template' && !differs(object, live)),
    remove: [...unwanted(cluster, live, due), ...unusedTemplates(live, rendered, infrastructure)],
    waits: [...step.waits, ...turns.waits],
  };
}

/**
 * Nodes of one group are replaced at a time, and none while the control plane's are; what replaces no nodes is done
 * for all groups at once.
 */
function takeTurns(
  cluster: DesiredCluster,
  rendered: RenderedCluster,
  live: ClusterObjects,
): { groups: RenderedGroup[]; waits: Wait[] } {
  const isControlPlaneBusy =
    live.controlPlane !== null &&
    (!isSettled(live.controlPlane, live) || differs(noted(rendered.controlPlane.controlPlane), live));
  const staying = live.deployments.filter(({ deletingSince }) => deletingSince === null);
  let rolling = isControlPlaneBusy
    ? 'the control plane'
    : (staying.find((deployment) => isRolling(deployment, live))?.name ?? null);
  const waits: Wait[] = [];
  const groups: RenderedGroup[] = [];
  for (const group of rendered.groups) {
    const { name, uuid: nodeGroup } = group.group;
    const deployment = deploymentOf(live, cluster, group.group);
    if (deployment === null) groups.push(group);
    else if (deployment.deletingSince !== null)
      waits.push({ nodeGroup, reason: `Node group ${name} is made anew when its predecessor is gone.` });
    else {
      const sized = autoscalingOf(cluster, group.group) === null ? group : unsized(group);
      const mayRoll = rolling === null || rolling === deployment.name;
      if (!wouldRoll(group, deployment)) groups.push(sized);
      else if (mayRoll) {
        rolling = deployment.name;
        groups.push(sized);
      } else {
        waits.push({ nodeGroup, reason: `Nodes of ${name} are replaced after those of ${rolling ?? ''}.` });
        groups.push(heldBack(sized, deployment));
      }
    }
  }
  return { groups, waits };
}
