import { invalidField, parseAttribute } from './attributes/parse.ts';
import type { Attribute } from './attributes/types.ts';
import { Fault } from './faults.ts';
import { pythonClass, shownText } from './python-text.ts';

/** One change of a PATCH: three operations, paths of words, and for Magnum plain values. */
export interface PatchOperation {
  path: string;
  op: 'add' | 'replace' | 'remove';
  value?: unknown;
}

/** What may be changed in a resource, and what not. */
export interface PatchRules {
  /** Root attributes no one may change. */
  internal: ReadonlySet<string>;
  /** Root attributes that may be replaced but not removed. */
  notRemovable: ReadonlySet<string>;
  /** Root attributes whose new value comes as the text of a literal. */
  literals: ReadonlySet<string>;
  /** Beyond Magnum: values are any JSON, `add` and `replace` both set, and null takes away as `remove` does. */
  json: boolean;
}

const alwaysInternal = ['created_at', 'id', 'links', 'updated_at', 'uuid', 'project_id', 'user_id'];

export const patchRules = (rules: {
  internal?: string[];
  notRemovable?: string[];
  literals?: string[];
  json?: boolean;
}): PatchRules => ({
  internal: new Set([...alwaysInternal, ...(rules.internal ?? [])]),
  notRemovable: new Set(rules.notRemovable),
  literals: new Set(rules.literals),
  json: rules.json ?? false,
});

const pathAttribute: Attribute = {
  name: 'path',
  type: { kind: 'string', max: 1000, pattern: String.raw`^(/[\w-]+)+$` },
  description: 'Where: /attribute or /attribute/key.',
};
const opAttribute: Attribute = {
  name: 'op',
  type: { kind: 'choice', of: ['add', 'replace', 'remove'] },
  description: 'What to do there.',
};
const members = new Set(['path', 'op', 'value']);

/** The attribute a path begins with. */
export const rootOf = (path: string): string => path.split('/')[1] ?? '';

function parseOperation(item: unknown, rules: PatchRules): PatchOperation {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw invalidField('patch', item, 'Value should be a list of objects with op, path and value');
  const given = item as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !members.has(name));
  if (unknown !== undefined) {
    const field = shownText(unknown);
    throw new Fault('invalid_input', `Unknown attribute for argument patch: ${field}`, { field });
  }
  const path = parseAttribute(pathAttribute, mandatory(given, 'path')) as string;
  const op = parseAttribute(opAttribute, mandatory(given, 'op')) as PatchOperation['op'];
  const value = rules.json ? given['value'] : parseValue(given['value']);
  const takesAway = op === 'remove' || (rules.json && value === null);
  refuseForbidden(path, takesAway ? 'remove' : op, rules);
  if (takesAway) return { path, op: 'remove' };
  if (value === undefined)
    throw new Fault('invalid_input', "'add' and 'replace' operations needs value", { field: rootOf(path) });
  return { path, op, value };
}

function mandatory(given: Record<string, unknown>, name: string): unknown {
  const value = Object.hasOwn(given, name) ? given[name] : null;
  if (value === null) throw invalidField(name, null, 'Mandatory field missing.');
  return value;
}

function refuseForbidden(path: string, op: PatchOperation['op'], rules: PatchRules): void {
  const field = rootOf(path);
  const refusal = (why: string): Fault => new Fault('invalid_input', `'${path}' is ${why}`, { field });
  if (rules.internal.has(field)) throw refusal('an internal attribute and can not be updated');
  if (op === 'remove' && path === `/${field}` && rules.notRemovable.has(field))
    throw refusal('a mandatory attribute and can not be removed');
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
  if (!Array.isArray(body)) throw invalidField('patch', body, `Value not a valid list: ${shownText(body)}`);
  return body.map((item) => parseOperation(item, rules));
}
