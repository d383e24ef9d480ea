import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import { devKinds } from '../kinds.ts';
import type { Infrastructure } from './infrastructure.ts';

/** How long the parts of a made-up machine take to start, such as `2s`. */
export interface StartupDurations {
  machine: string;
  node: string;
  apiServer: string;
  etcd: string;
}

const quick: StartupDurations = { machine: '2s', node: '1s', apiServer: '1s', etcd: '1s' };

const provisioning = (startupDuration: string): unknown => ({
  provisioning: { startupDuration, startupJitter: '0' },
});

/** Machines that exist only in the memory of Cluster API's own development provider, and behave like real ones. */
export function inMemoryInfrastructure(durations: Partial<StartupDurations> = {}): Infrastructure {
  const { machine, node, apiServer, etcd } = { ...quick, ...durations };
  return {
    name: 'in-memory',
    kinds: devKinds,
    clusterSpec: () => ({ backend: { inMemory: {} } }),
    machineTemplate: (cluster, group) => ({
      // Such machines have no size and no disk; noted here, a change of these still replaces them as it should.
      metadata: { annotations: wishes(cluster, group) },
      spec: {
        backend: {
          inMemory: {
            vm: provisioning(machine),
            node: provisioning(node),
            ...(group.role === 'master'
              ? { apiServer: provisioning(apiServer), etcd: provisioning(etcd) }
              : {}),
          },
        },
      },
    }),
    failureDomain: () => null,
    nodeRegistration: () => ({ criSocket: 'unix:///var/run/containerd/containerd.sock' }),
    apiServerNames: () => ['localhost', '127.0.0.1'],
  };
}

function wishes(cluster: DesiredCluster, group: DesiredNodeGroup): Record<string, string> {
  const flavor = group.role === 'master' ? cluster.masterFlavorId : cluster.flavorId;
  const said: Record<string, unknown> = {
    flavor: group.flavorId ?? flavor,
    image: group.imageId ?? cluster.imageId,
    keypair: cluster.keypair,
    'docker-volume-size': group.dockerVolumeSize,
    'root-volume': group.rootVolume,
    'data-volumes': group.dataVolumes,
    'availability-zones': group.availabilityZones,
    networks: group.networks,
    'security-groups': group.securityGroups,
    'server-group-policy': group.serverGroupPolicy,
  };
  const isSaid = (value: unknown): boolean =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(said)
      .filter(([, value]) => isSaid(value))
      .map(([name, value]) => [`machine.jeroboam.io/${name}`, text(value)]),
  );
}
