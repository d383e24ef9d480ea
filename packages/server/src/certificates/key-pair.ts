import type { KeyRing } from '../sealing/index.ts';

/** A certificate and its private key (PKCS#8), both PEM. Held in memory only as long as it is used. */
export interface CertificateKeyPair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** How a key pair is stored: the certificate is public, the key is sealed for this record alone. */
export interface CertificateRecord {
  readonly certificatePem: string;
  readonly sealedPrivateKey: string;
}

/** The owner a private key is sealed for; also what a key rotation passes to `KeyRing.reseal`. */
export const certificateOwner = (ref: string): string => `certificate:${ref}`;

export function sealKeyPair(ring: KeyRing, ref: string, pair: CertificateKeyPair): CertificateRecord {
  return {
    certificatePem: pair.certificatePem,
    sealedPrivateKey: ring.seal(pair.privateKeyPem, certificateOwner(ref)),
  };
}

export function openKeyPair(ring: KeyRing, ref: string, record: CertificateRecord): CertificateKeyPair {
  return {
    certificatePem: record.certificatePem,
    privateKeyPem: ring.open(record.sealedPrivateKey, certificateOwner(ref)).toString('utf8'),
  };
}
