import { minMinor } from '@jeroboam/domain';
import { extensionType } from '../rest/extension.ts';
import type { AnswerSchema, BodyKind, Operation } from '../rest/operation.ts';
import { answerSchemaName, requestSchemaName } from './components.ts';
import { canRunDry, dryRunExample } from './dry-run-schemas.ts';
import { errorReference, errorStatuses } from './error-responses.ts';
import { answerExamples } from './examples/answers.ts';
import { extendedRequestExamples, wholeExamples } from './examples/extended.ts';
import { requestExamples } from './examples/requests.ts';
import { exampleIds } from './examples/rows.ts';
import { wholeName } from './extended-schemas.ts';
import { operationId } from './operation-id.ts';
import { parametersOf } from './parameters.ts';
import { notes } from './prose.ts';
import {
  schemaRef,
  type Header,
  type MediaType,
  type OperationObject,
  type Parameter,
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
const tellingLocation: ReadonlySet<string> = new Set([
  'clustertemplate:create',
  'nodegrouptemplate:create',
  'nodegrouptemplate:create_in_clustertemplate',
]);

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

/** The same with everything that Magnum does not have. */
function wholeAnswer(schema: AnswerSchema, example: unknown): MediaType | null {
  if (schema.kind === 'resource') return { schema: schemaRef(wholeName(schema.table)), example };
  return schema.kind === 'list' ? { schema: listSchema(schema.key, wholeName(schema.table)), example } : null;
}

function answerContent(operation: Operation): Record<string, MediaType> {
  const { extended, answers, rule } = operation;
  const answer = answerOf(operation);
  if (answer === null) return {};
  const whole =
    extended?.includes('answer') === true ? wholeAnswer(answers.schema, wholeExamples[rule]) : null;
  return { 'application/json': answer, ...(whole === null ? {} : { [extensionType]: whole }) };
}

const dryRun = { schema: schemaRef('DryRun'), example: dryRunExample };
const dryRunDescription = 'Of a dry run: what the request would do. Nothing was written.';

/** What is answered when nothing is refused, by status. A dry run is answered with 200 by every operation. */
function successes(operation: Operation): Record<string, Response> {
  const { status, description } = operation.answers;
  const content = answerContent(operation);
  const success: Response = {
    description,
    headers: { ...answerHeaders, ...(tellingLocation.has(operation.rule) ? { Location: location } : {}) },
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
  if (!canRunDry(operation)) return { [status]: success };
  const alone = {
    description: dryRunDescription,
    headers: answerHeaders,
    content: { 'application/json': dryRun },
  };
  return status === 200 ? { 200: either(success, alone) } : { 200: alone, [status]: success };
}

/** One status with two meanings. */
function either(success: Response, dry: Response): Response {
  const plain = success.content?.['application/json'];
  const schema = plain === undefined ? dryRun.schema : { anyOf: [plain.schema, dryRun.schema] };
  return {
    ...success,
    description: `${success.description} ${dry.description}`,
    content: { ...success.content, 'application/json': { schema, example: plain?.example ?? dryRunExample } },
  };
}

const bothTypes = (plain: MediaType, extended: MediaType | null): Record<string, MediaType> => ({
  'application/json': plain,
  ...(extended === null ? {} : { [extensionType]: extended }),
});

function requestBody(operation: Operation, body: BodyKind): RequestBody {
  const example = requestExamples[operation.rule];
  const extended = operation.extended?.includes('body') === true;
  const extendedExample = extendedRequestExamples[operation.rule] ?? example;
  switch (body.kind) {
    case 'patch':
      return {
        required: true,
        description: extended
          ? `A JSON patch, sent as plain \`application/json\`; sent as \`${extensionType}\`, it may change every attribute that can be changed.`
          : 'A JSON patch, sent as plain `application/json`.',
        content: bothTypes(
          { schema: schemaRef(body.json === true ? 'ExtendedPatch' : 'Patch'), example },
          extended ? { schema: schemaRef('ExtendedPatch'), example: extendedExample } : null,
        ),
      };
    case 'ignored':
      return {
        required: false,
        description: 'Read by nobody; clients send an empty object.',
        content: { 'application/json': { schema: { type: 'object' }, example: {} } },
      };
    default: {
      const schema = schemaRef(requestSchemaName(operation, body.table));
      return {
        required: true,
        content: bothTypes({ schema, example }, extended ? { schema, example: extendedExample } : null),
      };
    }
  }
}

/** Arguments that Magnum does not have carry the same mark as attributes. */
function markedParameters(operation: Operation): (Parameter | Reference)[] {
  const ours = new Set(
    operation.query?.filter(({ extension }) => extension === true).map(({ name }) => name),
  );
  return parametersOf(operation).map((parameter) =>
    'name' in parameter && parameter.in === 'query' && ours.has(parameter.name)
      ? { ...parameter, 'x-extension': true }
      : parameter,
  );
}

/** One operation of the API, with everything its one description in the code knows. */
export function describeOperation(operation: Operation): OperationObject {
  const { tag, summary, rule, since, body, id } = operation;
  const version = `1.${since?.minor ?? minMinor}`;
  const note = operation.note ?? notes[rule];
  const facts = `Policy rule \`${rule}\`; from microversion ${version} on.`;
  return {
    operationId: id ?? operationId(rule),
    tags: [tag],
    summary,
    description: note === undefined ? facts : `${note}\n\n${facts}`,
    parameters: markedParameters(operation),
    ...(body === undefined ? {} : { requestBody: requestBody(operation, body) }),
    responses: {
      ...successes(operation),
      ...Object.fromEntries(errorStatuses(operation).map((status) => [status, errorReference(status)])),
    },
    'x-policy-rule': rule,
    'x-min-microversion': version,
  };
}
