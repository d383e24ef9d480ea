import {
  applyPatch,
  changedAttributes,
  Fault,
  patchRules,
  sameValue,
  type Attribute,
  type AttributeTable,
  type PatchOperation,
  type PatchRules,
  type Values,
} from '@jeroboam/domain';
import type { Refusals } from '../refusals.ts';

/** Attributes and their new values. */
export type Changes = Readonly<Record<string, unknown>>;

/** The attributes of a resource that a patch beyond Magnum may name. */
export interface PatchedSpec {
  table: AttributeTable;
  spec: readonly Attribute[];
  rules: PatchRules;
}

/** What is seen of a resource or said about it is no part of what makes it up, and is refused as Magnum refuses it. */
export function patchedSpec(
  table: AttributeTable,
  spec: readonly Attribute[],
  options: { besides?: readonly string[] } = {},
): PatchedSpec {
  const patched = new Set([...spec.map(({ name }) => name), ...(options.besides ?? [])]);
  const internal = table.attributes.map(({ name }) => name).filter((name) => !patched.has(name));
  return { table, spec, rules: patchRules({ internal, json: true }) };
}

/** The attribute an operation is about. */
const attributeOf = ({ path }: PatchOperation): string => path.split('/')[1] ?? '';

export const isAbout = (operation: PatchOperation, attribute: string): boolean =>
  attributeOf(operation) === attribute;

const immutable = ({ name, instead }: Attribute): Fault =>
  new Fault('conflict', `${name} cannot be changed after creation. ${instead ?? ''}`.trimEnd(), {
    field: name,
  });

/**
 * The attributes that a patch names, with the values it leaves them; what it takes away goes back to `standard`. A
 * value that cannot be read, and an immutable attribute that would become another, are refused one by one.
 */
export async function readSpecPatch(
  { table, spec, rules }: PatchedSpec,
  before: Values,
  operations: readonly PatchOperation[],
  standard: (attribute: Attribute) => unknown,
  refusals: Refusals,
): Promise<Changes> {
  const after = applyPatch(before, operations, rules);
  const named = new Set(operations.map(attributeOf));
  const given: Record<string, unknown> = {};
  for (const attribute of spec.filter(({ name }) => named.has(name))) {
    const { name } = attribute;
    await refusals.check(() => {
      const read = changedAttributes({ ...table, attributes: [attribute] }, before, after);
      const kept = Object.hasOwn(read, name) ? read[name] : before[name];
      const value = Object.hasOwn(after, name) ? kept : standard(attribute);
      if (attribute.mutability !== 'immutable') given[name] = value;
      else if (!sameValue(value, before[name])) throw immutable(attribute);
    });
  }
  return given;
}

/** What an attribute is when nothing else is said. */
export const standardValue = ({ fallback, default: byDefault }: Attribute): unknown =>
  fallback ?? byDefault ?? null;

/** Those of the values that are not there already. */
export const differing = (before: Values, values: Values): Changes =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => !sameValue(value, before[name])));
