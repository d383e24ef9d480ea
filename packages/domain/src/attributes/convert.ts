import { pythonClass, pythonRepr, pythonText, shownText } from '../python-text.ts';
import { maxInteger, type Attribute, type AttributeType } from './types.ts';

/** Why a value was refused. The whole sentence needs the name of the attribute, which only the caller knows. */
export class Unacceptable extends Error {
  /** False for reasons that Magnum words as a sentence of their own. */
  readonly named: boolean;
  /** The value as the rule saw it, where that is another than was given: limits come after conversion. */
  readonly converted: unknown;

  constructor(reason: string, options: { named?: boolean; converted?: unknown } = {}) {
    super(reason);
    this.named = options.named ?? true;
    this.converted = options.converted;
  }
}

/** Values within a free map may be nested this deep: enough for any report, and no strain on any reader. */
const maxDepth = 32;

const truthy = new Set(['1', 't', 'true', 'on', 'y', 'yes']);
const falsy = new Set(['0', 'f', 'false', 'off', 'n', 'no']);
const uuidPattern = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;
const integerPattern = /^\s*[+-]?\d+(_\d+)*\s*$/;
const timestampPattern = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Text that PostgreSQL can store and JSON can carry: no NUL, no half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

function storable(text: string): string {
  if (!isStorableText(text)) throw new Unacceptable('Value should not contain NUL or malformed characters');
  return text;
}

function asInteger(value: unknown): number {
  if (typeof value === 'boolean') return Number(value);
  // Adding 0 turns -0 into 0.
  if (typeof value === 'number' && !Number.isNaN(value)) return Math.trunc(value) + 0;
  if (typeof value === 'string') {
    if (integerPattern.test(value)) return Number(value.replaceAll('_', '')) + 0;
    const shown = pythonRepr(shownText(value));
    throw new Unacceptable(`invalid literal for int() with base 10: ${shown}`);
  }
  throw new Unacceptable(`Value should be an integer, not '${pythonClass(value)}'`);
}

function inRange(number: number, { min = -maxInteger, max = maxInteger }: { min?: number; max?: number }) {
  // What is too large for a number is shown as it was given.
  const options = Number.isSafeInteger(number) ? { converted: number } : {};
  if (number < min) throw new Unacceptable(`Value should be greater or equal to ${min}`, options);
  if (number > max) throw new Unacceptable(`Value should be lower or equal to ${max}`, options);
  return number;
}

function asBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' || typeof value === 'number') {
    const word = String(value).trim().toLowerCase();
    if (truthy.has(word)) return true;
    if (falsy.has(word)) return false;
  }
  throw new Unacceptable('Value should be a boolean: true or false');
}

function asString(value: unknown, { min = 0, max = Infinity, pattern }: StringLimits): string {
  if (typeof value !== 'string') throw new Unacceptable('Value should be string');
  if (value.length < min)
    throw new Unacceptable(`Value should have a minimum character requirement of ${min}`);
  // Characters are counted, not UTF-16 units, of which there are never fewer.
  if (value.length > max && Array.from(value).length > max)
    throw new Unacceptable(`Value should have a maximum character requirement of ${max}`);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    throw new Unacceptable(`Value should match the pattern ${pattern}`);
  return storable(value);
}

interface StringLimits {
  min?: number;
  max?: number;
  pattern?: string;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return storable(value);
  throw new Unacceptable(`Wrong type. Expected '<class 'str'>', got '<class '${pythonClass(value)}'>'`);
}

function asUuid(value: unknown): string {
  const parts = typeof value === 'string' ? uuidPattern.exec(value) : null;
  if (parts !== null) return parts.slice(1).join('-').toLowerCase();
  throw new Unacceptable(`Expected a uuid but received ${shownText(value)}.`, { named: false });
}

function asChoice(value: unknown, choices: readonly string[]): string {
  if (typeof value === 'string' && choices.includes(value)) return value;
  throw new Unacceptable(`Value should be one of: ${choices.join(', ')}`);
}

type MapItems = 'scalar' | 'text' | 'anything';

function asMap(value: unknown, of: MapItems): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Unacceptable(`Value not a valid dict: ${shownText(value)}`);
  // fromEntries defines own properties, so that a key "__proto__" is a key like any other.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storable(key), mapItem(key, item, of)]),
  );
}

function mapItem(key: string, item: unknown, of: MapItems): unknown {
  if (of === 'anything') return asAnything(item, 1);
  if (item === null) throw new Unacceptable(`The value of key '${shownText(key)}' should not be null`);
  if (of === 'text') return asText(item);
  if (typeof item === 'object') {
    const scalars = "(<class 'str'>, <class 'int'>, <class 'bool'>, <class 'float'>)";
    throw new Unacceptable(`Wrong type. Expected '${scalars}', got '<class '${pythonClass(item)}'>'`);
  }
  return storable(pythonText(item));
}

function asAnything(value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new Unacceptable(`Value should not be nested deeper than ${maxDepth} levels`);
  if (typeof value === 'string') storable(value);
  else if (typeof value === 'number' && !Number.isFinite(value))
    throw new Unacceptable('Value should not contain numbers without end');
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      storable(key);
      asAnything(item, depth + 1);
    }
  }
  return value;
}

function asList(value: unknown, max = Infinity): unknown[] {
  if (!Array.isArray(value)) throw new Unacceptable(`Value not a valid list: ${shownText(value)}`);
  if (value.length > max) throw new Unacceptable(`Value should have no more than ${max} elements`);
  return value;
}

function asObject(
  value: unknown,
  { members, keepsNull = false }: { members: readonly Attribute[]; keepsNull?: boolean },
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Unacceptable(`Value should be an object with ${members.map(({ name }) => name).join(', ')}`);
  const given = value as Record<string, unknown>;
  const unknown = Object.keys(given).find((name) => !members.some((member) => member.name === name));
  if (unknown !== undefined) throw new Unacceptable(`It has no member '${shownText(unknown)}'`);
  const converted: Record<string, unknown> = {};
  for (const member of members) {
    const item = Object.hasOwn(given, member.name) ? given[member.name] : null;
    if (item !== null) converted[member.name] = asMember(member, item);
    else if (member.mandatory === true) throw new Unacceptable(`The member '${member.name}' is missing`);
    else if (keepsNull && Object.hasOwn(given, member.name)) converted[member.name] = null;
  }
  return converted;
}

function asMember(member: Attribute, value: unknown): unknown {
  try {
    return convert(value, member.type);
  } catch (error) {
    if (!(error instanceof Unacceptable)) throw error;
    throw new Unacceptable(`${member.name}: ${error.message}`);
  }
}

function asElement(item: unknown, of: AttributeType): unknown {
  if (item === null) throw new Unacceptable('An element should not be null');
  return convert(item, of);
}

/** As Python prints a date; nobody may set one, so it is only ever shown in the refusal. */
function asTimestamp(value: unknown): string {
  if (typeof value !== 'string') throw new Unacceptable('Value should be a timestamp');
  if (timestampPattern.test(value)) return value.replace('T', ' ');
  throw new Unacceptable('Value should be a timestamp in ISO 8601');
}

/** A value that was given (not null), converted by the kind of its attribute; throws Unacceptable. */
export function convert(value: unknown, type: AttributeType): unknown {
  switch (type.kind) {
    case 'string':
      return asString(value, type);
    case 'text':
      return asText(value);
    case 'uuid':
      return asUuid(value);
    case 'integer':
      return inRange(asInteger(value), type);
    case 'boolean':
      return asBoolean(value);
    case 'choice':
      return asChoice(value, type.of);
    case 'map':
      return asMap(value, type.of);
    case 'list':
      return asList(value, type.max).map((item) => asElement(item, type.of));
    case 'object':
      return asObject(value, type);
    case 'timestamp':
      return asTimestamp(value);
    case 'links':
      return asList(value);
    default:
      return type satisfies never;
  }
}
