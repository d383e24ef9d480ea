/**
 * Values as Magnum prints them. Its error texts show request values in Python's spelling, and its labels keep
 * that spelling ("True", "1.5"); clients and people grep for both.
 */

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = quote;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (character === quote) out += `\\${character}`;
    else if (escapes[character] !== undefined) out += escapes[character];
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else out += character;
  }
  return out + quote;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return Object.is(value, -0) ? '0' : String(value);
}

/** Python's `repr()` of a JSON value. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return stringRepr(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  const entries = Object.entries(value as Record<string, unknown>);
  return `{${entries.map(([key, item]) => `${stringRepr(key)}: ${pythonRepr(item)}`).join(', ')}}`;
}

/** Python's `str()` of a JSON value: as `repr()`, but a string stands for itself. */
export const pythonText = (value: unknown): string => (typeof value === 'string' ? value : pythonRepr(value));

/** The name of the Python class a JSON value would have had. */
export function pythonClass(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'string') return 'str';
  return Array.isArray(value) ? 'list' : 'dict';
}
