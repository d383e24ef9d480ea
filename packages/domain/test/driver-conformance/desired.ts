import { randomUUID } from 'node:crypto';
import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';

/** A group of workers as plain as can be. */
export const plainGroup = (name: string, change: Partial<DesiredNodeGroup> = {}): DesiredNodeGroup => ({
  uuid: randomUUID(),
  name,
  role: 'worker',
  isDefault: false,
  nodeCount: 1,
  minNodeCount: 0,
  maxNodeCount: null,
  flavorId: 'm1.small',
  imageId: 'ubuntu-kube-v1.35',
  kubernetesVersion: null,
  dockerVolumeSize: null,
  labels: {},
  nodeLabels: {},
  nodeTaints: [],
  rootVolume: null,
  dataVolumes: [],
  availabilityZones: [],
  networks: [],
  securityGroups: [],
  serverGroupPolicy: null,
  updateStrategy: 'rolling',
  deleting: false,
  ...change,
});

/** A cluster of one master and one worker. */
export const plainCluster = (change: Partial<DesiredCluster> = {}): DesiredCluster => ({
  uuid: randomUUID(),
  name: 'conformance',
  projectId: '0123456789abcdef0123456789abcdef',
  userId: 'somebody',
  stackId: null,
  coe: 'kubernetes',
  serverType: 'vm',
  distro: 'ubuntu',
  imageId: 'ubuntu-kube-v1.35',
  kubernetesVersion: 'v1.35.4',
  keypair: null,
  flavorId: 'm1.small',
  masterFlavorId: 'm1.small',
  labels: {},
  dockerVolumeSize: null,
  dockerStorageDriver: null,
  networkDriver: null,
  volumeDriver: null,
  externalNetworkId: null,
  fixedNetwork: null,
  fixedSubnet: null,
  dnsNameserver: null,
  floatingIpEnabled: true,
  masterLbEnabled: true,
  apiserverPort: null,
  tlsDisabled: false,
  httpProxy: null,
  httpsProxy: null,
  noProxy: null,
  registryEnabled: false,
  insecureRegistry: null,
  createTimeout: 60,
  discoveryUrl: null,
  nodeGroups: [
    plainGroup('default-master', { role: 'master', isDefault: true }),
    plainGroup('default-worker', { isDefault: true }),
  ],
  ...change,
});

/** The same cluster with one of its groups changed. */
export const withGroup = (
  cluster: DesiredCluster,
  name: string,
  change: Partial<DesiredNodeGroup>,
): DesiredCluster => ({
  ...cluster,
  nodeGroups: cluster.nodeGroups.map((group) => (group.name === name ? { ...group, ...change } : group)),
});
