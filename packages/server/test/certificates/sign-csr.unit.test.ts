import { X509Certificate } from 'node:crypto';

import { beforeAll, describe, expect, test } from 'vitest';

import {
  CertificateAuthorityError,
  DEFAULT_SIGNING_RULES,
  generateClusterCertificates,
  signCsr,
} from '../../src/certificates/index.ts';
import type { CertificateKeyPair, ClusterCertificates } from '../../src/certificates/index.ts';
import { readAuthority } from '../../src/certificates/authority.ts';
import { chainVerifies, notPrinted, printed } from './support/openssl.ts';
import { buildRequest, fixture } from './support/requests.ts';

const now = new Date('2026-11-15T18:50:05Z');
let cluster: ClusterCertificates;
let ca: CertificateKeyPair;
beforeAll(async () => {
  cluster = await generateClusterCertificates({ clusterName: 'c-a', now });
  ca = cluster.authorities.kubernetes;
});

const signFixture = (name: string) => signCsr({ csrPem: fixture(name), ca, now });

describe('the requests that clients send are signed', () => {
  test.each([
    ['magnumclient-rsa2048.csr', 'CN=admin\nO=system:masters', 'rsa'],
    ['terraform-rsa4096-sha512.csr', 'O=system:masters\nOU=terraform\nCN=admin', 'rsa'],
    ['kubelet-p256.csr', 'CN=system:node:worker-1\nO=system:nodes', 'ec'],
    ['admin-p384.csr', 'CN=admin\nO=system:masters', 'ec'],
    ['admin-p521.csr', 'CN=admin\nO=system:masters', 'ec'],
    ['admin-ed25519.csr', 'CN=admin\nO=system:masters', 'ed25519'],
    ['admin-rsa2048-pss.csr', 'CN=admin', 'rsa'],
    ['readable-form-above.csr', 'CN=Zoë Bäcker\nO=Ümläut & Söhne', 'ec'],
  ])('%s', async (name, subject, keyType) => {
    const pem = await signFixture(name);
    const certificate = new X509Certificate(pem);
    expect(certificate.subject).toBe(subject);
    expect(certificate.publicKey.asymmetricKeyType).toBe(keyType);
    expect(chainVerifies(pem, ca.certificatePem)).toBe(true);
    expect(
      notPrinted(pem, [
        'Version: 3',
        'Signature Algorithm: sha256WithRSAEncryption',
        'X509v3 Subject Key Identifier:',
      ]),
    ).toEqual([]);
  });

  test('line ends of Windows and the older label are read too', async () => {
    const csrPem = fixture('admin-p384.csr')
      .replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST')
      .replaceAll('\n', '\r\n');
    expect(chainVerifies(await signCsr({ csrPem, ca, now }), ca.certificatePem)).toBe(true);
  });

  test('an authority with a long name signs certificates that verify', async () => {
    const { authorities } = await generateClusterCertificates({
      clusterName: 'n'.repeat(242),
      rsaKeySize: 1024,
      now,
    });
    expect(
      chainVerifies(
        await signCsr({ csrPem: fixture('admin-p384.csr'), ca: authorities.etcd, now }),
        authorities.etcd.certificatePem,
      ),
    ).toBe(true);
  });
});

describe('what a signed certificate says', () => {
  test('it carries what was asked for and allowed, and leaves out what was dispensable', async () => {
    const pem = await signFixture('kubelet-p256.csr');
    expect(
      notPrinted(pem, [
        'X509v3 Key Usage: critical\n                Digital Signature, Key Encipherment\n',
        'TLS Web Server Authentication, TLS Web Client Authentication',
        'DNS:worker-1, DNS:worker-1.example.org, IP Address:10.0.0.7, IP Address:FD00:0:0:0:0:0:0:7',
        'X509v3 Basic Constraints: critical\n                CA:FALSE\n',
      ]),
    ).toEqual([]);
    expect(printed(pem, ['Netscape'])).toEqual([]);
    expect(new X509Certificate(pem).subjectAltName).toContain('DNS:worker-1.example.org');
  });

  test('validity starts a day early and lasts as long as the rules say', async () => {
    const rules = { ...DEFAULT_SIGNING_RULES, termOfValidityDays: 30 };
    const certificate = new X509Certificate(await signCsr({ csrPem: buildRequest(), ca, rules, now }));
    expect(new Date(certificate.validFrom).toISOString()).toBe('2026-11-14T18:50:05.000Z');
    expect(new Date(certificate.validTo).toISOString()).toBe('2026-12-15T18:50:05.000Z');
  });

  test('a term beyond 2049, and beyond all dates that can be written, is still a valid date', async () => {
    const sign = (termOfValidityDays: number) =>
      signCsr({ csrPem: buildRequest(), ca, rules: { ...DEFAULT_SIGNING_RULES, termOfValidityDays }, now });
    expect(new X509Certificate(await sign(365 * 50)).validTo).toContain('2076');
    expect(new X509Certificate(await sign(365 * 9000)).validTo).toContain('9999');
  });

  test('the serial is 128 random bits and positive', async () => {
    const sign = (serial: Buffer) => signCsr({ csrPem: buildRequest(), ca, now, randomSerial: () => serial });
    const serialOf = async (serial: Buffer) => new X509Certificate(await sign(serial)).serialNumber;
    expect(await serialOf(Buffer.alloc(16, 0xff))).toBe('FF'.repeat(16));
    expect(await serialOf(Buffer.alloc(16))).toBe('01');
    const drawn = new Set<string>();
    for (let i = 0; i < 5; i += 1)
      drawn.add(new X509Certificate(await signCsr({ csrPem: buildRequest(), ca, now })).serialNumber);
    expect(drawn.size).toBe(5);
  });

  test('the PEM has lines of 64 characters and no line break at its end', async () => {
    const lines = (await signFixture('magnumclient-rsa2048.csr')).split('\n');
    expect(lines[0]).toBe('-----BEGIN CERTIFICATE-----');
    expect(lines.at(-1)).toBe('-----END CERTIFICATE-----');
    expect(new Set(lines.slice(1, -2).map((line) => line.length))).toEqual(new Set([64]));
  });

  test('the key identifier is the one that the real Magnum computed for the same request', async () => {
    const identifier = (certificatePem: string) =>
      readAuthority({ certificatePem, privateKeyPem: ca.privateKeyPem }).keyIdentifier?.toString('hex');
    const ours = identifier(await signFixture('magnumclient-rsa2048.csr'));
    expect(ours).toBe(identifier(fixture('magnum-signed.pem')));
    expect(ours).toBe('38092ee5f999cd4a00746117c1f8c696102af775');
  });

  test('the key identifier of the authority is named, which tells apart authorities of the same name', async () => {
    const identifier = readAuthority(ca).keyIdentifier?.toString('hex').toUpperCase().match(/../g)?.join(':');
    expect(
      notPrinted(await signFixture('admin-p384.csr'), [
        `X509v3 Authority Key Identifier: \n                ${identifier}`,
      ]),
    ).toEqual([]);
  });
});

describe("an authority that is not fit to sign is our fault and not the caller's", () => {
  test.each([
    [
      'a key that cannot be read',
      () => ({ ...ca, privateKeyPem: 'nonsense' }),
      'The private key of the certificate authority cannot be read.',
    ],
    [
      'a certificate that cannot be read',
      () => ({ ...ca, certificatePem: 'nonsense' }),
      'The certificate of the certificate authority cannot be read.',
    ],
    [
      'a key of another certificate',
      () => ({ ...ca, privateKeyPem: cluster.client.privateKeyPem }),
      'The certificate and the private key of the certificate authority do not belong together.',
    ],
  ])('%s', async (_name, broken, message) => {
    await expect(signCsr({ csrPem: buildRequest(), ca: broken(), now })).rejects.toThrow(
      new CertificateAuthorityError(message),
    );
  });
});
