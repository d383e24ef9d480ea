import { decodeExtension } from './extension.ts';
import type { Extension } from './extension.ts';
import { OID } from './der/object-identifiers.ts';
import {
  childrenOf,
  DerError,
  expectTag,
  readElement,
  readObjectIdentifier,
  readOctetBits,
  readSmallInteger,
} from './der/reader.ts';
import type { DerElement } from './der/reader.ts';
import { explicitTag, TAG } from './der/tags.ts';
import { expectName } from './distinguished-name.ts';
import { CertificateRequestError } from './errors.ts';
import { decodePem } from './pem.ts';
import { readPublicKeyInfo } from './public-key.ts';
import type { PublicKeyInfo } from './public-key.ts';
import { quoteAsPythonBytes } from './python-bytes.ts';
import { isSignedBy, readSignatureScheme } from './request-signature.ts';
import type { SignatureScheme } from './request-signature.ts';

/** Requests are one to a few kilobytes; even with hundreds of names they stay below this. */
const MAX_CSR_BYTES = 64 * 1024;
const LABELS = ['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'];

/** A PKCS#10 request whose sender holds the private key. */
export interface SigningRequest {
  /** The subject as it was encoded, copied into the certificate byte for byte. */
  readonly subject: Buffer;
  readonly publicKey: PublicKeyInfo;
  readonly extensions: readonly Extension[];
}

interface ParsedRequest extends SigningRequest {
  readonly signedBytes: Buffer;
  readonly scheme: SignatureScheme;
  readonly signature: Buffer;
}

/**
 * Reads a request and proves its signature. Magnum takes the signature on trust, which would let anyone have a certificate
 * for a public key that is not theirs.
 */
export async function readSigningRequest(pem: string): Promise<SigningRequest> {
  const request = parseOrRefuse(pem);
  const { publicKey, scheme, signedBytes, signature } = request;
  if (!(await isSignedBy(publicKey.key, scheme, signedBytes, signature))) {
    throw new CertificateRequestError(
      'The signature of the request in the field csr does not match its public key.',
    );
  }
  return { subject: request.subject, publicKey, extensions: request.extensions };
}

function parseOrRefuse(pem: string): ParsedRequest {
  const size = Buffer.byteLength(pem, 'utf8');
  if (size > MAX_CSR_BYTES) {
    throw new CertificateRequestError(
      `The field csr is too large: ${size} bytes, at most ${MAX_CSR_BYTES} are accepted.`,
    );
  }
  // Said before anything is quoted or answered: a key sent by mistake must not come back, nor end in a log.
  if (/PRIVATE\s+KEY/i.test(pem)) {
    throw new CertificateRequestError(
      'The field csr holds a private key. Send the certificate request alone, and consider that key exposed.',
    );
  }
  const der = decodePem(pem, LABELS);
  if (der === undefined) throw notARequest(pem);
  try {
    return parse(der);
  } catch (error) {
    if (error instanceof DerError) throw notARequest(pem);
    throw error;
  }
}

/**
 * Magnum's own sentence, which clients may know. Encoded data in it is shortened: what is not a request may still be a
 * key, under the wrong label or none, and a beginning of eight characters tells enough.
 */
function notARequest(pem: string): CertificateRequestError {
  const quotable = pem.replaceAll(/([A-Za-z0-9+/]{8})[A-Za-z0-9+/=]{24,}/g, '$1...');
  return new CertificateRequestError(`Received invalid csr ${quoteAsPythonBytes(quotable)}.`);
}

function parse(der: Buffer): ParsedRequest {
  const [information, algorithm, signature, ...rest] = childrenOf(readElement(der, TAG.sequence));
  if (rest.length > 0) throw new DerError('data behind the signature');
  const [version, subject, keyInfo, attributes, ...more] = childrenOf(expectTag(information, TAG.sequence));
  if (readSmallInteger(version) !== 0 || more.length > 0) throw new DerError('not a version 1 request');
  return {
    // The key comes before the algorithm: where both are foreign, the key is the reason that helps.
    subject: expectName(subject).raw,
    publicKey: readPublicKeyInfo(keyInfo),
    signedBytes: expectTag(information, TAG.sequence).raw,
    scheme: readSignatureScheme(algorithm),
    signature: readOctetBits(signature),
    extensions:
      attributes === undefined ? [] : readRequestedExtensions(expectTag(attributes, explicitTag(0))),
  };
}

function readRequestedExtensions(attributes: DerElement): Extension[] {
  const lists = childrenOf(attributes).flatMap((attribute) => {
    const [type, values] = childrenOf(attribute, TAG.sequence);
    const oid = readObjectIdentifier(type);
    // Other attributes, such as a challenge password, are between the sender and other kinds of authorities.
    if (oid !== OID.extensionRequest && oid !== OID.microsoftExtensionRequest) return [];
    return childrenOf(expectTag(values, TAG.set));
  });
  if (lists.length > 1)
    throw new CertificateRequestError(
      'The field csr asks for extensions more than once. Put them in one list.',
    );
  const extensions = lists.flatMap((list) => childrenOf(list, TAG.sequence)).map(decodeExtension);
  if (new Set(extensions.map(({ oid }) => oid)).size !== extensions.length) {
    throw new CertificateRequestError('The field csr asks for the same extension more than once.');
  }
  return extensions;
}
