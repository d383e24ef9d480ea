import { expect, test } from 'vitest';

import { quoteAsPythonBytes } from '../../src/certificates/python-bytes.ts';

test.each([
  ['garbage', "b'garbage'"],
  ['', "b''"],
  ['a\tb\nc\rd', String.raw`b'a\tb\nc\rd'`],
  ['back\\slash', String.raw`b'back\\slash'`],
  ["it's", `b"it's"`],
  ['say "x"', `b'say "x"'`],
  [`it's "x"`, String.raw`b'it\'s "x"'`],
  ['\0\x7f', String.raw`b'\x00\x7f'`],
  ['é€', String.raw`b'\xc3\xa9\xe2\x82\xac'`],
])('%j is quoted as Python quotes its bytes', (text, quoted) => {
  expect(quoteAsPythonBytes(text)).toBe(quoted);
});

test('a long text is cut, with its true size', () => {
  expect(quoteAsPythonBytes('y'.repeat(1025))).toBe(`b'${'y'.repeat(1024)}'... (1025 bytes)`);
  expect(quoteAsPythonBytes('y'.repeat(1024))).toBe(`b'${'y'.repeat(1024)}'`);
});
