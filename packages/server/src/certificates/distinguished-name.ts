import { createHash } from 'node:crypto';

import { OID } from './der/object-identifiers.ts';
import { childrenOf, DerError, expectTag, readObjectIdentifier } from './der/reader.ts';
import type { DerElement } from './der/reader.ts';
import { TAG } from './der/tags.ts';
import { element, objectIdentifier, sequence } from './der/writer.ts';

const MAX_COMMON_NAME = 64;
const DIGEST_CHARACTERS = 12;

/** A subject or issuer of a common name and, where given, an organisation. */
export function encodeName(commonName: string, organization?: string): Buffer {
  const attributes = [attribute(OID.commonName, commonName)];
  if (organization !== undefined) attributes.push(attribute(OID.organizationName, organization));
  return sequence(...attributes);
}

function attribute(type: string, value: string): Buffer {
  return element(
    TAG.set,
    sequence(objectIdentifier(type), element(TAG.utf8String, Buffer.from(value, 'utf8'))),
  );
}

/**
 * The common name of a cluster's authorities. X.520 allows 64 characters where a cluster's name may have 242; Magnum's
 * library refuses longer ones, so that such a cluster fails to create. Ours keeps what fits and ends in a digest of the
 * whole name: two long names that begin alike stay apart, and strict verifiers accept the certificate.
 */
export function commonNameOfCluster(clusterName: string): string {
  const characters = Array.from(clusterName);
  if (characters.length <= MAX_COMMON_NAME) return clusterName;
  const digest = createHash('sha256').update(clusterName, 'utf8').digest('hex').slice(0, DIGEST_CHARACTERS);
  return `${characters.slice(0, MAX_COMMON_NAME - DIGEST_CHARACTERS - 1).join('')}-${digest}`;
}

/** Refuses what is not the skeleton of a name. The values are copied unread: whatever the caller is called, it stays. */
export function expectName(name: DerElement | undefined): DerElement {
  const checked = expectTag(name, TAG.sequence);
  for (const relative of childrenOf(checked)) {
    const attributes = childrenOf(relative, TAG.set);
    if (attributes.length === 0) throw new DerError('an empty part of a name');
    for (const part of attributes) {
      const [type, value, ...rest] = childrenOf(part, TAG.sequence);
      readObjectIdentifier(type);
      if (value === undefined || rest.length > 0)
        throw new DerError('a part of a name that is not a type and a value');
    }
  }
  return checked;
}
