import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { OID } from '../../../src/certificates/der/object-identifiers.ts';
import { explicitTag, TAG } from '../../../src/certificates/der/tags.ts';
import {
  element,
  objectIdentifier,
  octetBits,
  sequence,
  unsignedInteger,
} from '../../../src/certificates/der/writer.ts';
import { encodeName } from '../../../src/certificates/distinguished-name.ts';
import { encodeExtension } from '../../../src/certificates/extension.ts';
import type { Extension } from '../../../src/certificates/extension.ts';
import { encodePem } from '../../../src/certificates/pem.ts';

/** A request or certificate that another tool made. */
export const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');

/** The bytes inside a PEM block. */
export const derOf = (pem: string): Buffer =>
  Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');

export const csrPem = (der: Buffer): string => `${encodePem('CERTIFICATE REQUEST', der)}\n`;

const ecKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface RequestParts {
  readonly subject?: Buffer;
  readonly publicKeyInfo?: Buffer;
  readonly extensions?: readonly Extension[];
  /** Attributes in place of the one that asks for the extensions. */
  readonly attributes?: readonly Buffer[];
  readonly version?: number;
  readonly signingKey?: KeyObject;
}

export const extensionRequest = (
  extensions: readonly Extension[],
  type: string = OID.extensionRequest,
): Buffer => sequence(objectIdentifier(type), element(TAG.set, sequence(...extensions.map(encodeExtension))));

/** A request with a valid signature whose every part can be replaced, to reach rules that tools do not let one break. */
export function buildRequest(parts: RequestParts = {}): string {
  const { extensions = [] } = parts;
  const attributes = parts.attributes ?? (extensions.length > 0 ? [extensionRequest(extensions)] : []);
  const information = sequence(
    unsignedInteger(Buffer.from([parts.version ?? 0])),
    parts.subject ?? encodeName('admin', 'system:masters'),
    parts.publicKeyInfo ?? ecKeys.publicKey.export({ format: 'der', type: 'spki' }),
    element(explicitTag(0), ...attributes),
  );
  const signature = sign('sha256', information, parts.signingKey ?? ecKeys.privateKey);
  return csrPem(sequence(information, sequence(objectIdentifier(OID.ecdsaWithSha256)), octetBits(signature)));
}
