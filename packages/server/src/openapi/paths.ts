import { minMinor } from '@jeroboam/domain';
import type { BodyKind, Operation } from '../rest/operation.ts';
import { answerSchemaName, requestSchemaName } from './components.ts';
import { errorReference, errorStatuses } from './error-responses.ts';
import { answerExamples } from './examples/answers.ts';
import { requestExamples } from './examples/requests.ts';
import { exampleIds } from './examples/rows.ts';
import { operationId } from './operation-id.ts';
import { parametersOf } from './parameters.ts';
import { notes } from './prose.ts';
import {
  schemaRef,
  type Header,
  type OperationObject,
  type Reference,
  type RequestBody,
  type Response,
  type Schema,
} from './types.ts';

/** The headers of every answer to a caller. */
const answerHeaders: Record<string, Reference> = {
  'OpenStack-API-Version': { $ref: '#/components/headers/ApiVersion' },
  'X-OpenStack-Request-Id': { $ref: '#/components/headers/RequestId' },
};

const location: Header = {
  description: 'The address of the new resource.',
  schema: { type: 'string', format: 'uri' },
};

/** Magnum tells the address of new templates only. */
const tellingLocation: ReadonlySet<string> = new Set(['clustertemplate:create']);

function answerOf(operation: Operation): { schema: Schema; example: unknown } | null {
  const { schema } = operation.answers;
  const example = answerExamples[operation.rule];
  switch (schema.kind) {
    case 'nothing':
      return null;
    case 'uuid':
      return { schema: schemaRef('Uuid'), example: { uuid: exampleIds.cluster } };
    case 'resource':
      return { schema: schemaRef(answerSchemaName(operation, schema.table)), example };
    case 'list':
      return { schema: listSchema(schema.key, answerSchemaName(operation, schema.table)), example };
    default:
      return { schema: schema.schema, example: (schema.schema as Schema).examples?.[0] };
  }
}

const listSchema = (key: string, item: string): Schema => ({
  type: 'object',
  required: [key],
  properties: {
    [key]: { type: 'array', items: schemaRef(item), description: 'The items of this page.' },
    next: {
      type: 'string',
      format: 'uri',
      description: 'The address of the next page, when this one is full.',
    },
  },
});

function success(operation: Operation): Response {
  const answer = answerOf(operation);
  return {
    description: operation.answers.description,
    headers: { ...answerHeaders, ...(tellingLocation.has(operation.rule) ? { Location: location } : {}) },
    ...(answer === null ? {} : { content: { 'application/json': answer } }),
  };
}

function requestBody(operation: Operation, body: BodyKind): RequestBody {
  const example = requestExamples[operation.rule];
  switch (body.kind) {
    case 'patch':
      return {
        required: true,
        description: 'A JSON patch, sent as plain `application/json`.',
        content: { 'application/json': { schema: schemaRef('Patch'), example } },
      };
    case 'ignored':
      return {
        required: false,
        description: 'Read by nobody; clients send an empty object.',
        content: { 'application/json': { schema: { type: 'object' }, example: {} } },
      };
    default:
      return {
        required: true,
        content: {
          'application/json': { schema: schemaRef(requestSchemaName(operation, body.table)), example },
        },
      };
  }
}

/** One operation of the API, with everything its one description in the code knows. */
export function describeOperation(operation: Operation): OperationObject {
  const { tag, summary, rule, since, body, answers } = operation;
  const version = `1.${since?.minor ?? minMinor}`;
  const note = notes[rule];
  const facts = `Policy rule \`${rule}\`; from microversion ${version} on.`;
  return {
    operationId: operationId(rule),
    tags: [tag],
    summary,
    description: note === undefined ? facts : `${note}\n\n${facts}`,
    parameters: parametersOf(operation),
    ...(body === undefined ? {} : { requestBody: requestBody(operation, body) }),
    responses: {
      [answers.status]: success(operation),
      ...Object.fromEntries(errorStatuses(operation).map((status) => [status, errorReference(status)])),
    },
    'x-policy-rule': rule,
    'x-min-microversion': version,
  };
}
