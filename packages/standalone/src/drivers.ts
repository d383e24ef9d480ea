import { ClusterApiDriver, inMemoryInfrastructure } from '@jeroboam/capi';
import type { Driver } from '@jeroboam/domain';
import { DriverRegistry } from '@jeroboam/domain';
import { KubeconfigError, readKubeconfig } from '@jeroboam/kubernetes';
import { sessionForCredentials } from '@jeroboam/openstack';
import type { ObjectStore } from '@jeroboam/sandbox';
import { SimulatedDriver, simulatedCloud } from '@jeroboam/sandbox';
import type { ServerOptions } from '@jeroboam/server';
import type { Logger } from 'pino';

import type { BackgroundCluster, ManagementPlan } from './management.ts';
import { bringUpInBackground } from './management.ts';
import type { Settings } from './settings/index.ts';
import { messageOf, StartError } from './start-error.ts';

const clusterApi = 'k8s_cluster_api_v1';
/** Names of the drivers for Magnum that templates and clusters may have from before. */
const formerNames = [
  'k8s_capi_helm_v1',
  'k8s_cluster_api_ubuntu',
  'k8s_cluster_api_ubuntu_focal',
  'k8s_cluster_api_flatcar',
  'k8s_cluster_api_rockylinux',
  'k8s_cluster_api_debian',
];

export interface Drivers {
  registry: DriverRegistry;
  close(): Promise<void>;
}

/** The drivers of this start. The simulated one gives way to Cluster API under the name that clients know. */
export async function openDrivers(parts: {
  settings: Settings;
  plan: ManagementPlan;
  /** Where a management cluster of our own has its data. */
  directory: string;
  keystone: ServerOptions['keystone'];
  /** Where simulated clusters are kept. */
  store: ObjectStore;
  logger: Logger;
}): Promise<Drivers> {
  const { settings, plan, keystone, store, logger } = parts;
  const session = sessionForCredentials(
    keystone.authUrl,
    { kind: 'password', ...keystone },
    { region: keystone.region ?? null, interface: keystone.interface ?? 'public' },
  );
  const cloud = simulatedCloud(session);
  const isSimulated = plan.kind === 'simulated';
  const simulated = await simulatedDrivers(
    { store, cloud, delayMs: settings.simulatedDriverDelay },
    isSimulated,
  );
  if (isSimulated) return { registry: registryOf(simulated, settings), close: () => Promise.resolve() };

  const imageVersion = (image: string): Promise<string | null> => cloud.imageProperty(image, 'kube_version');
  const { driver, close } = clusterApiDriver(
    { ...parts, logger: logger.child({ part: 'capi' }) },
    imageVersion,
  );
  try {
    return { registry: registryOf([driver, ...simulated], settings, driver), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The simulated driver twice: with control planes that can be resized, under the name that the recordings of the real service
 * expect where nobody else has it, and once more with control planes that cannot. The second is only used by name.
 */
async function simulatedDrivers(
  common: Pick<Parameters<typeof SimulatedDriver.open>[0], 'store' | 'cloud' | 'delayMs'>,
  isAlone: boolean,
): Promise<Driver[]> {
  return [
    await SimulatedDriver.open({
      ...common,
      ...(isAlone ? { name: 'k8s_capi_helm_v1' } : { name: 'simulated', provides: [] }),
    }),
    await SimulatedDriver.open({
      ...common,
      name: 'simulated_fixed_control_plane',
      capabilities: { controlPlaneResize: false, rotateCaCertificates: true },
      provides: [],
    }),
  ];
}

function clusterApiDriver(
  { plan, directory, logger }: { plan: ManagementPlan; directory: string; logger: Logger },
  imageVersion: (image: string) => Promise<string | null>,
): { driver: ClusterApiDriver; close: () => Promise<void> } {
  const common = {
    name: clusterApi,
    infrastructure: inMemoryInfrastructure(),
    imageVersion,
    log: (message: string) => logger.info(message),
  };
  if (plan.kind === 'kubeconfig') {
    const driver = new ClusterApiDriver({ ...common, access: accessFrom(plan.file) });
    return { driver, close: () => Promise.resolve(driver.close()) };
  }
  let box: BackgroundCluster | null = null;
  const driver = new ClusterApiDriver({
    ...common,
    openEndpoint: (port) => box?.openEndpoint(port) ?? Promise.reject(new Error('there is no box yet')),
  });
  const opened = bringUpInBackground({ directory, driver, logger });
  box = opened;
  return { driver, close: () => opened.close() };
}

function accessFrom(file: string): ReturnType<typeof readKubeconfig> {
  try {
    return readKubeconfig(file);
  } catch (error) {
    if (error instanceof KubeconfigError) throw new StartError(`kubeconfig: ${error.message}`);
    throw error;
  }
}

function registryOf(
  drivers: readonly Driver[],
  settings: Settings,
  clusterApiDriver?: ClusterApiDriver,
): DriverRegistry {
  const aliases =
    clusterApiDriver === undefined
      ? {}
      : Object.fromEntries(formerNames.map((name) => [name, clusterApiDriver.name]));
  try {
    return new DriverRegistry(drivers, {
      defaultDriver: settings.defaultDriver ?? clusterApiDriver?.name ?? null,
      aliases,
    });
  } catch (error) {
    throw new StartError(`default_driver: ${messageOf(error)}`);
  }
}
