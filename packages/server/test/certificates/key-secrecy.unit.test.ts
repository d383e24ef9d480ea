import { inspect } from 'node:util';

import { beforeAll, describe, expect, test } from 'vitest';

import {
  generateClusterCertificates,
  openKeyPair,
  sealKeyPair,
  signCsr,
} from '../../src/certificates/index.ts';
import type {
  CertificateKeyPair,
  CertificateRecord,
  ClusterCertificates,
} from '../../src/certificates/index.ts';
import { generateKeyFileLine, KeyRing } from '../../src/sealing/index.ts';
import { basicConstraints } from '../../src/certificates/extension.ts';
import { buildRequest, fixture } from './support/requests.ts';

const now = new Date('2026-11-15T18:50:05Z');
const line = generateKeyFileLine();
const ring = KeyRing.parse(line);
let cluster: ClusterCertificates;
let ca: CertificateKeyPair;
let record: CertificateRecord;
beforeAll(async () => {
  cluster = await generateClusterCertificates({ clusterName: 'c-a', now });
  ca = cluster.authorities.kubernetes;
  record = sealKeyPair(ring, 'ref-1', ca);
});

/** Everything that a log could print of an error: message, stack, own properties and causes. */
function printed(error: unknown): string {
  return inspect(error, { depth: 10, showHidden: true });
}

/** Any 24 characters in a row of a secret's base64 count as having leaked. */
function leaks(text: string, ...secrets: readonly string[]): string[] {
  const flat = text.replaceAll(/\s|\\n/g, '');
  const bodies = secrets.map((secret) => secret.replaceAll(/-----[^-]+-----|\s/g, ''));
  return bodies.flatMap((body) => (body.match(/.{24}/g) ?? []).filter((piece) => flat.includes(piece)));
}

describe('a key pair at rest', () => {
  test('opens again for its own record', () => {
    expect(openKeyPair(ring, 'ref-1', record)).toEqual(ca);
  });

  test('keeps the certificate readable and nothing of the key', () => {
    expect(record.certificatePem).toBe(ca.certificatePem);
    expect(leaks(record.sealedPrivateKey, ca.privateKeyPem)).toEqual([]);
  });

  test('does not open for another record', () => {
    expect(() => openKeyPair(ring, 'ref-2', record)).toThrow('belongs to another record');
  });
});

describe('no error shows a private key', () => {
  const sign =
    (csrPem: string, authority: CertificateKeyPair = ca) =>
    () =>
      signCsr({ csrPem, ca: authority, now });
  const paths: [string, () => unknown][] = [
    ['not a request', () => sign('garbage')()],
    ['a private key in place of a request', () => sign(ca.privateKeyPem)()],
    [
      'a private key with other line ends and case',
      () => sign(ca.privateKeyPem.toLowerCase().replaceAll('\n', '\r\n'))(),
    ],
    ['a private key that is cut off', () => sign(ca.privateKeyPem.slice(0, 700))()],
    ['a private key above a good request', () => sign(ca.privateKeyPem + fixture('admin-p384.csr'))()],
    [
      'a private key under the label of a request',
      () => sign(ca.privateKeyPem.replaceAll('PRIVATE KEY', 'CERTIFICATE REQUEST'))(),
    ],
    ['a private key without any label', () => sign(ca.privateKeyPem.replaceAll(/-----[^-]+-----/g, ''))()],
    ['the key of a key ring in place of a request', () => sign(line)()],
    [
      'a critical extension',
      () => sign(buildRequest({ extensions: [basicConstraints({ ca: true }, true)] }))(),
    ],
    ['an unsupported key', () => sign(fixture('refused/dsa.csr'))()],
    [
      'an authority whose key is damaged',
      () => sign(buildRequest(), { ...ca, privateKeyPem: ca.privateKeyPem.slice(0, 900) })(),
    ],
    [
      'an authority whose key is another one',
      () => sign(buildRequest(), { ...ca, privateKeyPem: cluster.client.privateKeyPem })(),
    ],
    [
      'an authority whose certificate is its key',
      () => sign(buildRequest(), { ...ca, certificatePem: ca.privateKeyPem })(),
    ],
    ['a record of another owner', () => openKeyPair(ring, 'ref-2', record)],
    [
      'a record that was changed',
      // Four characters are three bytes, whatever the length was; one alone may say nothing at all.
      () => openKeyPair(ring, 'ref-1', { ...record, sealedPrivateKey: `${record.sealedPrivateKey}AAAA` }),
    ],
    [
      'a record that was never sealed',
      () => openKeyPair(ring, 'ref-1', { ...record, sealedPrivateKey: ca.privateKeyPem }),
    ],
    [
      'a record under a key that is gone',
      () => openKeyPair(KeyRing.parse(generateKeyFileLine()), 'ref-1', record),
    ],
    ['a key file with a line that is damaged', () => KeyRing.parse(line.slice(0, -1))],
    ['a key file without ids', () => KeyRing.parse(line.split(':')[1] ?? '')],
    ['a key file with a key given twice', () => KeyRing.parse(`${line}\n${line}`)],
    ['a key in place of its id', () => KeyRing.parse(line.split(':').toReversed().join(':'))],
  ];

  test.each(paths)('%s', async (_name, fail) => {
    const error: unknown = await Promise.resolve()
      .then(fail)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    const secrets = [ca.privateKeyPem, cluster.client.privateKeyPem, line.split(':')[1] ?? ''];
    expect(leaks(printed(error), ...secrets, ...secrets.map((secret) => secret.toLowerCase()))).toEqual([]);
  });

  test('the measure itself finds a key that leaked', () => {
    expect(leaks(printed(new Error(ca.privateKeyPem)), ca.privateKeyPem)).not.toEqual([]);
  });
});
