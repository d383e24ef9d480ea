import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import { autoscalingOf } from '../group-settings.ts';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import { kubeadmConfigTemplates, machineDeployments } from '../kinds.ts';
import { autoscalerMaximum, autoscalerMinimum, capiClusterLabel, capiDeploymentLabel } from '../markers.ts';
import { clusterNameOf, groupObjectName, groupSlug, templateName } from '../names.ts';
import { renderMachineTemplate } from './control-plane.ts';
import { renderHealthCheck } from './health-check.ts';
import { deletionLimits, workerRemediation } from './limits.ts';
import { kubeletLabels, machineLabels, taintsOf } from './node-labels.ts';
import { ownLabels, reference, rendered, type Rendered, type RenderedGroup } from './rendered.ts';

/** How nodes of a group join, named after its content: changed in place it would not reach nodes that exist. */
function renderBootstrapTemplate(
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
  infrastructure: Infrastructure,
): Rendered {
  const { kubeletExtraArgs = [], ...registration } = infrastructure.nodeRegistration(cluster, group);
  const taints = taintsOf(group.nodeTaints);
  const spec = {
    joinConfiguration: {
      nodeRegistration: {
        ...registration,
        kubeletExtraArgs: [...kubeletExtraArgs, ...kubeletLabels(group)],
        ...(taints.length === 0 ? {} : { taints }),
      },
    },
  };
  const name = templateName(groupObjectName(cluster, group), spec);
  return rendered('template', kubeadmConfigTemplates, name, { cluster, group }, { template: { spec } });
}

/** A group of workers. `batch`: how many nodes may be replaced at once. */
export function renderNodeGroup(
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
  infrastructure: Infrastructure,
  { version, batch }: { version: string; batch: number },
): RenderedGroup {
  const name = groupObjectName(cluster, group);
  const clusterName = clusterNameOf(cluster);
  const machineTemplate = renderMachineTemplate(cluster, group, infrastructure);
  const bootstrapTemplate = renderBootstrapTemplate(cluster, group, infrastructure);
  const selected = { [capiClusterLabel]: clusterName, [capiDeploymentLabel]: name };
  const failureDomain = infrastructure.failureDomain(cluster, group);
  const bounds = autoscalingOf(cluster, group);
  const deployment = rendered(
    'node-group',
    machineDeployments,
    name,
    { cluster, group },
    {
      clusterName,
      replicas:
        bounds === null
          ? group.nodeCount
          : Math.min(bounds.maximum, Math.max(bounds.minimum, group.nodeCount)),
      // Nodes are added before others go, so that a rollout takes no capacity away.
      rollout: {
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: batch, maxUnavailable: 0 } },
      },
      remediation: workerRemediation,
      selector: { matchLabels: selected },
      template: {
        metadata: {
          labels: {
            ...ownLabels(cluster, group),
            ...selected,
            'node.cluster.x-k8s.io/nodegroup': groupSlug(group),
            ...machineLabels(group),
          },
        },
        spec: {
          clusterName,
          version,
          ...(failureDomain === null ? {} : { failureDomain }),
          bootstrap: { configRef: reference(bootstrapTemplate) },
          infrastructureRef: reference(machineTemplate),
          deletion: deletionLimits,
        },
      },
    },
    bounds === null
      ? {}
      : {
          annotations: {
            [autoscalerMinimum]: String(bounds.minimum),
            [autoscalerMaximum]: String(bounds.maximum),
          },
        },
  );
  const healthCheck = renderHealthCheck(cluster, group, selected);
  return { group, templates: [machineTemplate, bootstrapTemplate], deployment, healthCheck };
}
