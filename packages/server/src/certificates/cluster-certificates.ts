import { readElement } from './der/reader.ts';
import { OID } from './der/object-identifiers.ts';
import type { CaKind } from './ca-kind.ts';
import { issueCertificate, randomSerialBytes } from './certificate.ts';
import type { RandomSerial } from './certificate.ts';
import { commonNameOfCluster, encodeName } from './distinguished-name.ts';
import {
  authorityKeyIdentifier,
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  subjectKeyIdentifier,
} from './extension.ts';
import { DEFAULT_SIGNING_RULES } from './extension-rules.ts';
import { generateRsaKeyPair } from './key-generation.ts';
import type { GenerateRsaKeyPair, RsaKeyPair } from './key-generation.ts';
import type { CertificateKeyPair } from './key-pair.ts';
import { encodePem } from './pem.ts';
import { readPublicKeyInfo } from './public-key.ts';
import type { PublicKeyInfo } from './public-key.ts';

export interface ClusterCertificatesOptions {
  /** The cluster's name, or its uuid where it has none. */
  readonly clusterName: string;
  readonly rsaKeySize?: number;
  readonly termOfValidityDays?: number;
  readonly now: Date;
  readonly randomSerial?: RandomSerial;
  readonly generateKeyPair?: GenerateRsaKeyPair;
}

export interface ClusterCertificates {
  readonly authorities: Readonly<Record<CaKind, CertificateKeyPair>>;
  /** What the service itself uses to talk to the cluster: an administrator, signed by the Kubernetes authority. */
  readonly client: CertificateKeyPair;
}

/** Makes the three authorities of a cluster and the service's client certificate. */
export async function generateClusterCertificates(
  options: ClusterCertificatesOptions,
): Promise<ClusterCertificates> {
  const { rsaKeySize = 2048, generateKeyPair = generateRsaKeyPair } = options;
  const name = encodeName(commonNameOfCluster(options.clusterName));
  const [kubernetes, etcd, frontProxy, client] = await Promise.all([
    generateKeyPair(rsaKeySize),
    generateKeyPair(rsaKeySize),
    generateKeyPair(rsaKeySize),
    generateKeyPair(rsaKeySize),
  ]);
  return {
    authorities: {
      kubernetes: await issueAuthority(name, kubernetes, options),
      etcd: await issueAuthority(name, etcd, options),
      front_proxy: await issueAuthority(name, frontProxy, options),
    },
    client: await issueClient(name, kubernetes, client, options),
  };
}

/** Signs itself, may sign others, and what it signs may not sign in turn. */
async function issueAuthority(
  name: Buffer,
  keys: RsaKeyPair,
  options: ClusterCertificatesOptions,
): Promise<CertificateKeyPair> {
  const publicKey = publicKeyInfo(keys);
  const extensions = [
    basicConstraints({ ca: true, pathLength: 0 }, true),
    keyUsage(['Certificate Sign'], true),
    subjectKeyIdentifier(publicKey.identifier),
  ];
  const content = { issuer: name, subject: name, publicKey: publicKey.der, extensions };
  return keyPair(keys, await issueCertificate({ ...content, ...circumstances(options) }, keys.privateKey));
}

async function issueClient(
  issuer: Buffer,
  authority: RsaKeyPair,
  keys: RsaKeyPair,
  options: ClusterCertificatesOptions,
): Promise<CertificateKeyPair> {
  const publicKey = publicKeyInfo(keys);
  const extensions = [
    keyUsage(['Digital Signature', 'Key Encipherment'], true),
    extendedKeyUsage([OID.clientAuth], false),
    basicConstraints({ ca: false }, true),
    subjectKeyIdentifier(publicKey.identifier),
    authorityKeyIdentifier(publicKeyInfo(authority).identifier),
  ];
  // system:masters is the group that Kubernetes lets do everything.
  const content = {
    issuer,
    subject: encodeName('admin', 'system:masters'),
    publicKey: publicKey.der,
    extensions,
  };
  return keyPair(
    keys,
    await issueCertificate({ ...content, ...circumstances(options) }, authority.privateKey),
  );
}

function circumstances(options: ClusterCertificatesOptions) {
  const {
    now,
    termOfValidityDays = DEFAULT_SIGNING_RULES.termOfValidityDays,
    randomSerial = randomSerialBytes,
  } = options;
  return { now, termOfValidityDays, randomSerial };
}

function publicKeyInfo(keys: RsaKeyPair): PublicKeyInfo {
  return readPublicKeyInfo(readElement(keys.publicKey.export({ format: 'der', type: 'spki' })));
}

function keyPair(keys: RsaKeyPair, certificate: Buffer): CertificateKeyPair {
  return {
    certificatePem: encodePem('CERTIFICATE', certificate),
    privateKeyPem: keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}
