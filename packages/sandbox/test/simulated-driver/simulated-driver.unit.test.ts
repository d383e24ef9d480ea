import { randomUUID } from 'node:crypto';
import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import {
  memoryObjectStore,
  SimulatedDriver,
  type SimulatedCloud,
  type SimulatedDriverOptions,
} from '@jeroboam/sandbox';
import { beforeEach, describe, expect, test } from 'vitest';

const flavors: Record<string, { name: string; vcpus: number; ramMiB: number }> = {
  small: { name: 'small', vcpus: 2, ramMiB: 2048 },
  narrow: { name: 'narrow', vcpus: 1, ramMiB: 4096 },
  short: { name: 'short', vcpus: 2, ramMiB: 1024 },
};

const cloud: SimulatedCloud = {
  flavor: (ident) => Promise.resolve(flavors[ident] ?? null),
  imageProperty: (ident) => Promise.resolve(ident === 'versioned' ? 'v1.31.4' : null),
};

const group = (name: string, change: Partial<DesiredNodeGroup> = {}): DesiredNodeGroup => ({
  uuid: `${name}-uuid`,
  name,
  role: 'worker',
  isDefault: false,
  nodeCount: 1,
  minNodeCount: 0,
  maxNodeCount: null,
  flavorId: 'small',
  imageId: 'versioned',
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

const cluster = (change: Partial<DesiredCluster> = {}): DesiredCluster => ({
  uuid: 'cluster-uuid',
  name: 'c',
  projectId: 'p',
  userId: 'u',
  stackId: null,
  coe: 'kubernetes',
  serverType: 'vm',
  distro: 'ubuntu',
  imageId: 'versioned',
  kubernetesVersion: null,
  keypair: null,
  flavorId: 'small',
  masterFlavorId: 'small',
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
  masterLbEnabled: false,
  apiserverPort: null,
  tlsDisabled: false,
  httpProxy: null,
  httpsProxy: null,
  noProxy: null,
  registryEnabled: false,
  insecureRegistry: null,
  createTimeout: 60,
  discoveryUrl: null,
  nodeGroups: [group('default-master', { role: 'master' }), group('default-worker')],
  ...change,
});

let clock = 0;
let options: SimulatedDriverOptions;
let driver: SimulatedDriver;

beforeEach(async () => {
  clock = 1000;
  options = { name: 'simulated', store: memoryObjectStore(), cloud, delayMs: 500, now: () => clock };
  driver = await SimulatedDriver.open(options);
});

const change = { verb: 'UPDATE', nodesToRemove: [], maxBatchSize: null } as const;

describe('the simulated driver', () => {
  test('completes a cluster after the delay and tells when to look again', async () => {
    await driver.createCluster(cluster());
    expect(await driver.observeCluster(cluster())).toMatchObject({ phase: 'IN_PROGRESS', lookAgainMs: 500 });
    clock += 499;
    expect(await driver.observeCluster(cluster())).toMatchObject({ phase: 'IN_PROGRESS', lookAgainMs: 1 });
    clock += 1;
    expect(await driver.observeCluster(cluster())).toMatchObject({
      phase: 'COMPLETE',
      coeVersion: '1.31.4',
      nodeGroups: [
        { name: 'default-master', phase: 'COMPLETE' },
        { name: 'default-worker', phase: 'COMPLETE' },
      ],
      health: { status: 'HEALTHY' },
    });
  });

  test('tells of as many machines as its groups want, and how far they are', async () => {
    const wanted = cluster({
      nodeGroups: [group('default-master', { role: 'master' }), group('default-worker', { nodeCount: 2 })],
    });
    expect(await driver.machines(wanted)).toEqual([]);
    await driver.createCluster(wanted);
    const phases = async () => (await driver.machines(wanted)).map(({ phase }) => phase);
    expect(await phases()).toEqual(['Provisioning', 'Provisioning', 'Provisioning']);
    clock += 500;
    expect(await phases()).toEqual(['Running', 'Running', 'Running']);
    const machines = await driver.machines(wanted);
    expect(machines.map(({ nodeGroup }) => nodeGroup)).toEqual([
      'default-master',
      'default-worker',
      'default-worker',
    ]);
    expect(new Set(machines.map(({ name }) => name)).size).toBe(3);
    expect(new Set(machines.map(({ addresses }) => addresses[0]?.address)).size).toBe(3);
    await driver.deleteCluster(wanted);
    expect(await phases()).toEqual(['Deleting', 'Deleting', 'Deleting']);
  });

  test('draws the name of the stack after the cluster', async () => {
    expect((await driver.prepareCluster(cluster())).stackId).toMatch(/^c-[a-z0-9]{12}$/);
  });

  test.each([
    ['narrow', 'Flavor narrow does not have enough CPU to run Kubernetes. Minimum 2 vcpus required.'],
    ['short', 'Flavor short does not have enough memory to run Kubernetes. Minimum 2048 MB required.'],
  ])('refuses a cluster of %s machines before anything is made', async (flavorId, message) => {
    const wanted = cluster({ nodeGroups: [group('default-worker', { flavorId })] });
    await expect(driver.prepareCluster(wanted)).rejects.toThrow(message);
  });

  test('runs the version that the control plane is given, and else the one of its image', async () => {
    const version = async (wanted: DesiredCluster): Promise<string | null> => {
      await driver.createCluster(wanted);
      clock += 500;
      return (await driver.observeCluster(wanted)).coeVersion;
    };
    const master = (change: Partial<DesiredNodeGroup>): DesiredCluster =>
      cluster({ uuid: randomUUID(), nodeGroups: [group('default-master', { role: 'master', ...change })] });
    expect(await version(master({ kubernetesVersion: 'v1.30.9' }))).toBe('1.30.9');
    expect(await version(master({}))).toBe('1.31.4');
    expect(await version(master({ imageId: 'plain' }))).toBeNull();
    expect(await version(master({ imageId: null }))).toBe('1.31.4');
  });

  test('takes a flavor that the cloud does not know for a good one', async () => {
    const wanted = cluster({ nodeGroups: [group('default-worker', { flavorId: 'unknown' })] });
    expect((await driver.prepareCluster(wanted)).stackId).toBeTruthy();
  });

  test('fails clusters whose name asks for it', async () => {
    await expect(driver.createCluster(cluster({ name: 'failhelm-1' }))).rejects.toThrow('failhelm');
    expect((await driver.observeCluster(cluster({ name: 'failhelm-1' }))).phase).toBe('ABSENT');
  });

  test('bears being asked twice to create, as after a crash', async () => {
    await driver.createCluster(cluster());
    await driver.createCluster(cluster({ nodeGroups: [group('default-worker', { nodeCount: 3 })] }));
    clock += 500;
    expect((await driver.observeCluster(cluster())).nodeGroups).toHaveLength(1);
  });

  test('fails a group whose machines are too small, and is well again when it is gone', async () => {
    await driver.createCluster(cluster());
    const groups = [group('default-worker'), group('extra', { flavorId: 'narrow' })];
    await driver.applyCluster(cluster({ nodeGroups: groups }), change);
    clock += 500;
    expect(await driver.observeCluster(cluster())).toMatchObject({
      phase: 'FAILED',
      nodeGroups: [{ phase: 'COMPLETE' }, { name: 'extra', phase: 'FAILED' }],
      health: { status: 'UNHEALTHY' },
    });
    const gone = [group('default-worker'), group('extra', { flavorId: 'narrow', deleting: true })];
    await driver.applyCluster(cluster({ nodeGroups: gone }), change);
    clock += 500;
    expect(await driver.observeCluster(cluster())).toMatchObject({
      phase: 'COMPLETE',
      nodeGroups: [{ phase: 'COMPLETE' }, { name: 'extra', phase: 'ABSENT' }],
    });
  });

  test('removes a cluster after the delay, twice if asked twice, and forgets it in the store', async () => {
    await driver.createCluster(cluster());
    await driver.deleteCluster(cluster());
    await driver.deleteCluster(cluster());
    expect((await driver.observeCluster(cluster())).phase).toBe('IN_PROGRESS');
    clock += 500;
    expect((await driver.observeCluster(cluster())).phase).toBe('ABSENT');
    expect(await options.store.load()).toEqual([]);
    await driver.deleteCluster(cluster());
    expect((await driver.observeCluster(cluster())).phase).toBe('ABSENT');
  });

  test('finds its clusters again after a restart, with the time that is left', async () => {
    await driver.createCluster(cluster());
    clock += 300;
    const again = await SimulatedDriver.open(options);
    expect(await again.observeCluster(cluster())).toMatchObject({ phase: 'IN_PROGRESS', lookAgainMs: 200 });
    clock += 200;
    expect((await again.observeCluster(cluster())).phase).toBe('COMPLETE');
  });

  test('changes nothing that it does not know', async () => {
    await expect(driver.applyCluster(cluster(), change)).rejects.toThrow('The cluster c does not exist');
  });
});

describe('the capabilities of the simulated driver', () => {
  test('let a control plane have any odd size unless told otherwise', async () => {
    expect(driver.validateMasterResize(3)).toBeNull();
    expect(driver.validateMasterResize(2)).toBe(
      'master nodegroup size of 2 is invalid, size cannot be an even number.',
    );
    const fixed = await SimulatedDriver.open({ ...options, capabilities: { controlPlaneResize: false } });
    expect(fixed.validateMasterResize(3)).toBe(
      'Resizing the master nodegroup is not supported by this driver.',
    );
    expect(fixed.validateMasterSize(3)).toBeNull();
  });

  test('rotate credentials but no authorities, unless told otherwise', async () => {
    await driver.createCluster(cluster());
    await driver.rotateCredential(cluster());
    await expect(driver.rotateCaCertificates(cluster())).rejects.toThrow('not supported by this driver');
    const other = await SimulatedDriver.open({
      ...options,
      capabilities: { rotateCaCertificates: true, rotateCredential: false },
    });
    await other.rotateCaCertificates(cluster());
    await expect(other.rotateCredential(cluster())).rejects.toThrow('not supported by driver');
  });
});
