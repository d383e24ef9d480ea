import { parseAttribute, invalidField } from './attributes/parse.ts';
import type { Attribute, AttributeTable } from './attributes/types.ts';
import { Fault } from './faults.ts';
import { pythonClass, pythonRepr } from './python-text.ts';
import { parsePythonLiteral } from './python-literal.ts';

/** One change of a PATCH, as Magnum reads it: the three operations, plain values, paths of words. */
export interface PatchOperation {
  path: string;
  op: 'add' | 'replace' | 'remove';
  value?: string | number | boolean;
}

/** What may be changed in a resource, and what not. */
export interface PatchRules {
  /** Root attributes no one may change. */
  internal: ReadonlySet<string>;
  /** Root attributes that may be replaced but not removed. */
  notRemovable: ReadonlySet<string>;
  /** Root attributes whose new value comes as the text of a literal. */
  literals: ReadonlySet<string>;
}

const alwaysInternal = ['created_at', 'id', 'links', 'updated_at', 'uuid', 'project_id', 'user_id'];

export const patchRules = (rules: {
  internal?: string[];
  notRemovable?: string[];
  literals?: string[];
}): PatchRules => ({
  internal: new Set([...alwaysInternal, ...(rules.internal ?? [])]),
  notRemovable: new Set(rules.notRemovable),
  literals: new Set(rules.literals),
});

const pathAttribute: Attribute = {
  name: 'path',
  type: { kind: 'string', pattern: String.raw`^(/[\w-]+)+$` },
  description: 'Where: /attribute or /attribute/key.',
};
const opAttribute: Attribute = {
  name: 'op',
  type: { kind: 'choice', of: ['add', 'replace', 'remove'] },
  description: 'What to do there.',
};

const rootOf = (path: string): string => path.split('/')[1] ?? '';

function parseOperation(item: unknown, rules: PatchRules): PatchOperation {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw invalidField('patch', item, 'Value should be a list of objects with op, path and value');
  }
  const given = item as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !['path', 'op', 'value'].includes(name));
  if (unknown !== undefined)
    throw new Fault('invalid_input', `Unknown attribute for argument patch: ${unknown}`, { field: unknown });
  for (const name of ['path', 'op']) {
    if (given[name] === undefined || given[name] === null)
      throw invalidField(name, null, 'Mandatory field missing.');
  }
  const path = parseAttribute(pathAttribute, given['path']) as string;
  const op = parseAttribute(opAttribute, given['op']) as PatchOperation['op'];
  const value = parseValue(given['value']);
  const root = rootOf(path);
  if (rules.internal.has(root)) {
    throw new Fault('invalid_input', `'${path}' is an internal attribute and can not be updated`, {
      field: root,
    });
  }
  if (op === 'remove') {
    if (path === `/${root}` && rules.notRemovable.has(root)) {
      throw new Fault('invalid_input', `'${path}' is a mandatory attribute and can not be removed`, {
        field: root,
      });
    }
    return { path, op };
  }
  if (value === undefined)
    throw new Fault('invalid_input', "'add' and 'replace' operations needs value", { field: root });
  return { path, op, value };
}

function parseValue(value: unknown): string | number | boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw invalidField(
    'value',
    value,
    `Wrong type. Expected '(<class 'str'>, <class 'int'>)', got '<class '${pythonClass(value)}'>'`,
  );
}

/** The changes of a PATCH body, checked against the rules of the resource. */
export function parsePatch(body: unknown, rules: PatchRules): PatchOperation[] {
  if (!Array.isArray(body)) throw invalidField('patch', body, `Value not a valid list: ${pythonRepr(body)}`);
  return body.map((item) => parseOperation(item, rules));
}

const cannotApply = (operations: PatchOperation[], reason: string, field: string): Fault =>
  new Fault('invalid_input', `Couldn't apply patch '${pythonRepr(operations)}'. Reason: ${reason}`, {
    field,
  });

function literalValue(operations: PatchOperation[], operation: PatchOperation): unknown {
  try {
    return parsePythonLiteral(String(operation.value));
  } catch (error) {
    throw cannotApply(
      operations,
      error instanceof Error ? error.message : 'invalid syntax',
      rootOf(operation.path),
    );
  }
}

/** What a document becomes; the document itself is left alone. Removed root attributes are absent from it. */
export function applyPatch(
  document: Readonly<Record<string, unknown>>,
  operations: PatchOperation[],
  rules: PatchRules,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...document };
  for (const operation of operations) {
    const [, root = '', ...rest] = operation.path.split('/');
    if (rest.length > 0) changeMember(result, root, rest, operation, operations);
    else changeRoot(result, document, root, operation, operations, rules);
  }
  return result;
}

function changeRoot(
  result: Record<string, unknown>,
  document: Readonly<Record<string, unknown>>,
  root: string,
  operation: PatchOperation,
  operations: PatchOperation[],
  rules: PatchRules,
): void {
  if (!Object.hasOwn(document, root)) {
    if (operation.op === 'add') {
      throw new Fault(
        'invalid_input',
        `Adding a new attribute /${root} to the root of the resource is not allowed.`,
        { field: root },
      );
    }
    throw cannotApply(operations, `can't ${operation.op} a non-existent object '${root}'`, root);
  }
  if (operation.op === 'remove') {
    delete result[root];
    return;
  }
  if (operation.op === 'add' && result[root] !== null && result[root] !== undefined) {
    const message = `The attribute /${root} has existed, please use 'replace' operation instead.`;
    throw new Fault('invalid_input', message, { field: root });
  }
  result[root] = rules.literals.has(root) ? literalValue(operations, operation) : operation.value;
}

function changeMember(
  result: Record<string, unknown>,
  root: string,
  rest: string[],
  operation: PatchOperation,
  operations: PatchOperation[],
): void {
  const parent = Object.hasOwn(result, root) ? result[root] : undefined;
  const [key = ''] = rest;
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent) || rest.length > 1) {
    throw cannotApply(operations, `member '${rest.join('/')}' not found in ${pythonRepr(parent)}`, root);
  }
  if (operation.op !== 'add' && !Object.hasOwn(parent, key)) {
    throw cannotApply(operations, `can't ${operation.op} a non-existent object '${key}'`, root);
  }
  const entries = Object.entries(parent).filter(([name]) => name !== key);
  result[root] = Object.fromEntries(
    operation.op === 'remove' ? entries : [...entries, [key, operation.value]],
  );
}

/**
 * The changed root attributes of a patched document, each checked by its table. Unlike in a body, numbers
 * must be numbers here. `undefined` stands for a removed attribute.
 */
export function changedAttributes(
  table: AttributeTable,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const attribute of table.attributes) {
    if (!Object.hasOwn(before, attribute.name)) continue;
    if (!Object.hasOwn(after, attribute.name)) {
      changed[attribute.name] = undefined;
      continue;
    }
    const value = after[attribute.name];
    if (value === before[attribute.name]) continue;
    if (attribute.type.kind === 'integer' && typeof value !== 'number') {
      throw invalidField(attribute.name, value, 'Value should be an integer');
    }
    changed[attribute.name] = parseAttribute({ ...attribute, readOnly: false }, value);
  }
  return changed;
}
