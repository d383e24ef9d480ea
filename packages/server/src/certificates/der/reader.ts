import { TAG } from './tags.ts';

/** Bytes that are not the DER they should be. Callers turn it into a sentence for whoever sent the bytes. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/** One element. `raw` is the element with its header, for copying or signing it without encoding it anew. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly raw: Buffer;
}

/** Reads a buffer that must hold exactly one element and nothing behind it. */
export function readElement(bytes: Buffer, tag?: number): DerElement {
  const element = elementAt(bytes, 0);
  if (element.raw.length !== bytes.length) throw new DerError('data behind the element');
  if (tag !== undefined) expectTag(element, tag);
  return element;
}

/** The elements inside a constructed one. Nothing here recurses, so no depth of nesting can exhaust the stack. */
export function childrenOf(parent: DerElement, tag?: number): DerElement[] {
  if (tag !== undefined) expectTag(parent, tag);
  const children: DerElement[] = [];
  for (let offset = 0; offset < parent.content.length;) {
    const child = elementAt(parent.content, offset);
    children.push(child);
    offset += child.raw.length;
  }
  return children;
}

export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element === undefined) throw new DerError('an element is missing');
  if (element.tag !== tag) throw new DerError(`tag ${element.tag} where ${tag} belongs`);
  return element;
}

function elementAt(bytes: Buffer, start: number): DerElement {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined) throw new DerError('the data ends inside a header');
  if ((tag & 0x1f) === 0x1f) throw new DerError('multi-byte tags occur in no certificate');
  let length = first;
  let headerEnd = start + 2;
  if (first >= 0x80) {
    const octets = first & 0x7f;
    if (octets === 0 || octets > 4) throw new DerError('a length that is indefinite or too large');
    headerEnd += octets;
    if (headerEnd > bytes.length) throw new DerError('the data ends inside a length');
    length = bytes.readUIntBE(start + 2, octets);
    // Only the shortest form is DER. Accepting another would let two encodings pass for the same request.
    if (length < 0x80 || bytes[start + 2] === 0)
      throw new DerError('a length that is not in its shortest form');
  }
  const end = headerEnd + length;
  if (end > bytes.length) throw new DerError('the data ends inside an element');
  return { tag, content: bytes.subarray(headerEnd, end), raw: bytes.subarray(start, end) };
}

export function readObjectIdentifier(element: DerElement | undefined): string {
  const { content } = expectTag(element, TAG.objectIdentifier);
  const last = content.at(-1);
  if (last === undefined || last >= 0x80) throw new DerError('an object identifier without an end');
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of content) {
    if (arc === 0n && byte === 0x80)
      throw new DerError('an object identifier that is not in its shortest form');
    arc = (arc << 7n) | BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const [joint = 0n, ...others] = arcs;
  const root = joint < 80n ? joint / 40n : 2n;
  return [root, joint - root * 40n, ...others].join('.');
}

export function readBoolean(element: DerElement | undefined): boolean {
  const { content } = expectTag(element, TAG.boolean);
  if (content.length !== 1) throw new DerError('a boolean of the wrong length');
  return content[0] !== 0;
}

/** A bit string of whole octets, as keys and signatures are. */
export function readOctetBits(element: DerElement | undefined): Buffer {
  const { content } = expectTag(element, TAG.bitString);
  if (content[0] !== 0) throw new DerError('a bit string that is not made of whole octets');
  return content.subarray(1);
}

/** A small non-negative integer, such as a version. */
export function readSmallInteger(element: DerElement | undefined): number {
  const { content } = expectTag(element, TAG.integer);
  const [first] = content;
  if (first === undefined || first >= 0x80 || content.length > 4)
    throw new DerError('an integer out of range');
  return content.readUIntBE(0, content.length);
}
