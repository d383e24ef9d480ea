import { X509Certificate } from 'node:crypto';
import { fixture } from '../certificates/support/requests.ts';
import type { Person, TestService } from '../support/test-service.ts';

export const kinds = ['kubernetes', 'etcd', 'front-proxy'] as const;

/** Requests that clients made, one of each kind of key. */
export const requests = {
  RSA: fixture('magnumclient-rsa2048.csr'),
  EC: fixture('admin-p384.csr'),
};

/** The CA certificate that the API shows. */
export async function shownCa(
  service: TestService,
  cluster: string,
  kind?: string,
  person: Person = 'demo',
): Promise<string> {
  const query = kind === undefined ? '' : `?ca_cert_type=${kind}`;
  const answer = await service.request(person, 'GET', `/v1/certificates/${cluster}${query}`);
  if (answer.status !== 200) throw new Error(`no certificate: ${answer.status} ${answer.text}`);
  return answer.body.pem as string;
}

export const fingerprint = (pem: string): string => new X509Certificate(pem).fingerprint256;
