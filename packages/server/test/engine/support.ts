import { ClusterApiDriver, inMemoryInfrastructure } from '@jeroboam/capi';
import { DriverRegistry } from '@jeroboam/domain';
import { KubeClient } from '@jeroboam/kubernetes';
import {
  managementClusterOfThisRun,
  type TestManagementCluster,
} from '../../../sandbox/test/support/management-cluster.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';

/** The whole service in front of a real management cluster. */
export interface EngineService {
  service: TestService;
  driver: ClusterApiDriver;
  management: TestManagementCluster;
  client: KubeClient;
  close(): Promise<void>;
}

/** As the images of the sandbox cloud say of themselves. */
const imageVersions: Readonly<Record<string, string>> = {
  'ubuntu-kube-v1.31': 'v1.31.4',
  'ubuntu-kube-v1.32': 'v1.32.1',
};

export const driverName = 'k8s_cluster_api_v1';

export async function startEngineService(): Promise<EngineService> {
  const management = managementClusterOfThisRun();
  const driver = new ClusterApiDriver({
    name: driverName,
    infrastructure: inMemoryInfrastructure(),
    access: management.access,
    openEndpoint: (port) => management.openEndpoint(port),
    imageVersion: (image) => Promise.resolve(imageVersions[image] ?? null),
  });
  const service = await startTestService({
    change: (options) => ({
      ...options,
      drivers: new DriverRegistry([driver], { defaultDriver: driverName }),
    }),
  });
  const client = new KubeClient(management.access);
  return {
    service,
    driver,
    management,
    client,
    async close() {
      await service.close();
      driver.close();
      client.close();
    },
  };
}

/** Asks until the answer is as wanted; says what it was last when it never is. */
export async function until(
  ask: () => Promise<TestAnswer>,
  isSo: (answer: TestAnswer) => boolean,
  limitMs = 240_000,
): Promise<TestAnswer> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`still ${answer.status} ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** The cluster once nothing is in progress on it. */
export const settledCluster = (service: TestService, cluster: string): Promise<TestAnswer> =>
  until(
    () => service.request('demo', 'GET', `/v1/clusters/${cluster}`),
    ({ status, body }) => status !== 200 || !String(body.status).endsWith('_IN_PROGRESS'),
  );
