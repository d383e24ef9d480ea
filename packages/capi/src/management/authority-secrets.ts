import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { CertifiedKey, ClusterAuthorities, DesiredCluster } from '@jeroboam/domain';
import { KubeError, secrets, type KubeObject } from '@jeroboam/kubernetes';
import { capiClusterLabel } from '../markers.ts';
import { clusterNameOf, namespaceOf } from '../names.ts';
import { ownLabels } from '../render/rendered.ts';
import type { Session } from './session.ts';

const generate = promisify(generateKeyPair);

/** What Cluster API looks for before it makes authorities of its own. */
const suffixes = ['ca', 'etcd', 'proxy', 'sa'] as const;
type Suffix = (typeof suffixes)[number];

/** The pair that service accounts' tokens are signed and checked with; no certificate, but kept in the same way. */
async function serviceAccountPair(): Promise<CertifiedKey> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 });
  return {
    certificate: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs1' }).toString(),
  };
}

function secretOf(
  cluster: DesiredCluster,
  suffix: Suffix,
  { certificate, privateKey }: CertifiedKey,
): KubeObject {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const name = clusterNameOf(cluster);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${name}-${suffix}`,
      namespace: namespaceOf(cluster),
      labels: { ...ownLabels(cluster, null), [capiClusterLabel]: name },
    },
    type: 'cluster.x-k8s.io/secret',
    data: { 'tls.crt': base64(certificate), 'tls.key': base64(privateKey) },
  };
}

/**
 * Places the cluster's authorities before its control plane is made, so that certificates signed by the service are
 * good for it. Those that are there stay: a cluster whose authorities change under it is lost.
 */
export async function placeAuthorities(
  { client }: Session,
  cluster: DesiredCluster,
  authorities: () => Promise<ClusterAuthorities>,
): Promise<void> {
  const name = clusterNameOf(cluster);
  const { items } = await client.list(
    secrets,
    { namespace: namespaceOf(cluster), labelSelector: `${capiClusterLabel}=${name}` },
    (secret) => secret.metadata.name,
  );
  const absent = suffixes.filter((suffix) => !items.includes(`${name}-${suffix}`));
  if (absent.length === 0) return;
  const { kubernetes, etcd, frontProxy } = await authorities();
  const pairs: Record<Suffix, () => Promise<CertifiedKey>> = {
    ca: () => Promise.resolve(kubernetes),
    etcd: () => Promise.resolve(etcd),
    proxy: () => Promise.resolve(frontProxy),
    sa: serviceAccountPair,
  };
  for (const suffix of absent) {
    try {
      await client.create(secrets, secretOf(cluster, suffix, await pairs[suffix]()));
    } catch (error) {
      if (!(error instanceof KubeError && error.conflict)) throw error;
    }
  }
}

export async function removeAuthorities({ client }: Session, cluster: DesiredCluster): Promise<void> {
  const name = clusterNameOf(cluster);
  await Promise.all(
    suffixes.map((suffix) => client.delete(secrets, `${name}-${suffix}`, namespaceOf(cluster))),
  );
}
