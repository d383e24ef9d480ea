import { LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Alias, Document, Node } from 'yaml';
import type { Check } from './check.ts';
import { CheckSyntaxError } from './parse-atom.ts';
import { parseCheck, parseCheckList } from './parse-check.ts';
import { PolicyError } from './policy-error.ts';
import type { PolicyProblem } from './policy-error.ts';

export interface PolicyFile {
  /** As people call it in messages. */
  readonly file: string;
  readonly text: string;
}

export interface FileRule {
  readonly name: string;
  readonly line: number;
  readonly check: Check;
}

const NOT_A_CHECK =
  'must be a check string or a list of them; to allow everyone write "@", to refuse everyone "!"';

/** The text of a scalar, or null for anything else. */
function textOf(node: unknown): string | null {
  if (!isScalar(node) || typeof node.value !== 'string') return null;
  // Written without quotes, "!" is an empty text with a tag, and an empty check allows everyone.
  if (node.tag !== undefined) throw new CheckSyntaxError(`put quotes around what begins with "${node.tag}"`);
  return node.value;
}

function textsOf(node: unknown): string[] | null {
  if (!isSeq(node)) return null;
  const texts = node.items.map((item) => textOf(item));
  return texts.every((text) => text !== null) ? texts : null;
}

function anchored(alias: Alias, document: Document.Parsed): Node {
  const node = alias.resolve(document);
  if (node === undefined) throw new CheckSyntaxError(`no anchor is named "${alias.source}"`);
  return node;
}

function readCheck(node: Node | null | undefined): Check {
  const text = textOf(node);
  if (text !== null) return parseCheck(text);
  if (!isSeq(node)) throw new CheckSyntaxError(NOT_A_CHECK);
  const alternatives = node.items.map((item) => {
    const alternative = textOf(item) ?? textsOf(item);
    if (alternative === null) throw new CheckSyntaxError(NOT_A_CHECK);
    return alternative;
  });
  return parseCheckList(alternatives);
}

/** Reads a file in YAML (of which JSON is a part) and throws a {@link PolicyError} with all that is wrong in it. */
export function readPolicyFile({ file, text }: PolicyFile): FileRule[] {
  const lines = new LineCounter();
  const document: Document.Parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number | undefined) => Math.max(1, lines.linePos(offset ?? 0).line);
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), reason: message }));
    throw new PolicyError(file, problems);
  }
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return [];
  if (!isMap<Node, Node | null>(root)) {
    const reason =
      'the file must map names of rules to check strings, for example "cluster:create": "role:member"';
    throw new PolicyError(file, [{ line: lineAt(root.range[0]), reason }]);
  }

  const rules: FileRule[] = [];
  const problems: PolicyProblem[] = [];
  for (const { key, value } of root.items) {
    const line = lineAt(key.range?.[0]);
    if (!isScalar(key) || typeof key.value !== 'string') {
      problems.push({ line, reason: 'the name of a rule must be text' });
      continue;
    }
    const name = key.value;
    try {
      rules.push({ name, line, check: readCheck(isAlias(value) ? anchored(value, document) : value) });
    } catch (error) {
      if (!(error instanceof CheckSyntaxError)) throw error;
      problems.push({ line, reason: `rule "${name}": ${error.message}` });
    }
  }
  if (problems.length > 0) throw new PolicyError(file, problems);
  return rules;
}
