import { OID } from './der/object-identifiers.ts';
import { childrenOf, DerError, readElement, readObjectIdentifier } from './der/reader.ts';
import { TAG } from './der/tags.ts';
import { CertificateRequestError } from './errors.ts';
import { basicConstraints, decodeBasicConstraints, keyUsage } from './extension.ts';
import type { Extension } from './extension.ts';
import { CA_KEY_USAGES, decodeKeyUsage, withoutDanglingModifiers } from './key-usage.ts';
import type { KeyUsage } from './key-usage.ts';

/** The extensions a configuration may name, as in Magnum's `[x509] allowed_extensions`. */
export const EXTENSION_OIDS = {
  authorityKeyIdentifier: OID.authorityKeyIdentifier,
  subjectKeyIdentifier: OID.subjectKeyIdentifier,
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  basicConstraints: OID.basicConstraints,
  cRLDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  extendedKeyUsage: OID.extendedKeyUsage,
  OCSPNoCheck: '1.3.6.1.5.5.7.48.1.5',
  inhibitAnyPolicy: '2.5.29.54',
  keyUsage: OID.keyUsage,
  nameConstraints: '2.5.29.30',
  subjectAltName: OID.subjectAltName,
  issuerAltName: '2.5.29.18',
} as const;
export type ExtensionName = keyof typeof EXTENSION_OIDS;

const NAME_BY_OID = new Map(
  Object.entries(EXTENSION_OIDS).map(([name, oid]) => [oid as string, name as ExtensionName]),
);

/** What a signed certificate may carry and how long it lasts: Magnum's `[x509]` options. */
export interface SigningRules {
  readonly allowCa: boolean;
  readonly allowedExtensions: readonly ExtensionName[];
  readonly allowedKeyUsage: readonly KeyUsage[];
  readonly termOfValidityDays: number;
}

export const DEFAULT_SIGNING_RULES: SigningRules = {
  allowCa: false,
  allowedExtensions: [
    'keyUsage',
    'extendedKeyUsage',
    'subjectAltName',
    'basicConstraints',
    'subjectKeyIdentifier',
  ],
  allowedKeyUsage: ['Digital Signature', 'Key Encipherment', 'Non Repudiation'],
  termOfValidityDays: 365 * 5,
};

/**
 * The extensions of a request that the certificate gets. What is not allowed is left out where the requester marked it
 * as dispensable, and refused where it is critical.
 */
export function grantExtensions(requested: readonly Extension[], rules: SigningRules): Extension[] {
  const granted: Extension[] = [];
  for (const extension of requested) {
    const name = NAME_BY_OID.get(extension.oid);
    if (name === undefined || !rules.allowedExtensions.includes(name)) {
      if (extension.critical) throw notAllowed(name ?? extension.oid, 'this service does not grant it');
      continue;
    }
    const result = readingErrorsNamed(name, () => grant(name, extension, rules));
    if (result !== undefined) granted.push(result);
  }
  return granted;
}

function grant(name: ExtensionName, extension: Extension, rules: SigningRules): Extension | undefined {
  switch (name) {
    case 'keyUsage':
      return grantKeyUsage(extension, rules);
    case 'basicConstraints':
      return grantBasicConstraints(extension, rules);
    case 'extendedKeyUsage':
      childrenOf(nonEmptySequence(extension.value)).forEach(readObjectIdentifier);
      return extension;
    case 'subjectAltName':
      childrenOf(nonEmptySequence(extension.value)).forEach(({ tag }) => expectGeneralName(tag));
      return extension;
    default:
      readElement(extension.value);
      return extension;
  }
}

function grantKeyUsage(extension: Extension, rules: SigningRules): Extension | undefined {
  const requested = decodeKeyUsage(extension.value);
  const allowed = rules.allowedKeyUsage.filter((usage) => rules.allowCa || !CA_KEY_USAGES.includes(usage));
  const refused = requested.filter((usage) => !allowed.includes(usage));
  if (extension.critical && refused.length > 0) {
    throw notAllowed('keyUsage', `this service does not grant ${refused.join(', ')}`);
  }
  const granted = withoutDanglingModifiers(requested.filter((usage) => allowed.includes(usage)));
  // Nothing left: Magnum writes a keyUsage without any bit, which RFC 5280 forbids and OpenSSL 3 calls an invalid certificate.
  return granted.length > 0 ? keyUsage(granted, extension.critical) : undefined;
}

function grantBasicConstraints(extension: Extension, rules: SigningRules): Extension {
  const requested = decodeBasicConstraints(extension.value);
  if (!requested.ca || rules.allowCa) return basicConstraints(requested, extension.critical);
  if (extension.critical) {
    throw notAllowed('basicConstraints', 'this service does not sign certificates for authorities (CA:TRUE)');
  }
  return basicConstraints({ ca: false }, false);
}

function nonEmptySequence(value: Buffer) {
  const list = readElement(value, TAG.sequence);
  if (list.content.length === 0) throw new DerError('an empty list');
  return list;
}

/** Every form of a general name has a context-specific tag from 0 to 8. */
function expectGeneralName(tag: number): void {
  if ((tag & 0xc0) !== 0x80 || (tag & 0x1f) > 8) throw new DerError('not a general name');
}

function readingErrorsNamed<T>(name: ExtensionName, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    throw new CertificateRequestError(`The field csr holds an extension '${name}' that cannot be read.`);
  }
}

/** Begins as Magnum's message does; Magnum goes on with a dump of the extension where a reason helps more. */
function notAllowed(name: string, reason: string): CertificateRequestError {
  return new CertificateRequestError(
    `Extension '${name}' not allowed: it is critical in the field csr and ${reason}. Leave it out or do not mark it critical.`,
  );
}
