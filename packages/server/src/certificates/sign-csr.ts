import { readAuthority } from './authority.ts';
import { issueCertificate, randomSerialBytes, readIssued } from './certificate.ts';
import type { RandomSerial } from './certificate.ts';
import { OID } from './der/object-identifiers.ts';
import { CertificateAuthorityError, CertificateRequestError } from './errors.ts';
import { authorityKeyIdentifier, subjectKeyIdentifier } from './extension.ts';
import { DEFAULT_SIGNING_RULES, grantExtensions } from './extension-rules.ts';
import type { SigningRules } from './extension-rules.ts';
import type { CertificateKeyPair } from './key-pair.ts';
import { encodePem } from './pem.ts';
import { readSigningRequest } from './signing-request.ts';

export interface SignCsrOptions {
  readonly csrPem: string;
  readonly ca: CertificateKeyPair;
  readonly rules?: SigningRules;
  readonly now: Date;
  readonly randomSerial?: RandomSerial;
}

/** Facts about keys, not wishes: always computed here, whatever the request says. */
const COMPUTED: ReadonlySet<string> = new Set([OID.subjectKeyIdentifier, OID.authorityKeyIdentifier]);

/**
 * Signs a request and answers the certificate as PEM.
 * @throws CertificateRequestError for anything that is wrong with the request, and for nothing else.
 */
export async function signCsr(options: SignCsrOptions): Promise<string> {
  const { csrPem, ca, rules = DEFAULT_SIGNING_RULES, now, randomSerial = randomSerialBytes } = options;
  const request = await readSigningRequest(csrPem);
  const granted = grantExtensions(request.extensions, rules).filter(({ oid }) => !COMPUTED.has(oid));
  const authority = readAuthority(ca);
  const extensions = [...granted, subjectKeyIdentifier(request.publicKey.identifier)];
  // Magnum leaves this one out. A cluster's three authorities share a name, and strict verifiers insist on it.
  if (authority.keyIdentifier !== undefined) extensions.push(authorityKeyIdentifier(authority.keyIdentifier));

  const { subject, publicKey } = request;
  const content = {
    issuer: authority.name,
    subject,
    publicKey: publicKey.der,
    extensions,
    now,
    randomSerial,
  };
  const der = await issueCertificate(
    { ...content, termOfValidityDays: rules.termOfValidityDays },
    authority.privateKey,
  );
  const issued = readIssued(der);
  if (issued === undefined) {
    throw new CertificateRequestError(
      'The field csr holds a subject that cannot be written into a certificate.',
    );
  }
  if (!issued.verify(authority.publicKey)) {
    throw new CertificateAuthorityError(
      'The certificate and the private key of the certificate authority do not belong together.',
    );
  }
  return encodePem('CERTIFICATE', der);
}
