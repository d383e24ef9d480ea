import { X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { readAuthorityKey } from './certificate.ts';
import { OID } from './der/object-identifiers.ts';
import { childrenOf, expectTag, readElement } from './der/reader.ts';
import { explicitTag, TAG } from './der/tags.ts';
import { expectName } from './distinguished-name.ts';
import { CertificateAuthorityError } from './errors.ts';
import { decodeExtension } from './extension.ts';
import type { CertificateKeyPair } from './key-pair.ts';
import { decodePem } from './pem.ts';

/** What signing needs of an authority. */
export interface Authority {
  /** Its subject as encoded: the issuer of what it signs must be the same bytes for chains to verify. */
  readonly name: Buffer;
  readonly keyIdentifier: Buffer | undefined;
  readonly privateKey: KeyObject;
  /** The key in the certificate: what clients verify with, so also what we check our own signatures with. */
  readonly publicKey: KeyObject;
}

export function readAuthority({ certificatePem, privateKeyPem }: CertificateKeyPair): Authority {
  const privateKey = readAuthorityKey(privateKeyPem);
  const der = decodePem(certificatePem, ['CERTIFICATE']);
  if (der === undefined) throw unreadable();
  try {
    return { ...readNameAndIdentifier(der), privateKey, publicKey: new X509Certificate(der).publicKey };
  } catch {
    throw unreadable();
  }
}

function unreadable(): CertificateAuthorityError {
  return new CertificateAuthorityError('The certificate of the certificate authority cannot be read.');
}

function readNameAndIdentifier(der: Buffer): Pick<Authority, 'name' | 'keyIdentifier'> {
  const [tbsCertificate] = childrenOf(readElement(der, TAG.sequence));
  const parts = childrenOf(expectTag(tbsCertificate, TAG.sequence));
  // version [0], serial, signature algorithm, issuer, validity, subject, key, ... extensions [3]
  const name = expectName(parts[5]).raw;
  const list = parts.find(({ tag }) => tag === explicitTag(3));
  const extensions =
    list === undefined ? [] : childrenOf(readElement(list.content, TAG.sequence)).map(decodeExtension);
  const identifier = extensions.find(({ oid }) => oid === OID.subjectKeyIdentifier);
  return { name, keyIdentifier: identifier && readElement(identifier.value, TAG.octetString).content };
}
