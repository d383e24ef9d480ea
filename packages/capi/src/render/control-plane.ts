import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import { kubeadmControlPlanes } from '../kinds.ts';
import { capiClusterLabel, capiControlPlaneLabel } from '../markers.ts';
import { clusterNameOf, groupObjectName, templateName } from '../names.ts';
import { renderHealthCheck } from './health-check.ts';
import { certificatesExpiryDays, controlPlaneRemediation, deletionLimits } from './limits.ts';
import { ownLabels, reference, rendered, type Rendered, type RenderedControlPlane } from './rendered.ts';

/** A template for machines, named after its content. */
export function renderMachineTemplate(
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
  infrastructure: Infrastructure,
): Rendered {
  const template = infrastructure.machineTemplate(cluster, group);
  const name = templateName(groupObjectName(cluster, group), template);
  return rendered('template', infrastructure.kinds.machineTemplate, name, { cluster, group }, { template });
}

export function renderControlPlane(
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
  infrastructure: Infrastructure,
  version: string,
): RenderedControlPlane {
  const machineTemplate = renderMachineTemplate(cluster, group, infrastructure);
  // The first member and those that join are compared with each other: a difference would replace machines.
  const registration = { nodeRegistration: infrastructure.nodeRegistration(cluster, group) };
  const controlPlane = rendered(
    'control-plane',
    kubeadmControlPlanes,
    groupObjectName(cluster, group),
    { cluster, group },
    {
      replicas: group.nodeCount,
      version,
      rollout: {
        before: { certificatesExpiryDays },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
      },
      remediation: controlPlaneRemediation,
      machineTemplate: {
        metadata: { labels: ownLabels(cluster, group) },
        spec: { infrastructureRef: reference(machineTemplate), deletion: deletionLimits },
      },
      kubeadmConfigSpec: {
        clusterConfiguration: { apiServer: { certSANs: infrastructure.apiServerNames(cluster) } },
        initConfiguration: registration,
        joinConfiguration: registration,
      },
    },
  );
  const healthCheck = renderHealthCheck(cluster, group, {
    [capiClusterLabel]: clusterNameOf(cluster),
    [capiControlPlaneLabel]: '',
  });
  return { templates: [machineTemplate], controlPlane, healthCheck };
}
