import type { ClusterAuthorities } from '@jeroboam/domain';
import {
  generateClusterCertificates,
  type ClusterCertificates,
} from '../../../server/src/certificates/cluster-certificates.ts';

/** Authorities as the service makes them, and an administrator that one of them vouches for. */
export async function authoritiesFor(
  clusterName: string,
): Promise<{ authorities: ClusterAuthorities; client: ClusterCertificates['client'] }> {
  const made = await generateClusterCertificates({ clusterName, now: new Date() });
  const pair = (kind: keyof ClusterCertificates['authorities']) => {
    const { certificatePem, privateKeyPem } = made.authorities[kind];
    return { certificate: certificatePem, privateKey: privateKeyPem };
  };
  return {
    authorities: {
      kubernetes: pair('kubernetes'),
      etcd: pair('etcd'),
      frontProxy: pair('front_proxy'),
    },
    client: made.client,
  };
}
