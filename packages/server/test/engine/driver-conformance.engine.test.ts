import { ClusterApiDriver, inMemoryInfrastructure } from '@jeroboam/capi';
import type { CertifiedKey, ClusterAuthorities } from '@jeroboam/domain';
import { describeDriver } from '../../../domain/test/driver-conformance/suite.ts';
import { managementClusterOfThisRun } from '../../../sandbox/test/support/management-cluster.ts';
import { generateClusterCertificates, type CertificateKeyPair } from '../../src/certificates/index.ts';

const key = ({ certificatePem, privateKeyPem }: CertificateKeyPair): CertifiedKey => ({
  certificate: certificatePem,
  privateKey: privateKeyPem,
});

async function authorities(): Promise<ClusterAuthorities> {
  const made = await generateClusterCertificates({
    clusterName: 'conformance',
    rsaKeySize: 2048,
    now: new Date(),
  });
  const { kubernetes, etcd, front_proxy: frontProxy } = made.authorities;
  return { kubernetes: key(kubernetes), etcd: key(etcd), frontProxy: key(frontProxy) };
}

describeDriver(
  'k8s_cluster_api_v1',
  () => {
    const management = managementClusterOfThisRun();
    const opened: ClusterApiDriver[] = [];
    const open = (): ClusterApiDriver => {
      const driver = new ClusterApiDriver({
        name: 'k8s_cluster_api_v1',
        infrastructure: inMemoryInfrastructure(),
        access: management.access,
        openEndpoint: (port) => management.openEndpoint(port),
        imageVersion: () => Promise.resolve(null),
      });
      opened.push(driver);
      return driver;
    };
    return Promise.resolve({
      driver: open(),
      authorities,
      reopen: () => Promise.resolve(open()),
      close: () => {
        for (const driver of opened) driver.close();
        return Promise.resolve();
      },
    });
  },
  { limitMs: 120_000, lookMs: 250 },
);
