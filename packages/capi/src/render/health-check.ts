import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import { isHealed } from '../group-settings.ts';
import { machineHealthChecks } from '../kinds.ts';
import { clusterNameOf, groupObjectName } from '../names.ts';
import { nodeStartupSeconds, nodeUnreadySeconds, unhealthyLimit } from './limits.ts';
import { rendered, type Rendered } from './rendered.ts';

/** What replaces a group's machines that stay unhealthy; null where the user does without. */
export function renderHealthCheck(
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
  matchLabels: Readonly<Record<string, string>>,
): Rendered | null {
  if (!isHealed(cluster, group)) return null;
  const unready = (status: string): unknown => ({
    type: 'Ready',
    status,
    timeoutSeconds: nodeUnreadySeconds,
  });
  return rendered(
    'health-check',
    machineHealthChecks,
    groupObjectName(cluster, group),
    { cluster, group },
    {
      clusterName: clusterNameOf(cluster),
      selector: { matchLabels },
      checks: {
        nodeStartupTimeoutSeconds: nodeStartupSeconds,
        unhealthyNodeConditions: [unready('Unknown'), unready('False')],
      },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: unhealthyLimit(group.nodeCount) } },
    },
  );
}
