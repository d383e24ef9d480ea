/** Magnum's clients see the request quoted as Python prints bytes; longer ones are cut, which Magnum does not do. */
const MAX_QUOTED_BYTES = 1024;

const ESCAPES = new Map([
  [0x09, String.raw`\t`],
  [0x0a, String.raw`\n`],
  [0x0d, String.raw`\r`],
  [0x5c, '\\\\'],
]);

/** Quotes text the way Python's repr quotes its UTF-8 bytes: b'...' with escapes, in double quotes where that saves some. */
export function quoteAsPythonBytes(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const shown = bytes.subarray(0, MAX_QUOTED_BYTES);
  const quote = shown.includes("'") && !shown.includes('"') ? '"' : "'";
  let quoted = '';
  for (const byte of shown) quoted += quoteByte(byte, quote);
  const cut = bytes.length > shown.length ? `... (${bytes.length} bytes)` : '';
  return `b${quote}${quoted}${quote}${cut}`;
}

function quoteByte(byte: number, quote: string): string {
  const escape = ESCAPES.get(byte);
  if (escape !== undefined) return escape;
  const character = String.fromCharCode(byte);
  if (character === quote) return `\\${character}`;
  if (byte < 0x20 || byte > 0x7e) return `\\x${byte.toString(16).padStart(2, '0')}`;
  return character;
}
