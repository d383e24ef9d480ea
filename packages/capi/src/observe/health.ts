import type { HealthStatus } from '@jeroboam/domain';
import type { ClusterObjects, HeldCluster, HeldObject } from '../cache/held.ts';
import { isTrue, remark } from './conditions.ts';
import { isSettled } from './settled.ts';

export interface Health {
  status: HealthStatus;
  reason: Readonly<Record<string, string>>;
}

const ready = 'Ready';

const word = (object: HeldObject | null, types: readonly string[], absent: string): string =>
  object === null ? absent : (remark(object, types) ?? missing(object, types) ?? ready);

/** A condition that was never reported is not known to be well. */
function missing(object: HeldObject, types: readonly string[]): string | null {
  const unknown = types.find((type) => object.conditions.every((condition) => condition.type !== type));
  return unknown === undefined ? null : `${object.kind} ${object.name}: ${unknown} is not known yet`;
}

/** Health as the conditions tell it, under the four keys that Magnum's users of Cluster API know. */
export function healthOf(cluster: HeldCluster, live: ClusterObjects): Health {
  const groups = live.deployments
    .filter(({ deletingSince }) => deletingSince === null)
    .map((deployment) => word(deployment, ['Available'], ready))
    .filter((text) => text !== ready);
  const reason = {
    cluster: word(cluster, ['Available'], ready),
    infrastructure: word(cluster, ['InfrastructureReady'], ready),
    controlplane: word(
      live.controlPlane,
      // While members come and go, some are always not up yet or no more; what counts then is that it works.
      live.controlPlane !== null && isSettled(live.controlPlane, live)
        ? ['Available', 'EtcdClusterHealthy', 'ControlPlaneComponentsHealthy']
        : ['Available'],
      'The control plane is not there',
    ),
    nodegroup: groups.length === 0 ? ready : groups.join('; '),
  };
  if (Object.values(reason).every((text) => text === ready)) return { status: 'HEALTHY', reason };
  // What cannot be reached, or was never up, is not known to be ill.
  const isKnown = cluster.controlPlaneInitialized && isTrue(cluster, 'RemoteConnectionProbe');
  return { status: isKnown ? 'UNHEALTHY' : 'UNKNOWN', reason };
}
