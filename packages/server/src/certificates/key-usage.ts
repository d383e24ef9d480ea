import { DerError, readElement } from './der/reader.ts';
import { TAG } from './der/tags.ts';
import { namedBits } from './der/writer.ts';

/** The bits of keyUsage in the order of the standard, by the names Magnum's configuration uses. */
export const KEY_USAGE_NAMES = [
  'Digital Signature',
  'Non Repudiation',
  'Key Encipherment',
  'Data Encipherment',
  'Key Agreement',
  'Certificate Sign',
  'CRL Sign',
  'Encipher Only',
  'Decipher Only',
] as const;
export type KeyUsage = (typeof KEY_USAGE_NAMES)[number];

/** What makes a key an authority's: never granted where certificates for authorities are not. */
export const CA_KEY_USAGES: readonly KeyUsage[] = ['Certificate Sign', 'CRL Sign'];

export function encodeKeyUsage(usages: readonly KeyUsage[]): Buffer {
  return namedBits(usages.map((usage) => KEY_USAGE_NAMES.indexOf(usage)));
}

/** The usages asked for. Bits the standard does not define are ignored. */
export function decodeKeyUsage(value: Buffer): KeyUsage[] {
  const { content } = readElement(value, TAG.bitString);
  const unusedBits = content[0];
  if (unusedBits === undefined || unusedBits > 7)
    throw new DerError('a bit string without a valid count of unused bits');
  const usages = KEY_USAGE_NAMES.filter((_name, bit) => {
    const octet = content[1 + Math.floor(bit / 8)] ?? 0;
    return (octet & (0x80 >> (bit % 8))) !== 0;
  });
  return withoutDanglingModifiers(usages);
}

/** "Encipher only" and "decipher only" qualify key agreement and mean nothing without it. */
export function withoutDanglingModifiers(usages: readonly KeyUsage[]): KeyUsage[] {
  if (usages.includes('Key Agreement')) return [...usages];
  return usages.filter((usage) => usage !== 'Encipher Only' && usage !== 'Decipher Only');
}
