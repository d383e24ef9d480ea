import { Fault } from '../faults.ts';
import { shownText } from '../python-text.ts';
import { convert, Unacceptable } from './convert.ts';
import type { Attribute, AttributeTable } from './types.ts';

/** A parsed body: only what the request carried; null stays null, absent stays absent. */
export type Parsed = Record<string, unknown>;

/** The refusal of one field's value, in Magnum's words. */
export const invalidField = (field: string, value: unknown, reason: string): Fault =>
  new Fault(
    'invalid_input',
    `Invalid input for field/attribute ${field}. Value: '${shownText(value)}'. ${reason}`,
    { field },
  );

function refusal(problem: Unacceptable, attribute: Attribute, value: unknown): Fault {
  if (!problem.named) return new Fault('invalid_input', problem.message, { field: attribute.name });
  return invalidField(attribute.name, problem.converted ?? value, problem.message);
}

/** One attribute's value, converted; null stands for "not given". */
function accept(attribute: Attribute, value: unknown): unknown {
  if (attribute.readOnly === true) return refuse(attribute, value);
  return value === null ? null : convert(value, attribute.type);
}

/** What may not be set is refused for that; the value is shown as it would have been read. */
function refuse(attribute: Attribute, value: unknown): never {
  let converted: unknown;
  try {
    converted = value === null ? null : convert(value, attribute.type);
  } catch (error) {
    if (!(error instanceof Unacceptable)) throw error;
  }
  throw new Unacceptable('Cannot set read only field.', { converted });
}

/** One attribute's value, converted; the refusal names the attribute. null stands for "not given". */
export function parseAttribute(attribute: Attribute, value: unknown): unknown {
  try {
    return accept(attribute, value);
  } catch (error) {
    throw error instanceof Unacceptable ? refusal(error, attribute, value) : error;
  }
}

const namesByTable = new WeakMap<AttributeTable, ReadonlySet<string>>();

/** The names a table knows; tables are constants, and every request asks. */
function namesOf(table: AttributeTable): ReadonlySet<string> {
  const known = namesByTable.get(table);
  if (known !== undefined) return known;
  const names = new Set(table.attributes.map((attribute) => attribute.name));
  namesByTable.set(table, names);
  return names;
}

function refuseUnknown(table: AttributeTable, given: object): void {
  const known = namesOf(table);
  const unknown = Object.keys(given).filter((name) => !known.has(name));
  const [first] = unknown;
  if (first === undefined) return;
  const message = `Unknown attribute for argument ${table.argument}: ${shownText(unknown.join(', '))}`;
  throw new Fault('invalid_input', message, { field: shownText(first) });
}

/**
 * A request body, converted by its table. Numbers and booleans may come as strings (Horizon sends all values
 * so); unknown attributes are refused; the first mistake in the order of the table is the one reported. What is
 * mandatory for Magnum may come from a source where extensions are used: then `mandatory` is false.
 */
export function parseBody(
  table: AttributeTable,
  body: unknown,
  options: { mandatory?: boolean } = {},
): Parsed {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidField(table.argument, body, 'Value should be an object');
  refuseUnknown(table, body);
  const given = body as Record<string, unknown>;
  const parsed: Parsed = {};
  for (const attribute of table.attributes) {
    const { name } = attribute;
    if (Object.hasOwn(given, name)) parsed[name] = parseAttribute(attribute, given[name]);
    else if (attribute.mandatory === true && options.mandatory !== false)
      throw invalidField(name, null, 'Mandatory field missing.');
  }
  return parsed;
}
