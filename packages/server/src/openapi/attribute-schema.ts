import type { Attribute, AttributeTable, AttributeType } from '@jeroboam/domain';
import { schemaRef, type Schema } from './types.ts';

/** Labels come as any scalar and are answered as text, so requests and answers differ. */
type Direction = 'request' | 'answer';

const scalar: Schema = { type: ['string', 'number', 'boolean'] };

function mapOf(of: 'scalar' | 'text' | 'anything', direction: Direction): Schema {
  if (of === 'anything') return { type: 'object', additionalProperties: true };
  const loose = of === 'scalar' && direction === 'request';
  return { type: 'object', additionalProperties: loose ? scalar : { type: 'string' } };
}

function typeSchema(type: AttributeType, direction: Direction): Schema {
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
      return mapOf(type.of, direction);
    case 'list':
      return { type: 'array', items: typeSchema(type.of, direction) };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'links':
      return { type: 'array', items: schemaRef('Link') };
    case 'object':
      return objectSchema(type.members, direction);
    default:
      return {
        type: 'string',
        ...(type.min === undefined || type.min === 0 ? {} : { minLength: type.min }),
        ...(type.max === undefined ? {} : { maxLength: type.max }),
        ...(type.pattern === undefined ? {} : { pattern: type.pattern }),
      };
  }
}

const objectSchema = (members: readonly Attribute[], direction: Direction): Schema => {
  const required = members.filter(({ mandatory }) => mandatory === true).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      members.map((member) => [
        member.name,
        attributeSchema(member, direction, !required.includes(member.name)),
      ]),
    ),
    ...(direction === 'request' ? { additionalProperties: false } : {}),
  };
};

function orNull(schema: Schema): Schema {
  return {
    ...schema,
    ...(typeof schema.type === 'string' ? { type: [schema.type, 'null'] } : {}),
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
}

function attributeSchema(attribute: Attribute, direction: Direction, nullable: boolean): Schema {
  const schema = typeSchema(attribute.type, direction);
  return {
    description: attribute.description,
    ...(nullable ? orNull(schema) : schema),
    ...(direction === 'request' && attribute.default !== undefined ? { default: attribute.default } : {}),
    ...(direction === 'answer' && attribute.readOnly === true ? { readOnly: true } : {}),
    ...(attribute.example === undefined ? {} : { examples: [attribute.example] }),
  };
}

/** A resource as it is answered. Later versions may add attributes, so others are not ruled out. */
export function answerSchema(table: AttributeTable, only?: ReadonlySet<string>): Schema {
  const shown = table.attributes.filter(({ name }) => only === undefined || only.has(name));
  return {
    type: 'object',
    properties: Object.fromEntries(
      shown.map((attribute) => [
        attribute.name,
        attributeSchema(attribute, 'answer', attribute.type.kind !== 'links'),
      ]),
    ),
  };
}

/**
 * A resource as it may be sent: without what only the service sets. `needed` are attributes that the table
 * leaves to later checks, which refuse a request without them all the same.
 */
export function requestSchema(table: AttributeTable, needed: readonly string[] = []): Schema {
  const sent = table.attributes.filter(({ readOnly }) => readOnly !== true);
  const required = sent
    .filter(({ name, mandatory }) => mandatory === true || needed.includes(name))
    .map(({ name }) => name);
  const property = (attribute: Attribute): [string, Schema] => {
    const schema = attributeSchema(attribute, 'request', !required.includes(attribute.name));
    // What must be given has no default.
    const { default: _default, ...withoutDefault } = schema;
    return [attribute.name, required.includes(attribute.name) ? withoutDefault : schema];
  };
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(sent.map(property)),
    additionalProperties: false,
  };
}
