import type { AttributeTable } from '@jeroboam/domain';
import type { Operation } from '../rest/operation.ts';
import { operations } from '../rest/operations.ts';
import { answerSchema, requestSchema } from './attribute-schema.ts';
import { errorSchemas } from './error-schemas.ts';
import { answerExamples, exampleBase, summaryAttributes } from './examples/answers.ts';
import { requestExamples } from './examples/requests.ts';
import { exampleIds } from './examples/rows.ts';
import { needed } from './prose.ts';
import { schemaRef, type Schema } from './types.ts';

const answeredTable = ({ answers: { schema } }: Operation): AttributeTable | null =>
  schema.kind === 'resource' || schema.kind === 'list' ? schema.table : null;

const answered: ReadonlySet<AttributeTable | null> = new Set(operations.map(answeredTable));

/** The schema of what an operation answers for each resource; some lists show less than all of it. */
export const answerSchemaName = (operation: Operation, table: AttributeTable): string =>
  summaryAttributes[operation.rule] === undefined ? table.title : `${table.title}Summary`;

/** The schema of a request body. A resource reads differently in requests, so there its schema has another name. */
export function requestSchemaName(operation: Operation, table: AttributeTable): string {
  if (!answered.has(table)) return table.title;
  return `${table.title}${operation.method === 'POST' ? 'Request' : 'Change'}`;
}

const withExample = (schema: Schema, example: unknown): Schema =>
  example === undefined ? schema : { ...schema, examples: [example] };

function schemasOf(operation: Operation): [string, Schema][] {
  const { rule, body } = operation;
  const schemas: [string, Schema][] = [];
  const table = answeredTable(operation);
  if (table !== null) {
    const summary = summaryAttributes[rule];
    // Whichever operation answers it, the resource as it is shown alone is its example.
    const example = summary === undefined ? answerExamples[`${rule.split(':')[0]}:get`] : undefined;
    schemas.push([answerSchemaName(operation, table), withExample(answerSchema(table, summary), example)]);
  }
  if (body?.kind === 'object') {
    const schema = withExample(requestSchema(body.table, needed[rule]), requestExamples[rule]);
    schemas.push([requestSchemaName(operation, body.table), schema]);
  }
  return schemas;
}

const shared: Record<string, Schema> = {
  Link: {
    type: 'object',
    description: 'An address of a resource.',
    required: ['href', 'rel'],
    properties: {
      href: { type: 'string', description: 'The address.' },
      rel: { type: 'string', description: '`self`: with the version of the API; `bookmark`: without.' },
      type: { type: 'string', description: 'The media type found there, where it is not JSON.' },
    },
    examples: [{ href: `${exampleBase}/v1/clusters/${exampleIds.cluster}`, rel: 'self' }],
  },
  Uuid: {
    type: 'object',
    description: 'Which resource the request was accepted for.',
    required: ['uuid'],
    properties: { uuid: { type: 'string', format: 'uuid', description: 'Its identity.' } },
    examples: [{ uuid: exampleIds.cluster }],
  },
  Patch: {
    type: 'array',
    description: 'Changes, applied in their order, all or none.',
    items: schemaRef('PatchOperation'),
  },
  PatchOperation: {
    type: 'object',
    description: 'One change of one attribute.',
    required: ['op', 'path'],
    additionalProperties: false,
    properties: {
      op: {
        type: 'string',
        enum: ['add', 'replace', 'remove'],
        description: '`add` sets what has no value yet, `replace` changes, `remove` brings back the default.',
      },
      path: {
        type: 'string',
        pattern: String.raw`^(/[\w-]+)+$`,
        description: 'The attribute, such as `/node_count`, or a key of one, such as `/labels/kube_tag`.',
      },
      value: {
        type: ['string', 'integer', 'boolean'],
        description: 'The new value; not for `remove`. Maps and lists are written as text.',
      },
    },
    examples: [{ op: 'replace', path: '/node_count', value: 4 }],
  },
};

/** The schemas of everything that is sent and answered, under the names that refer to them. */
export function componentSchemas(): Record<string, Schema> {
  return { ...Object.fromEntries(operations.flatMap(schemasOf)), ...shared, ...errorSchemas };
}
