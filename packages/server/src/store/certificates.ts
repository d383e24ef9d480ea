import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { CertificateRefs, Schema } from './schema.ts';

/** References for a set of certificates that is still to be made. */
export const drawCertificateRefs = (): CertificateRefs => ({
  ca_cert_ref: randomUUID(),
  magnum_cert_ref: randomUUID(),
  etcd_ca_cert_ref: randomUUID(),
  front_proxy_ca_cert_ref: randomUUID(),
});

export async function deleteCertificates(
  transaction: Transaction<Schema>,
  refs: CertificateRefs,
): Promise<void> {
  const { ca_cert_ref, magnum_cert_ref, etcd_ca_cert_ref, front_proxy_ca_cert_ref } = refs;
  await transaction
    .deleteFrom('certificate')
    .where('ref', 'in', [ca_cert_ref, magnum_cert_ref, etcd_ca_cert_ref, front_proxy_ca_cert_ref])
    .execute();
}

/** Another set of certificates comes into force and the one before it goes: whoever reads sees one or the other. */
export async function replaceCertificates(
  transaction: Transaction<Schema>,
  cluster: CertificateRefs & { uuid: string },
  refs: CertificateRefs,
): Promise<void> {
  await transaction.updateTable('cluster').set(refs).where('uuid', '=', cluster.uuid).execute();
  await deleteCertificates(transaction, cluster);
}
