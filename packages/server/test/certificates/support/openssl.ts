import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'vitest';

/** Where there is no openssl, Node's own reader stays the judge. */
const present = spawnSync('openssl', ['version']).status === 0;

/** The certificate verifies under the authority, by Node's reader and, under its strict rules, by the openssl program. */
export function expectChain(certificatePem: string, authorityPem: string): void {
  const certificate = new X509Certificate(certificatePem);
  const authority = new X509Certificate(authorityPem);
  expect(certificate.checkIssued(authority)).toBe(true);
  expect(certificate.verify(authority.publicKey)).toBe(true);
  if (!present) return;
  const directory = mkdtempSync(join(tmpdir(), 'jeroboam-chain-'));
  try {
    const [caFile, certFile] = [join(directory, 'ca.pem'), join(directory, 'cert.pem')];
    writeFileSync(caFile, authorityPem);
    writeFileSync(certFile, certificatePem);
    const result = openssl(['verify', '-x509_strict', '-CAfile', caFile, certFile]);
    expect(result).toContain(`${certFile}: OK`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What openssl prints of a certificate's extensions must hold each of the texts, and none of the others. */
export function expectPrinted(
  certificatePem: string,
  holds: readonly string[],
  lacks: readonly string[] = [],
): void {
  expect(() => new X509Certificate(certificatePem)).not.toThrow();
  if (!present) return;
  const text = openssl(['x509', '-noout', '-text', '-nameopt', 'utf8,sep_comma_plus_space'], certificatePem);
  for (const part of holds) expect(text).toContain(part);
  for (const part of lacks) expect(text).not.toContain(part);
}

function openssl(args: readonly string[], input?: string): string {
  const { stdout, stderr } = spawnSync('openssl', args, { input, encoding: 'utf8', timeout: 20_000 });
  return `${stdout}${stderr}`;
}
