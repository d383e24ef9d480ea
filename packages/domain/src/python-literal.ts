/**
 * Reads a Python or JSON literal. Magnum's PATCH carries maps as text such as "{'a': 'b'}" (that is what
 * python-magnumclient sends), so the service must read that notation; nothing is ever evaluated.
 */

const maxDepth = 32;

const words: Readonly<Record<string, boolean | null>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
};
const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  // JSON's; the two notations agree on the rest.
  '/': '/',
};
const codeWidths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

class LiteralReader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw new SyntaxError('invalid syntax');
    return value;
  }

  /** What a pattern matches at this place; moves behind it. */
  #match(sticky: RegExp): string {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #space(): void {
    this.#match(/\s*/y);
  }

  #peek(token: string): boolean {
    this.#space();
    return this.#text.startsWith(token, this.#at);
  }

  #take(token: string): boolean {
    if (!this.#peek(token)) return false;
    this.#at += token.length;
    return true;
  }

  #value(depth: number): unknown {
    if (depth > maxDepth) throw new SyntaxError('too many nested levels');
    this.#space();
    const next = this.#text[this.#at];
    if (next === '{') return this.#map(depth);
    if (next === '[') return this.#sequence('[', ']', depth);
    if (next === '(') return this.#sequence('(', ')', depth);
    if (next === "'" || next === '"') return this.#string(next);
    return this.#word();
  }

  #map(depth: number): Record<string, unknown> {
    this.#take('{');
    const entries: [string, unknown][] = [];
    while (!this.#take('}')) {
      const key = this.#value(depth + 1);
      if (!this.#take(':')) throw new SyntaxError('invalid syntax');
      if (typeof key !== 'string') throw new SyntaxError('a key must be a string');
      entries.push([key, this.#value(depth + 1)]);
      if (!this.#take(',') && !this.#peek('}')) throw new SyntaxError('invalid syntax');
    }
    // fromEntries defines own properties, so that a key "__proto__" is a key like any other.
    return Object.fromEntries(entries);
  }

  #sequence(open: string, close: string, depth: number): unknown[] {
    this.#take(open);
    const items: unknown[] = [];
    while (!this.#take(close)) {
      items.push(this.#value(depth + 1));
      if (!this.#take(',') && !this.#peek(close)) throw new SyntaxError('invalid syntax');
    }
    return items;
  }

  #string(quote: string): string {
    this.#at += 1;
    let out = '';
    for (;;) {
      out += this.#match(quote === "'" ? /[^'\\\n]*/y : /[^"\\\n]*/y);
      const character = this.#text[this.#at];
      if (character === undefined || character === '\n') throw new SyntaxError('unterminated string literal');
      this.#at += 1;
      if (character === quote) return out;
      out += this.#escape();
    }
  }

  #escape(): string {
    const character = this.#text[this.#at] ?? '';
    this.#at += 1;
    const simple = escapes[character];
    if (simple !== undefined) return simple;
    const width = codeWidths[character];
    if (width !== undefined) return this.#code(width);
    // As in Python, a backslash before any other letter is one; octal and named characters are not read.
    if (/^[A-MO-Za-z]$/.test(character)) return `\\${character}`;
    throw new SyntaxError('unknown escape');
  }

  #code(width: number): string {
    const digits = this.#text.slice(this.#at, this.#at + width);
    const code = /^[0-9a-fA-F]+$/.test(digits) ? Number.parseInt(digits, 16) : Infinity;
    if (digits.length < width || code > 0x10ffff) throw new SyntaxError('unknown escape');
    this.#at += width;
    return String.fromCodePoint(code);
  }

  #word(): unknown {
    const word = this.#match(/[\w.+-]+/y);
    if (Object.hasOwn(words, word)) return words[word];
    if (numberPattern.test(word)) return Number(word);
    throw new SyntaxError('invalid syntax');
  }
}

/** The value of a literal; throws SyntaxError with a reason when the text is none. */
export const parsePythonLiteral = (text: string): unknown => new LiteralReader(text).read();
