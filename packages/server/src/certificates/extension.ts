import { OID } from './der/object-identifiers.ts';
import {
  childrenOf,
  DerError,
  expectTag,
  readBoolean,
  readElement,
  readObjectIdentifier,
  readSmallInteger,
} from './der/reader.ts';
import type { DerElement } from './der/reader.ts';
import { implicitTag, TAG } from './der/tags.ts';
import { boolean, element, objectIdentifier, octetString, sequence, unsignedInteger } from './der/writer.ts';
import { encodeKeyUsage } from './key-usage.ts';
import type { KeyUsage } from './key-usage.ts';

/** An X.509 extension, its value still encoded. */
export interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

export interface BasicConstraints {
  readonly ca: boolean;
  readonly pathLength?: number;
}

export function encodeExtension({ oid, critical, value }: Extension): Buffer {
  // A false "critical" is the default, and DER leaves defaults out.
  return sequence(objectIdentifier(oid), ...(critical ? [boolean(true)] : []), octetString(value));
}

export function decodeExtension(encoded: DerElement): Extension {
  const [type, ...rest] = childrenOf(encoded, TAG.sequence);
  const critical = rest[0]?.tag === TAG.boolean ? readBoolean(rest.shift()) : false;
  if (rest.length !== 1) throw new DerError('an extension that is not type, criticality and value');
  return { oid: readObjectIdentifier(type), critical, value: expectTag(rest[0], TAG.octetString).content };
}

export function basicConstraints(constraints: BasicConstraints, critical: boolean): Extension {
  const parts = constraints.ca ? [boolean(true)] : [];
  // A path length says something only about an authority; Magnum's library fails on any other.
  if (constraints.ca && constraints.pathLength !== undefined) {
    parts.push(unsignedInteger(Buffer.from([constraints.pathLength])));
  }
  return { oid: OID.basicConstraints, critical, value: sequence(...parts) };
}

export function decodeBasicConstraints(value: Buffer): BasicConstraints {
  const parts = childrenOf(readElement(value), TAG.sequence);
  const ca = parts[0]?.tag === TAG.boolean ? readBoolean(parts.shift()) : false;
  const pathLength = parts.length > 0 ? readSmallInteger(parts.shift()) : undefined;
  if (parts.length > 0 || (pathLength ?? 0) > 255) throw new DerError('basic constraints out of range');
  return pathLength === undefined ? { ca } : { ca, pathLength };
}

export function keyUsage(usages: readonly KeyUsage[], critical: boolean): Extension {
  return { oid: OID.keyUsage, critical, value: encodeKeyUsage(usages) };
}

export function extendedKeyUsage(purposes: readonly string[], critical: boolean): Extension {
  return { oid: OID.extendedKeyUsage, critical, value: sequence(...purposes.map(objectIdentifier)) };
}

export function subjectKeyIdentifier(identifier: Buffer): Extension {
  return { oid: OID.subjectKeyIdentifier, critical: false, value: octetString(identifier) };
}

export function authorityKeyIdentifier(identifier: Buffer): Extension {
  return {
    oid: OID.authorityKeyIdentifier,
    critical: false,
    value: sequence(element(implicitTag(0), identifier)),
  };
}
