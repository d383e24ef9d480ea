/**
 * Reads a Python or JSON literal. Magnum's PATCH carries maps as text such as "{'a': 'b'}" (that is what
 * python-magnumclient sends), so the service must read that notation; nothing is ever evaluated.
 */

const maxDepth = 32;

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

  #space(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #take(token: string): boolean {
    this.#space();
    if (!this.#text.startsWith(token, this.#at)) return false;
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
      if (typeof key === 'object' && key !== null) throw new SyntaxError('a key must be a plain value');
      entries.push([typeof key === 'string' ? key : String(key), this.#value(depth + 1)]);
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

  #peek(token: string): boolean {
    this.#space();
    return this.#text.startsWith(token, this.#at);
  }

  #string(quote: string): string {
    this.#at += 1;
    let out = '';
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character === '\n') throw new SyntaxError('unterminated string literal');
      this.#at += 1;
      if (character === quote) return out;
      out += character === '\\' ? this.#escape() : character;
    }
  }

  #escape(): string {
    const character = this.#text[this.#at];
    this.#at += 1;
    const simple: Record<string, string> = {
      n: '\n',
      r: '\r',
      t: '\t',
      '\\': '\\',
      "'": "'",
      '"': '"',
      '/': '/',
    };
    if (character !== undefined && simple[character] !== undefined) return simple[character];
    const width = character === 'x' ? 2 : character === 'u' ? 4 : 0;
    const digits = this.#text.slice(this.#at, this.#at + width);
    if (width === 0 || !new RegExp(`^[0-9a-fA-F]{${width}}$`).test(digits))
      throw new SyntaxError('unknown escape');
    this.#at += width;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #word(): unknown {
    const word = /^[\w.+-]+/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += word.length;
    const words: Record<string, unknown> = {
      True: true,
      true: true,
      False: false,
      false: false,
      None: null,
      null: null,
    };
    if (Object.hasOwn(words, word)) return words[word];
    if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word)) return Number(word);
    throw new SyntaxError('invalid syntax');
  }
}

/** The value of a literal; throws SyntaxError with a reason when the text is none. */
export const parsePythonLiteral = (text: string): unknown => new LiteralReader(text).read();
