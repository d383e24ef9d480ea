import { constants, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { OID } from './der/object-identifiers.ts';
import { childrenOf, expectTag, readObjectIdentifier } from './der/reader.ts';
import type { DerElement } from './der/reader.ts';
import { explicitTag, TAG } from './der/tags.ts';
import { CertificateRequestError } from './errors.ts';

/** How a request was signed; `digest` is null where the algorithm brings its own. */
export interface SignatureScheme {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly digest: string | null;
  readonly pss: boolean;
}

// SHA-1 stays readable: here a signature only proves possession of the key, and old tools still make such requests.
const SCHEMES = new Map<string, SignatureScheme>([
  [OID.sha1WithRsa, { keyType: 'rsa', digest: 'sha1', pss: false }],
  [OID.sha224WithRsa, { keyType: 'rsa', digest: 'sha224', pss: false }],
  [OID.sha256WithRsa, { keyType: 'rsa', digest: 'sha256', pss: false }],
  [OID.sha384WithRsa, { keyType: 'rsa', digest: 'sha384', pss: false }],
  [OID.sha512WithRsa, { keyType: 'rsa', digest: 'sha512', pss: false }],
  [OID.ecdsaWithSha1, { keyType: 'ec', digest: 'sha1', pss: false }],
  [OID.ecdsaWithSha224, { keyType: 'ec', digest: 'sha224', pss: false }],
  [OID.ecdsaWithSha256, { keyType: 'ec', digest: 'sha256', pss: false }],
  [OID.ecdsaWithSha384, { keyType: 'ec', digest: 'sha384', pss: false }],
  [OID.ecdsaWithSha512, { keyType: 'ec', digest: 'sha512', pss: false }],
  [OID.ed25519, { keyType: 'ed25519', digest: null, pss: false }],
]);

const PSS_DIGESTS = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

export function readSignatureScheme(algorithm: DerElement | undefined): SignatureScheme {
  const [type, parameters] = childrenOf(expectTag(algorithm, TAG.sequence));
  const oid = readObjectIdentifier(type);
  const scheme = oid === OID.rsassaPss ? readPssScheme(parameters) : SCHEMES.get(oid);
  if (scheme === undefined) {
    throw new CertificateRequestError(
      'The request in the field csr is signed with an algorithm that is not supported. Use SHA-256 or stronger.',
    );
  }
  return scheme;
}

/** The digest of RSASSA-PSS parameters, SHA-1 where they name none. */
function readPssScheme(parameters: DerElement | undefined): SignatureScheme | undefined {
  const named = childrenOf(expectTag(parameters, TAG.sequence)).find(({ tag }) => tag === explicitTag(0));
  if (named === undefined) return { keyType: 'rsa', digest: 'sha1', pss: true };
  const [algorithm] = childrenOf(named);
  const digest = PSS_DIGESTS.get(readObjectIdentifier(childrenOf(expectTag(algorithm, TAG.sequence))[0]));
  return digest === undefined ? undefined : { keyType: 'rsa', digest, pss: true };
}

const verifyInThreadPool = promisify(
  (
    digest: string | null,
    data: Buffer,
    key: VerificationKey,
    signature: Buffer,
    done: (error: Error | null, valid: boolean) => void,
  ) => {
    verify(digest, data, key, signature, done);
  },
);

interface VerificationKey {
  readonly key: KeyObject;
  readonly padding?: number;
  readonly saltLength?: number;
}

/** Whether the holder of the key signed these bytes. Done off the event loop: a large key takes its time. */
export async function isSignedBy(
  key: KeyObject,
  scheme: SignatureScheme,
  data: Buffer,
  signature: Buffer,
): Promise<boolean> {
  if (key.asymmetricKeyType !== scheme.keyType) return false;
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  try {
    return await verifyInThreadPool(scheme.digest, data, { key, ...(scheme.pss ? pss : {}) }, signature);
  } catch {
    // OpenSSL raises on signatures it cannot even decode; for the caller that is a signature that does not fit.
    return false;
  }
}
