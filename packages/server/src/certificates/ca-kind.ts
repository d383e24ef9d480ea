/** The three authorities of a cluster, by what they vouch for. */
export const CA_KINDS = ['kubernetes', 'etcd', 'front_proxy'] as const;
export type CaKind = (typeof CA_KINDS)[number];

/** Magnum's rule for `ca_cert_type`: two spellings for the front proxy, and everything it does not know is Kubernetes. */
export function caKindFor(caCertType: string | undefined): CaKind {
  if (caCertType === 'etcd') return 'etcd';
  if (caCertType === 'front_proxy' || caCertType === 'front-proxy') return 'front_proxy';
  return 'kubernetes';
}
