import type { AttributeTable } from '@jeroboam/domain';
import type { Operation } from '../rest/operation.ts';
import { operations } from '../rest/operations.ts';
import { answerSchema, requestSchema } from './attribute-schema.ts';
import { dryRunSchemas } from './dry-run-schemas.ts';
import { errorSchemas } from './error-schemas.ts';
import { answerExamples, exampleBase, summaryAttributes } from './examples/answers.ts';
import { wholeExamples } from './examples/extended.ts';
import { requestExamples } from './examples/requests.ts';
import { exampleIds } from './examples/rows.ts';
import { innerSchemas, namedInRequests, patchSchemas, wholeName, wholeSchema } from './extended-schemas.ts';
import { needed } from './prose.ts';
import type { Schema } from './types.ts';

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
    const [resource] = rule.split(':');
    const example = summary === undefined ? answerExamples[`${resource}:get`] : undefined;
    const shown = summary === undefined ? {} : { only: summary };
    schemas.push([answerSchemaName(operation, table), withExample(answerSchema(table, shown), example)]);
    if (operation.extended?.includes('answer') === true)
      schemas.push([wholeName(table), withExample(wholeSchema(table), wholeExamples[`${resource}:get`])]);
  }
  if (body?.kind === 'object') {
    const schema = withExample(
      requestSchema(body.table, needed[rule], namedInRequests),
      requestExamples[rule],
    );
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
};

/** The schemas of everything that is sent and answered, under the names that refer to them. */
export function componentSchemas(): Record<string, Schema> {
  return {
    ...innerSchemas(),
    ...Object.fromEntries(operations.flatMap(schemasOf)),
    ...shared,
    ...patchSchemas,
    ...dryRunSchemas,
    ...errorSchemas,
  };
}
