import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Schema } from '../../../src/openapi/types.ts';
import { document } from './document.ts';

// Strict: a keyword that JSON Schema does not know is a mistake of ours.
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictTypes: false });
ajv.addVocabulary(['x-extension', 'x-mutability', 'x-instead', 'x-default']);
formats.default(ajv, ['uuid', 'date-time', 'uri', 'int32']);

/** References within the document, as references to the schemas that the validator was given. */
const relocated = (schema: Schema): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"urn:jeroboam:')) as object;

for (const [name, schema] of Object.entries(document.components.schemas)) {
  ajv.addSchema({ ...relocated(schema), $id: `urn:jeroboam:${name}` });
}

export const validatorOf = (schema: Schema): ValidateFunction => ajv.compile(relocated(schema));

/** What is wrong with a value by a schema, in words; empty when nothing is. */
export function problems(schema: Schema, value: unknown): string[] {
  const validate = validatorOf(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
