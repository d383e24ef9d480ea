import type { Attribute, AttributeTable, AttributeType } from '@jeroboam/domain';
import { schemaRef, type Schema } from './types.ts';

/** How a table is read. Labels come as any scalar and are answered as text, so requests and answers differ. */
interface Reading {
  direction: 'request' | 'answer';
  /** Types that have a schema of their own, with its name. */
  named: ReadonlyMap<AttributeType, string>;
}

const nothingNamed: Reading['named'] = new Map();

const scalar: Schema = { type: ['string', 'number', 'boolean'] };

function mapOf(of: 'scalar' | 'text' | 'anything', reading: Reading): Schema {
  if (of === 'anything') return { type: 'object', additionalProperties: true };
  const loose = of === 'scalar' && reading.direction === 'request';
  return { type: 'object', additionalProperties: loose ? scalar : { type: 'string' } };
}

function typeSchema(type: AttributeType, reading: Reading): Schema {
  const name = reading.named.get(type);
  if (name !== undefined) return schemaRef(name);
  switch (type.kind) {
    case 'text':
      return { type: 'string' };
    case 'uuid':
      return { type: 'string', format: 'uuid' };
    case 'integer':
      return {
        type: 'integer',
        format: 'int32',
        ...(type.min === undefined ? {} : { minimum: type.min }),
        ...(type.max === undefined ? {} : { maximum: type.max }),
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'choice':
      return { type: 'string', enum: type.of };
    case 'map':
      return mapOf(type.of, reading);
    case 'list':
      return {
        type: 'array',
        items: typeSchema(type.of, reading),
        ...(type.max === undefined ? {} : { maxItems: type.max }),
      };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'links':
      return { type: 'array', items: schemaRef('Link') };
    case 'object':
      return objectSchema(type.members, reading);
    default:
      return {
        type: 'string',
        ...(type.min === undefined || type.min === 0 ? {} : { minLength: type.min }),
        ...(type.max === undefined ? {} : { maxLength: type.max }),
        ...(type.pattern === undefined ? {} : { pattern: type.pattern }),
      };
  }
}

const objectSchema = (members: readonly Attribute[], reading: Reading): Schema => {
  const required = members.filter(({ mandatory }) => mandatory === true).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      members.map((member) => [
        member.name,
        attributeSchema(member, reading, !required.includes(member.name)),
      ]),
    ),
    ...(reading.direction === 'request' ? { additionalProperties: false } : {}),
  };
};

function orNull(schema: Schema): Schema {
  return {
    ...schema,
    ...(typeof schema.type === 'string' ? { type: [schema.type, 'null'] } : {}),
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
}

/** What the table knows of an attribute beyond its type. */
const marks = ({ extension, mutability, instead, fallback }: Attribute, { direction }: Reading): Schema => ({
  ...(extension === true ? { 'x-extension': true } : {}),
  ...(mutability === undefined ? {} : { 'x-mutability': mutability }),
  ...(instead === undefined ? {} : { 'x-instead': instead }),
  ...(direction === 'request' && fallback !== undefined ? { 'x-default': fallback } : {}),
});

function attributeSchema(attribute: Attribute, reading: Reading, nullable: boolean): Schema {
  const schema = typeSchema(attribute.type, reading);
  return {
    description: attribute.description,
    ...(nullable ? orNull(schema) : schema),
    ...(reading.direction === 'request' && attribute.default !== undefined
      ? { default: attribute.default }
      : {}),
    ...(reading.direction === 'answer' && attribute.readOnly === true ? { readOnly: true } : {}),
    ...(attribute.example === undefined ? {} : { examples: [attribute.example] }),
    ...marks(attribute, reading),
  };
}

/** Which attributes of a resource an answer shows. */
export interface Shown {
  /** With what Magnum does not have. */
  whole?: boolean;
  only?: ReadonlySet<string>;
  named?: Reading['named'];
}

/** A resource as it is answered. Later versions may add attributes, so others are not ruled out. */
export function answerSchema(
  table: AttributeTable,
  { whole = false, only, named = nothingNamed }: Shown = {},
): Schema {
  const shown = table.attributes.filter(
    ({ name, input, extension }) =>
      input !== true && (whole || extension !== true) && (only === undefined || only.has(name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      shown.map((attribute) => [
        attribute.name,
        attributeSchema(attribute, { direction: 'answer', named }, attribute.type.kind !== 'links'),
      ]),
    ),
  };
}

/** Whether requests of a table may name something to make the resource from, which then says what is mandatory. */
export const takesSources = ({ attributes }: AttributeTable): boolean =>
  attributes.some(({ input }) => input === true);

const unlessExtended = ' Required in a request that uses no extension.';

/**
 * A resource as it may be sent: without what only the service sets. `needed` are attributes that the table
 * leaves to later checks, which refuse a request without them all the same. Where a source may say what is
 * mandatory, nothing is required of every request.
 */
export function requestSchema(
  table: AttributeTable,
  needed: readonly string[] = [],
  named: Reading['named'] = nothingNamed,
): Schema {
  const sent = table.attributes.filter(({ readOnly }) => readOnly !== true);
  const demanded = sent
    .filter(({ name, mandatory }) => mandatory === true || needed.includes(name))
    .map(({ name }) => name);
  const required = takesSources(table) ? [] : demanded;
  const property = (attribute: Attribute): [string, Schema] => {
    const { name } = attribute;
    const isRequired = required.includes(name);
    const schema = attributeSchema(attribute, { direction: 'request', named }, !isRequired);
    const description = `${schema.description}${demanded.includes(name) && !isRequired ? unlessExtended : ''}`;
    // What must be given has no default.
    const { default: _default, ...withoutDefault } = schema;
    return [name, { ...(isRequired ? withoutDefault : schema), description }];
  };
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(sent.map(property)),
    additionalProperties: false,
  };
}

/** The schema of a type that has a name, for the place where it is described. */
export const namedSchema = (type: AttributeType): Schema =>
  typeSchema(type, { direction: 'request', named: nothingNamed });
