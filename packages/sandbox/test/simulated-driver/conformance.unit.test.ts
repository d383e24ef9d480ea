import { memoryObjectStore, SimulatedDriver, type SimulatedCloud } from '@jeroboam/sandbox';
import { describeDriver } from '../../../domain/test/driver-conformance/suite.ts';

const cloud: SimulatedCloud = {
  flavor: (ident) => Promise.resolve({ name: ident, vcpus: 2, ramMiB: 4096 }),
  imageProperty: () => Promise.resolve('v1.35.4'),
};

const key = { certificate: 'a certificate', privateKey: 'a key' };

for (const controlPlaneResize of [true, false]) {
  const name = controlPlaneResize ? 'simulated' : 'simulated_fixed_control_plane';
  describeDriver(
    name,
    async () => {
      const store = memoryObjectStore();
      const open = (): Promise<SimulatedDriver> =>
        SimulatedDriver.open({ name, store, cloud, delayMs: 5, capabilities: { controlPlaneResize } });
      return {
        driver: await open(),
        authorities: () => Promise.resolve({ kubernetes: key, etcd: key, frontProxy: key }),
        reopen: open,
        close: () => Promise.resolve(),
      };
    },
    { limitMs: 5_000, lookMs: 10 },
  );
}
