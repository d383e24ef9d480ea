import { invalidField, parseAttribute } from './attributes/parse.ts';
import type { AttributeTable } from './attributes/types.ts';
import { pythonClass } from './python-text.ts';
import { sameValue } from './same-value.ts';

/**
 * The changed root attributes of a patched document, each checked by its table; what comes out as it was is
 * not among them. Unlike in a body, numbers must be numbers here. `undefined` stands for a removed attribute.
 */
export function changedAttributes(
  table: AttributeTable,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const attribute of table.attributes) {
    const { name, type } = attribute;
    if (!Object.hasOwn(before, name)) continue;
    if (!Object.hasOwn(after, name)) {
      if (before[name] !== null) changed[name] = undefined;
      continue;
    }
    const value = after[name];
    if (value === before[name]) continue;
    if (type.kind === 'integer' && typeof value !== 'number' && typeof value !== 'boolean') {
      const reason = `'<' not supported between instances of '${pythonClass(value)}' and 'int'`;
      throw invalidField(name, value, reason);
    }
    // What only the service sets was refused as internal before, or is refused by the resource's own rules.
    const parsed = parseAttribute({ ...attribute, readOnly: false }, value);
    if (!sameValue(parsed, before[name])) changed[name] = parsed;
  }
  return changed;
}
