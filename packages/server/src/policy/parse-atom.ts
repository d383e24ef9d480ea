import type { Check, Template } from './check.ts';

/** A check string that means nothing; the message says what is wrong with it and not where it stands. */
export class CheckSyntaxError extends Error {
  override readonly name = 'CheckSyntaxError';
}

/** Reads `text %(attribute)s text` as Python's formatting does; only `s` conversions make sense for a comparison. */
function parseTemplate(text: string): Template {
  const template: (string | { attribute: string })[] = [];
  let plain = '';
  for (let at = 0; at < text.length;) {
    const hole = /^%\(([^()]+)\)s/.exec(text.slice(at));
    if (hole?.[1] !== undefined) {
      if (plain !== '') template.push(plain);
      plain = '';
      template.push({ attribute: hole[1] });
      at += hole[0].length;
    } else if (text.startsWith('%%', at)) {
      plain += '%';
      at += 2;
    } else if (text[at] === '%') {
      throw new CheckSyntaxError(`"${text}" has a "%" that does not begin "%(attribute)s"`);
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain !== '') template.push(plain);
  return template;
}

const WORD_LITERALS: ReadonlySet<string> = new Set(['True', 'False', 'None']);
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const QUOTED = /^(?:'([^'\\]*)'|"([^"\\]*)")$/;

/** The text of a Python literal on the left of a colon, or null when the word is a path into the credentials. */
function literalText(word: string): string | null {
  if (WORD_LITERALS.has(word)) return word;
  const quoted = QUOTED.exec(word);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  if (!NUMBER.test(word)) return null;
  const number = Number(word);
  return word.includes('.') && Number.isInteger(number) ? `${number}.0` : String(number);
}

function parseKindAndMatch(kind: string, match: string): Check {
  if (kind === 'rule') {
    if (match === '') throw new CheckSyntaxError('"rule:" names no rule');
    return { kind: 'rule', name: match };
  }
  if (kind === 'role') {
    if (match === '') throw new CheckSyntaxError('"role:" names no role');
    return { kind: 'role', match: parseTemplate(match) };
  }
  if (kind === 'http' || kind === 'https') {
    throw new CheckSyntaxError(`"${kind}:" checks, which ask a remote server, are not supported`);
  }
  const text = literalText(kind);
  if (text !== null) return { kind: 'literal', text, match: parseTemplate(match) };
  if (!/^[\w-]+(\.[\w-]+)*$/.test(kind)) {
    throw new CheckSyntaxError(`"${kind}" is neither a literal nor the name of a credential`);
  }
  return { kind: 'credential', path: kind.split('.'), match: parseTemplate(match) };
}

/** Reads one word of the language: `@`, `!`, or two parts around the first colon. */
export function parseAtom(word: string): Check {
  if (word === '@') return { kind: 'allow' };
  if (word === '!') return { kind: 'deny' };
  const colon = word.indexOf(':');
  if (colon < 0) {
    throw new CheckSyntaxError(
      `"${word}" is not a check: write role:…, rule:…, attribute:%(attribute)s, @ or !`,
    );
  }
  return parseKindAndMatch(word.slice(0, colon), word.slice(colon + 1));
}
