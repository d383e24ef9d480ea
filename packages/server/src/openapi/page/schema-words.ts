import type { Schema } from '../types.ts';
import { html, type Html } from './html.ts';

export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const range = (from: number | undefined, to: number | undefined): string => {
  if (from !== undefined && to !== undefined) return ` ${from}–${to}`;
  if (from !== undefined) return ` ≥ ${from}`;
  return to === undefined ? '' : ` ≤ ${to}`;
};

const formats: Readonly<Record<string, string>> = { uuid: 'uuid', 'date-time': 'time', uri: 'address' };

const stringWords = ({ format, minLength, maxLength }: Schema): string => {
  const length = range(minLength, maxLength);
  return (formats[format ?? ''] ?? 'string') + (length === '' ? '' : `,${length} characters`);
};

/** The type of a value in few words; null goes without saying, since an absent value may always be null. */
export function schemaWords(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf !== undefined)
    return html`${schema.anyOf.map((choice, index) => html`${index === 0 ? '' : ' or '}${schemaWords(choice)}`)}`;
  const types = [schema.type ?? 'object'].flat().filter((type) => type !== 'null');
  const choices = schema.enum?.filter((choice) => choice !== null);
  if (choices !== undefined) {
    return html`one of
    ${choices.map((choice, index) => html`${index === 0 ? '' : ', '}<code>${choice}</code>`)}`;
  }
  if (types.length > 1) return html`${types.join(' or ')}`;
  switch (types[0]) {
    case 'string':
      if (schema.pattern === undefined) return html`${stringWords(schema)}`;
      return html`${stringWords(schema)}, like <code>${schema.pattern}</code>`;
    case 'integer':
      return html`integer${range(schema.minimum, schema.maximum)}`;
    case 'array':
      return schema.items === undefined ? html`list` : html`list of ${schemaWords(schema.items)}`;
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? html`map of ${schemaWords(schema.additionalProperties)}`
        : html`object`;
    default:
      return html`${types[0] ?? ''}`;
  }
}
