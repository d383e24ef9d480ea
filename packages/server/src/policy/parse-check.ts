import type { Check } from './check.ts';
import { CheckSyntaxError, parseAtom } from './parse-atom.ts';

type Token =
  | { readonly type: 'open' | 'close' | 'and' | 'or' | 'not'; readonly text: string }
  | { readonly type: 'check'; readonly text: string; readonly check: Check };

/** Deeper than any policy a person can follow; it keeps a hostile file from exhausting the stack. */
const DEEPEST_NESTING = 100;

function parentheses(text: string, type: 'open' | 'close'): Token[] {
  return Array.from(text, (character) => ({ type, text: character }));
}

/**
 * Words are parted by white space. Parentheses belong to the language only at the ends of a word, because `%(name)s`
 * has some inside.
 */
function tokenize(text: string): Token[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .flatMap((word) => {
      let start = 0;
      while (word[start] === '(') start += 1;
      let end = word.length;
      while (end > start && word[end - 1] === ')') end -= 1;
      const tokens = parentheses(word.slice(0, start), 'open');
      const middle = word.slice(start, end);
      const operator = middle.toLowerCase();
      if (operator === 'and' || operator === 'or' || operator === 'not') {
        tokens.push({ type: operator, text: middle });
      } else if (middle !== '') {
        tokens.push({ type: 'check', text: middle, check: parseAtom(middle) });
      }
      return [...tokens, ...parentheses(word.slice(end), 'close')];
    });
}

/** Recursive descent over `or` ← `and` ← `not` ← check or parentheses, the loosest operator outermost. */
class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Check {
    const check = this.#chain('or');
    const rest = this.#tokens[this.#next];
    if (rest === undefined) return check;
    if (rest.type === 'close') throw new CheckSyntaxError('there is a ")" without its "("');
    throw new CheckSyntaxError(`"and" or "or" is missing before "${rest.text}"`);
  }

  #chain(operator: 'and' | 'or'): Check {
    const operand = () => (operator === 'or' ? this.#chain('and') : this.#single());
    const first = operand();
    const checks = [first];
    while (this.#tokens[this.#next]?.type === operator) {
      this.#next += 1;
      checks.push(operand());
    }
    return checks.length === 1 ? first : { kind: operator, checks };
  }

  #single(): Check {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new CheckSyntaxError('it ends where a check is expected');
    this.#next += 1;
    switch (token.type) {
      case 'check':
        return token.check;
      case 'not':
        return this.#deeper(() => ({ kind: 'not', check: this.#single() }));
      case 'open':
        return this.#deeper(() => this.#parenthesised());
      default:
        throw new CheckSyntaxError(`a check is expected before "${token.text}"`);
    }
  }

  #parenthesised(): Check {
    const check = this.#chain('or');
    const closing = this.#tokens[this.#next];
    this.#next += 1;
    if (closing === undefined) throw new CheckSyntaxError('a "(" is never closed');
    if (closing.type !== 'close') {
      throw new CheckSyntaxError(`"and" or "or" is missing before "${closing.text}"`);
    }
    return check;
  }

  #deeper(parse: () => Check): Check {
    this.#depth += 1;
    if (this.#depth > DEEPEST_NESTING) {
      throw new CheckSyntaxError(`it is nested more than ${DEEPEST_NESTING} levels deep`);
    }
    const check = parse();
    this.#depth -= 1;
    return check;
  }
}

/** Reads a check string. The empty string allows everyone, as it does in oslo.policy. */
export function parseCheck(text: string): Check {
  if (text === '') return { kind: 'allow' };
  return new Parser(tokenize(text)).whole();
}

/** Reads the form of old policy files: a list of alternatives, each one word or a list of words that must all hold. */
export function parseCheckList(alternatives: readonly (string | readonly string[])[]): Check {
  if (alternatives.length === 0) return { kind: 'allow' };
  const checks = alternatives
    .map((words) => (typeof words === 'string' ? [words] : words))
    .filter((words) => words.length > 0 && words[0] !== '')
    .map((words) => joined('and', words.map(parseAtom)));
  return joined('or', checks);
}

function joined(kind: 'and' | 'or', checks: readonly Check[]): Check {
  const [first] = checks;
  // Only empty alternatives: oslo.policy leaves nothing that could hold.
  if (first === undefined) return { kind: 'deny' };
  return checks.length === 1 ? first : { kind, checks };
}
