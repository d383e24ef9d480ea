import { Fault } from './faults.ts';
import { rootOf, type PatchOperation, type PatchRules } from './json-patch.ts';
import { parsePythonLiteral } from './python-literal.ts';
import { shownText } from './python-text.ts';

type Members = Record<string, unknown>;

/** A document while it is changed. */
interface Work {
  document: Readonly<Members>;
  result: Members;
  operations: readonly PatchOperation[];
  rules: PatchRules;
  /** Maps copied for this change: each is copied once however many of its members change. */
  copied: WeakSet<object>;
}

/** What a document becomes; the document itself is left alone. Removed root attributes are absent from it. */
export function applyPatch(
  document: Readonly<Members>,
  operations: readonly PatchOperation[],
  rules: PatchRules,
): Members {
  if (!rules.json) for (const operation of operations) checkAddition(document, operation);
  const result = { ...document };
  const work: Work = { document, result, operations, rules, copied: new WeakSet() };
  for (const operation of operations) {
    const [, root = '', ...rest] = operation.path.split('/');
    if (rest.length > 0) changeMember(work, root, rest, operation);
    else changeRoot(work, root, operation);
  }
  return result;
}

const cannotApply = (operations: readonly PatchOperation[], reason: string, field: string): Fault =>
  new Fault('invalid_input', `Couldn't apply patch '${shownText(operations)}'. Reason: ${reason}`, { field });

/** Additions are held against the document as it was, before anything else: that is Magnum's order. */
function checkAddition(document: Readonly<Members>, { op, path }: PatchOperation): void {
  const root = rootOf(path);
  if (op !== 'add' || path !== `/${root}`) return;
  const present = Object.hasOwn(document, root);
  if (present && document[root] === null) return;
  const message = present
    ? `The attribute /${root} has existed, please use 'replace' operation instead.`
    : `Adding a new attribute /${root} to the root of the resource is not allowed.`;
  throw new Fault('invalid_input', message, { field: root });
}

function changeRoot(
  { document, result, operations, rules }: Work,
  root: string,
  operation: PatchOperation,
): void {
  // What was taken away in the same patch may come back.
  const known = Object.hasOwn(result, root) || (rules.json && Object.hasOwn(document, root));
  if ((operation.op !== 'add' || rules.json) && !known)
    throw cannotApply(operations, `can't ${operation.op} a non-existent object '${root}'`, root);
  if (operation.op === 'remove') delete result[root];
  else result[root] = rules.literals.has(root) ? literalValue(operations, operation) : operation.value;
}

function literalValue(operations: readonly PatchOperation[], operation: PatchOperation): unknown {
  try {
    return parsePythonLiteral(String(operation.value));
  } catch (error) {
    // Where Python's own reader says the mistake is; the text is always one line.
    const reason = `${error instanceof Error ? error.message : 'invalid syntax'} (<unknown>, line 1)`;
    throw cannotApply(operations, reason, rootOf(operation.path));
  }
}

function changeMember(work: Work, root: string, rest: string[], operation: PatchOperation): void {
  const { document, result, operations } = work;
  const isTaken = work.rules.json && Object.hasOwn(document, root);
  const found = Object.hasOwn(result, root) ? result[root] : isTaken ? null : undefined;
  // A map that is left open, or was taken away before, is filled key by key.
  const isOpen = work.rules.json && operation.op !== 'remove' && found === null;
  const parent = isOpen ? {} : found;
  const [key = ''] = rest;
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent) || rest.length > 1)
    throw cannotApply(operations, `member '${rest.join('/')}' not found in ${shownText(parent)}`, root);
  const mustExist = operation.op === 'remove' || (operation.op === 'replace' && !work.rules.json);
  if (mustExist && !Object.hasOwn(parent, key))
    throw cannotApply(operations, `can't ${operation.op} a non-existent object '${key}'`, root);
  const own = ownMembers(work, root, parent as Members);
  if (operation.op === 'remove') delete own[key];
  else {
    // Defined, not assigned: a key "__proto__" is a key like any other.
    const member = { value: operation.value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(own, key, member);
  }
}

function ownMembers(work: Work, root: string, parent: Members): Members {
  if (work.copied.has(parent)) return parent;
  const copy = { ...parent };
  work.copied.add(copy);
  work.result[root] = copy;
  return copy;
}
