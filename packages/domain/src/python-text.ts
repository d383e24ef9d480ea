/**
 * Values as Magnum prints them. Its error texts show request values in Python's spelling, and its labels keep
 * that spelling ("True", "1.5"); clients and people grep for both.
 */

/** Deeper values are cut short: a text is for people, and the stack is not endless. */
const maxDepth = 64;
const maxShown = 1000;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const unprintable = /^[\p{C}\p{Z}]$/u;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = (width: number): string => code.toString(16).padStart(width, '0');
  if (code <= 0xff) return `\\x${hex(2)}`;
  return code <= 0xffff ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) {
    if (character === quote) out += `\\${character}`;
    else if (escapes[character] !== undefined) out += escapes[character];
    else if (character !== ' ' && unprintable.test(character)) out += escaped(character);
    else out += character;
  }
  return out + quote;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '0';
  // Python turns to exponents earlier than JavaScript, and writes them with two digits.
  if (!Number.isInteger(value) && Math.abs(value) < 1e-4) {
    return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
  }
  return String(value);
}

function repr(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return stringRepr(value);
  if (depth > maxDepth) return '...';
  if (Array.isArray(value)) return `[${value.map((item) => repr(item, depth + 1)).join(', ')}]`;
  const entries = Object.entries(value as Record<string, unknown>);
  return `{${entries.map(([key, item]) => `${stringRepr(key)}: ${repr(item, depth + 1)}`).join(', ')}}`;
}

/** Python's `repr()` of a JSON value. */
export const pythonRepr = (value: unknown): string => repr(value, 0);

/** Python's `str()` of a JSON value: as `repr()`, but a string stands for itself. */
export const pythonText = (value: unknown): string => (typeof value === 'string' ? value : pythonRepr(value));

/** `pythonText` for an error text: of bounded length, and without halves of characters. */
export function shownText(value: unknown): string {
  const text = pythonText(value);
  return (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text).toWellFormed();
}

/** The name of the Python class a JSON value would have had. */
export function pythonClass(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'string') return 'str';
  return Array.isArray(value) ? 'list' : 'dict';
}
