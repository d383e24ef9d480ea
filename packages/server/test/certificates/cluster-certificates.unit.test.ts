import { createPrivateKey, X509Certificate } from 'node:crypto';

import { beforeAll, describe, expect, test } from 'vitest';

import { CA_KINDS, generateClusterCertificates } from '../../src/certificates/index.ts';
import type { ClusterCertificates } from '../../src/certificates/index.ts';
import { chainVerifies, notPrinted, printed } from './support/openssl.ts';

const now = new Date('2026-11-15T18:50:05.123Z');
const longName = `a-name-of-two-hundred-and-forty-two-characters-${'x'.repeat(195)}`;

describe('the certificates of a new cluster', () => {
  let made: ClusterCertificates;
  beforeAll(async () => {
    made = await generateClusterCertificates({ clusterName: 'c-a', now });
  });

  test('each authority is named after the cluster, signs itself and may only sign certificates of end entities', () => {
    for (const kind of CA_KINDS) {
      const { certificatePem } = made.authorities[kind];
      const certificate = new X509Certificate(certificatePem);
      expect(certificate.subject).toBe('CN=c-a');
      expect(certificate.ca).toBe(true);
      expect(chainVerifies(certificatePem, certificatePem)).toBe(true);
      expect(
        notPrinted(certificatePem, [
          'X509v3 Basic Constraints: critical\n                CA:TRUE, pathlen:0\n',
          'X509v3 Key Usage: critical\n                Certificate Sign\n',
          'X509v3 Subject Key Identifier:',
          'sha256WithRSAEncryption',
          'Public-Key: (2048 bit)',
        ]),
      ).toEqual([]);
      expect(printed(certificatePem, ['CRL Sign'])).toEqual([]);
    }
  });

  test('the three authorities have keys of their own, so that etcd does not trust what Kubernetes signs', () => {
    const keys = CA_KINDS.map((kind) => made.authorities[kind].privateKeyPem);
    expect(new Set([...keys, made.client.privateKeyPem]).size).toBe(4);
    const { kubernetes, etcd } = made.authorities;
    const client = new X509Certificate(made.client.certificatePem);
    expect(client.verify(new X509Certificate(kubernetes.certificatePem).publicKey)).toBe(true);
    expect(client.verify(new X509Certificate(etcd.certificatePem).publicKey)).toBe(false);
  });

  test('the client certificate is an administrator of the cluster, for client authentication only', () => {
    const certificate = new X509Certificate(made.client.certificatePem);
    expect(certificate.subject).toBe('CN=admin\nO=system:masters');
    expect(chainVerifies(made.client.certificatePem, made.authorities.kubernetes.certificatePem)).toBe(true);
    expect(
      notPrinted(made.client.certificatePem, [
        'X509v3 Key Usage: critical\n                Digital Signature, Key Encipherment\n',
        'X509v3 Extended Key Usage: \n                TLS Web Client Authentication\n',
        'X509v3 Basic Constraints: critical\n                CA:FALSE\n',
      ]),
    ).toEqual([]);
    expect(printed(made.client.certificatePem, ['TLS Web Server Authentication'])).toEqual([]);
  });

  test('every private key is PKCS#8 and belongs to its certificate', () => {
    for (const pair of [...CA_KINDS.map((kind) => made.authorities[kind]), made.client]) {
      expect(pair.privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
      expect(
        new X509Certificate(pair.certificatePem).checkPrivateKey(createPrivateKey(pair.privateKeyPem)),
      ).toBe(true);
    }
  });

  test('validity starts a day early and lasts five years', () => {
    const certificate = new X509Certificate(made.authorities.kubernetes.certificatePem);
    expect(new Date(certificate.validFrom).toISOString()).toBe('2026-11-14T18:50:05.000Z');
    expect(new Date(certificate.validTo).toISOString()).toBe('2031-11-14T18:50:05.000Z');
  });
});

describe('the name of a cluster in its certificates', () => {
  test('a name longer than X.520 allows is cut, kept apart by a digest, and the chain verifies', async () => {
    const made = await generateClusterCertificates({ clusterName: longName, rsaKeySize: 1024, now });
    const { subject } = new X509Certificate(made.authorities.kubernetes.certificatePem);
    expect(subject).toMatch(/^CN=a-name-of-two-hundred-and-forty-two-characters-x{4}-[0-9a-f]{12}$/);
    expect(subject.slice('CN='.length)).toHaveLength(64);
    expect(chainVerifies(made.client.certificatePem, made.authorities.kubernetes.certificatePem)).toBe(true);
  });

  test('key size and term follow the configuration', async () => {
    const made = await generateClusterCertificates({
      clusterName: 'c',
      rsaKeySize: 1024,
      termOfValidityDays: 30,
      now,
    });
    const certificate = new X509Certificate(made.authorities.etcd.certificatePem);
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(1024);
    expect(new Date(certificate.validTo).toISOString()).toBe('2026-12-15T18:50:05.000Z');
  });
});
