import { describeDriver } from '../../domain/test/driver-conformance/suite.ts';
import { authoritiesFor } from './support/authorities.ts';
import { openDriver } from './support/driver.ts';

describeDriver(
  'k8s_cluster_api_v1',
  async () => {
    const drivers = [openDriver()];
    const [driver] = drivers;
    const { authorities } = await authoritiesFor('conformance');
    const reopen = () => {
      const another = openDriver();
      drivers.push(another);
      return Promise.resolve(another);
    };
    return {
      driver: driver ?? openDriver(),
      authorities: () => Promise.resolve(authorities),
      reopen,
      close: () => {
        for (const opened of drivers) opened.close();
        return Promise.resolve();
      },
    };
  },
  { limitMs: 180_000, lookMs: 500 },
);
