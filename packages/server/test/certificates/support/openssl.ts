import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where there is no openssl, Node's own reader stays the judge. */
const present = spawnSync('openssl', ['version']).status === 0;

/** Whether the certificate verifies under the authority, by Node's reader and, under its strict rules, by the openssl program. */
export function chainVerifies(certificatePem: string, authorityPem: string): boolean {
  const certificate = new X509Certificate(certificatePem);
  const authority = new X509Certificate(authorityPem);
  if (!certificate.checkIssued(authority) || !certificate.verify(authority.publicKey)) return false;
  if (!present) return true;
  const directory = mkdtempSync(join(tmpdir(), 'jeroboam-chain-'));
  try {
    const [caFile, certFile] = [join(directory, 'ca.pem'), join(directory, 'cert.pem')];
    writeFileSync(caFile, authorityPem);
    writeFileSync(certFile, certificatePem);
    return openssl(['verify', '-x509_strict', '-CAfile', caFile, certFile]).includes(`${certFile}: OK`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Which of the texts openssl does not print of a certificate; none where there is no openssl to ask. */
export function notPrinted(certificatePem: string, texts: readonly string[]): string[] {
  return present ? texts.filter((text) => !print(certificatePem).includes(text)) : [];
}

/** Which of the texts openssl does print of a certificate. */
export function printed(certificatePem: string, texts: readonly string[]): string[] {
  return present ? texts.filter((text) => print(certificatePem).includes(text)) : [];
}

const print = (certificatePem: string): string => openssl(['x509', '-noout', '-text'], certificatePem);

function openssl(args: readonly string[], input?: string): string {
  const { stdout, stderr } = spawnSync('openssl', args, { input, encoding: 'utf8', timeout: 20_000 });
  return `${stdout}${stderr}`;
}
