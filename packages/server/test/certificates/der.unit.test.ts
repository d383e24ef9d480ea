import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  childrenOf,
  DerError,
  readElement,
  readObjectIdentifier,
  readSmallInteger,
} from '../../src/certificates/der/reader.ts';
import {
  element,
  namedBits,
  objectIdentifier,
  sequence,
  time,
  unsignedInteger,
} from '../../src/certificates/der/writer.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('what is written is read back', () => {
  test('elements of any length', () => {
    fc.assert(
      fc.property(fc.nat(70_000), (length) => {
        const content = Buffer.alloc(length, 0x5a);
        expect(readElement(element(0x04, content)).content).toEqual(content);
      }),
      { numRuns: 50 },
    );
  });

  test('lists of elements', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (contents) => {
        const read = childrenOf(readElement(sequence(...contents.map((content) => element(0x04, content)))));
        expect(read.map(({ content }) => content)).toEqual(contents.map((content) => Buffer.from(content)));
      }),
    );
  });

  test('object identifiers', () => {
    const arcs = fc.tuple(fc.constantFrom('0', '1', '2'), fc.nat(39), fc.array(fc.nat(), { maxLength: 8 }));
    fc.assert(
      fc.property(arcs, ([root, second, rest]) => {
        const dotted = [root, second, ...rest].join('.');
        expect(readObjectIdentifier(readElement(objectIdentifier(dotted)))).toBe(dotted);
      }),
    );
  });
});

describe('encodings are the ones the standard gives', () => {
  test('integers', () => {
    expect(unsignedInteger(hex('00'))).toEqual(hex('02 01 00'));
    expect(unsignedInteger(hex('7f'))).toEqual(hex('02 01 7f'));
    expect(unsignedInteger(hex('80'))).toEqual(hex('02 02 00 80'));
    expect(unsignedInteger(hex('00 00 12 34'))).toEqual(hex('02 02 12 34'));
  });

  test('named bits without trailing zeros', () => {
    expect(namedBits([5])).toEqual(hex('03 02 02 04'));
    expect(namedBits([0, 2])).toEqual(hex('03 02 05 a0'));
    expect(namedBits([0, 8])).toEqual(hex('03 03 07 80 80'));
    expect(namedBits([])).toEqual(hex('03 01 00'));
  });

  test('times, with two-digit years until 2049', () => {
    expect(time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1', 2)).toBe('491231235959Z');
    expect(time(new Date('2050-01-01T00:00:00Z')).toString('latin1', 2)).toBe('20500101000000Z');
    expect(time(new Date('+010000-01-01T00:00:00Z')).toString('latin1', 2)).toBe('99991231235959Z');
  });
});

describe('bytes that are not DER are refused', () => {
  test.each([
    ['nothing', ''],
    ['a tag alone', '30'],
    ['an indefinite length', '30 80 00 00'],
    ['a length of five octets', '30 85 01 00 00 00 00'],
    ['a long form of a short length', '04 81 01 00'],
    ['a length with a leading zero', `04 82 00 81 ${'00'.repeat(0x81)}`],
    ['a length cut off', '30 82 01'],
    ['content cut off', '04 05 00'],
    ['data behind the element', '05 00 00'],
    ['a tag of several bytes', '1f 81 01 00'],
  ])('%s', (_name, bytes) => {
    expect(() => readElement(hex(bytes))).toThrow(DerError);
  });

  test.each([
    ['an empty object identifier', '06 00'],
    ['an object identifier without an end', '06 02 2a 86'],
    ['an object identifier with padding', '06 03 2a 80 01'],
  ])('%s', (_name, bytes) => {
    expect(() => readObjectIdentifier(readElement(hex(bytes)))).toThrow(DerError);
  });

  test.each([
    ['a negative integer', '02 01 80'],
    ['an empty integer', '02 00'],
    ['an integer too large to be a version', '02 05 01 00 00 00 00'],
  ])('%s', (_name, bytes) => {
    expect(() => readSmallInteger(readElement(hex(bytes)))).toThrow(DerError);
  });
});
