/** The ASN.1 tags that certificates and signing requests are made of. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Context-specific tags: `[n]` around other elements (explicit) or in place of a primitive's own tag (implicit). */
export const explicitTag = (number: number): number => 0xa0 | number;
export const implicitTag = (number: number): number => 0x80 | number;
