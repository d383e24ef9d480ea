import { MissingKeyError, type KeyRing } from '../sealing/index.ts';
import { clusterNotFound } from '../clusters/find.ts';
import type { CertificateRefs, ClusterRow, Store } from '../store/index.ts';
import type { CaKind } from './ca-kind.ts';
import { generateClusterCertificates } from './cluster-certificates.ts';
import { certificateOwner, openKeyPair, sealKeyPair, type CertificateKeyPair } from './key-pair.ts';

/** Where the certificates of clusters are kept: private keys sealed, each for its own row. */
export interface CertificateVault {
  /** The authority of a cluster; made now if the conductor has not come to it yet. */
  authority(cluster: ClusterRow, kind: CaKind): Promise<CertificateKeyPair>;
  /** Makes what is missing of a cluster's certificates. */
  ensure(cluster: ClusterRow): Promise<void>;
  /** Makes a whole set for a rotation, beside the one in force; the same references are made once. */
  prepare(cluster: ClusterRow, refs: CertificateRefs): Promise<void>;
  /** Seals every key anew that is not sealed by the primary key; answers how many were. */
  reseal(): Promise<number>;
}

type Named = Pick<ClusterRow, 'uuid' | 'name'>;

const authorityRefs = (refs: CertificateRefs): Record<CaKind, string> => ({
  kubernetes: refs.ca_cert_ref,
  etcd: refs.etcd_ca_cert_ref,
  front_proxy: refs.front_proxy_ca_cert_ref,
});

const resealBatch = 200;

export interface VaultOptions {
  rsaKeySize: number;
  now?: () => Date;
  /** Reads the keys anew: another process may have added one and sealed with it. */
  reloadRing?: () => Promise<KeyRing>;
}

export function createVault(store: Store, keys: KeyRing, options: VaultOptions): CertificateVault {
  const { database } = store;
  let ring = keys;
  /** One generation of a set at a time: four RSA keys are a good part of a second of CPU. */
  const running = new Map<string, Promise<void>>();

  async function generate(cluster: Named, refs: CertificateRefs): Promise<void> {
    const certificates = await generateClusterCertificates({
      clusterName: cluster.name,
      rsaKeySize: options.rsaKeySize,
      now: options.now?.() ?? new Date(),
    });
    const { authorities, client } = certificates;
    const pairs: [string, CertificateKeyPair][] = [
      [refs.ca_cert_ref, authorities.kubernetes],
      [refs.etcd_ca_cert_ref, authorities.etcd],
      [refs.front_proxy_ca_cert_ref, authorities.front_proxy],
      [refs.magnum_cert_ref, client],
    ];
    const rows = pairs.map(([ref, pair]) => {
      const record = sealKeyPair(ring, ref, pair);
      return {
        ref,
        cluster_uuid: cluster.uuid,
        certificate_pem: record.certificatePem,
        sealed_private_key: record.sealedPrivateKey,
      };
    });
    // All four or none, and the first writer wins: another server may have been as quick.
    await database
      .insertInto('certificate')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function load(ref: string): Promise<CertificateKeyPair | null> {
    const row = await database
      .selectFrom('certificate')
      .selectAll()
      .where('ref', '=', ref)
      .executeTakeFirst();
    if (row === undefined) return null;
    const record = { certificatePem: row.certificate_pem, sealedPrivateKey: row.sealed_private_key };
    try {
      return openKeyPair(ring, ref, record);
    } catch (error) {
      if (!(error instanceof MissingKeyError) || options.reloadRing === undefined) throw error;
      ring = await options.reloadRing();
      return openKeyPair(ring, ref, record);
    }
  }

  async function prepare(cluster: Named, refs: CertificateRefs): Promise<void> {
    const known = await database
      .selectFrom('certificate')
      .select('ref')
      .where('ref', '=', refs.ca_cert_ref)
      .executeTakeFirst();
    if (known !== undefined) return;
    const key = refs.ca_cert_ref;
    const flight = running.get(key) ?? generate(cluster, refs).finally(() => running.delete(key));
    running.set(key, flight);
    await flight;
  }

  /** The references in force now: a rotation may have come between the reading of a cluster and its use. */
  async function currentRefs(uuid: string): Promise<CertificateRefs> {
    const row = await database
      .selectFrom('cluster')
      .select(['ca_cert_ref', 'magnum_cert_ref', 'etcd_ca_cert_ref', 'front_proxy_ca_cert_ref'])
      .where('uuid', '=', uuid)
      .executeTakeFirst();
    if (row === undefined) throw clusterNotFound(uuid);
    return row;
  }

  return {
    prepare,
    ensure: (cluster) => prepare(cluster, cluster),
    async authority(cluster, kind) {
      const found = await load(authorityRefs(cluster)[kind]);
      if (found !== null) return found;
      const current = await currentRefs(cluster.uuid);
      await prepare(cluster, current);
      const made = await load(authorityRefs(current)[kind]);
      if (made === null)
        throw new Error(`the ${kind} authority of cluster ${cluster.uuid} is missing from the store`);
      return made;
    },
    async reseal() {
      let count = 0;
      let after = '00000000-0000-0000-0000-000000000000';
      for (;;) {
        const rows = await database
          .selectFrom('certificate')
          .select(['ref', 'sealed_private_key'])
          .where('ref', '>', after)
          .orderBy('ref')
          .limit(resealBatch)
          .execute();
        if (rows.length === 0) return count;
        for (const row of rows) {
          after = row.ref;
          if (!ring.needsReseal(row.sealed_private_key)) continue;
          await database
            .updateTable('certificate')
            .set({ sealed_private_key: ring.reseal(row.sealed_private_key, certificateOwner(row.ref)) })
            .where('ref', '=', row.ref)
            .execute();
          count += 1;
        }
      }
    },
  };
}
