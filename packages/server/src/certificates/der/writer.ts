import { TAG } from './tags.ts';

/** One element: tag, length in its shortest form, content. */
export function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => element(TAG.sequence, ...parts);
export const octetString = (content: Uint8Array): Buffer => element(TAG.octetString, content);
export const nullValue = (): Buffer => element(TAG.null);
export const boolean = (value: boolean): Buffer => element(TAG.boolean, Buffer.from([value ? 0xff : 0x00]));

/** A bit string of whole octets. */
export const octetBits = (content: Uint8Array): Buffer => element(TAG.bitString, Buffer.from([0]), content);

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return Buffer.from([0x80 | octets.length, ...octets]);
}

/** A non-negative integer from its big-endian bytes. A leading zero keeps a set top bit from reading as a sign. */
export function unsignedInteger(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const magnitude = bytes.subarray(start);
  const needsZero = magnitude.length === 0 || (magnitude[0] ?? 0) >= 0x80;
  return element(TAG.integer, needsZero ? Buffer.from([0]) : Buffer.alloc(0), magnitude);
}

export function objectIdentifier(dotted: string): Buffer {
  const [root = 0, second = 0, ...others] = dotted.split('.').map(Number);
  const octets: number[] = [];
  for (const arc of [root * 40 + second, ...others]) {
    const groups = [arc % 128];
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128))
      groups.unshift((rest % 128) | 0x80);
    octets.push(...groups);
  }
  return element(TAG.objectIdentifier, Buffer.from(octets));
}

/** Bits by their number in the standard, with trailing zero bits left out as DER asks of named bits. */
export function namedBits(bits: readonly number[]): Buffer {
  if (bits.length === 0) return element(TAG.bitString, Buffer.from([0]));
  const highest = Math.max(...bits);
  const octets = Buffer.alloc(Math.floor(highest / 8) + 1);
  for (const bit of bits) {
    const index = Math.floor(bit / 8);
    octets[index] = (octets[index] ?? 0) | (0x80 >> (bit % 8));
  }
  return element(TAG.bitString, Buffer.from([7 - (highest % 8)]), octets);
}

/** The last moment a certificate can name; RFC 5280 reads it as "no end". */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59);

/** A certificate's time: two-digit years until 2049, four-digit years from 2050 on, whole seconds in UTC. */
export function time(date: Date): Buffer {
  const digits = new Date(Math.min(date.getTime(), END_OF_TIME)).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const generalized = Number(digits.slice(0, 4)) >= 2050;
  return generalized
    ? element(TAG.generalizedTime, Buffer.from(digits, 'latin1'))
    : element(TAG.utcTime, Buffer.from(digits.slice(2), 'latin1'));
}
