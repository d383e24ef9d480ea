import { Fault, faultKinds, maxMinor, parseMicroversion, type FaultKind } from '@jeroboam/domain';
import { identityUnavailableReply, unauthorizedReply } from '../identity/index.ts';
import { faultBody, frameBody, unsupportedVersionBody } from '../rest/envelope.ts';
import type { Operation } from '../rest/operation.ts';
import { takesSources } from './attribute-schema.ts';
import { exampleIds } from './examples/rows.ts';
import { responseRef, schemaRef, type ErrorResponse, type Reference, type Schema } from './types.ts';

const envelope = schemaRef('Error');

/** The body of each status; the examples are made by the code that makes the real ones. */
const bodies: Readonly<Record<number, { name: string; schema: Schema; example: unknown }>> = {
  400: {
    name: 'BadRequest',
    schema: envelope,
    example: faultBody(new Fault('cloud_resource_missing', 'Unable to find flavor huge.')),
  },
  401: {
    name: 'Unauthorized',
    schema: schemaRef('IdentityError'),
    example: JSON.parse(unauthorizedReply('').body),
  },
  403: {
    name: 'Forbidden',
    schema: envelope,
    example: faultBody(new Fault('forbidden', "Policy doesn't allow cluster:create to be performed.")),
  },
  404: {
    name: 'NotFound',
    schema: envelope,
    example: faultBody(new Fault('not_found', `Cluster ${exampleIds.cluster} could not be found.`)),
  },
  405: { name: 'MethodNotAllowed', schema: envelope, example: frameBody(405, 'Method Not Allowed') },
  406: {
    name: 'NotAcceptable',
    schema: { anyOf: [schemaRef('UnsupportedVersion'), envelope] },
    example: unsupportedVersionBody(refusal(`container-infra 1.${maxMinor + 1}`)),
  },
  409: {
    name: 'Conflict',
    schema: envelope,
    example: faultBody(
      new Fault('conflict', 'Multiple clusters exist with same name. Please use the cluster uuid instead.'),
    ),
  },
  413: {
    name: 'TooLarge',
    schema: envelope,
    example: faultBody(new Fault('too_large', 'Request body is too large.')),
  },
  415: {
    name: 'UnsupportedMediaType',
    schema: envelope,
    example: faultBody(new Fault('unsupported_media_type', 'Unknown mimetype: text/plain')),
  },
  500: {
    name: 'InternalError',
    schema: envelope,
    example: faultBody(
      new Fault('internal', 'The service failed to answer. Its log has the reason under req-1f0c.'),
    ),
  },
  503: {
    name: 'Unavailable',
    schema: { anyOf: [schemaRef('IdentityError'), envelope] },
    example: JSON.parse(identityUnavailableReply().body),
  },
};

function refusal(header: string): string {
  const result = parseMicroversion(header);
  return result.ok ? '' : result.detail;
}

const catalogue = Object.entries(faultKinds) as [FaultKind, { status: number; meaning: string }][];

/** One shared response for every status of the catalogue, by name. */
export function errorResponses(): Record<string, ErrorResponse> {
  return Object.fromEntries(
    Object.entries(bodies).map(([code, { name, schema, example }]) => {
      const status = Number(code);
      const faults = catalogue
        .filter(([, fault]) => fault.status === status)
        .map(([kind, { meaning }]) => ({ kind, meaning }));
      const response: ErrorResponse = {
        description: faults.map(({ meaning }) => meaning).join(' '),
        content: { 'application/json': { schema, example } },
        'x-status': status,
        'x-faults': faults,
      };
      return [name, response];
    }),
  );
}

/** Bodies of these requests name other resources, which may be missing, even where they name no source. */
const namingOthers: ReadonlySet<string> = new Set(['certificate:create', 'quota:create']);

/** The statuses an operation may refuse with; 405 belongs to no operation, 500 to none that is meant to be. */
export function errorStatuses(operation: Operation): number[] {
  const { method, path, query, body, rule } = operation;
  const addressed = path.includes(':');
  const paged = query?.some(({ name }) => name === 'marker') ?? false;
  // Names can be ambiguous, and what is made can exist already.
  const canConflict =
    /:(cluster|template|nodegrouptemplate)\b/.test(path) || (method === 'POST' && body?.kind === 'object');
  const namesOthers = namingOthers.has(rule) || (body?.kind === 'object' && takesSources(body.table));
  const readsBody = body !== undefined && body.kind !== 'ignored';
  return [
    400,
    401,
    403,
    ...(addressed || paged || namesOthers ? [404] : []),
    406,
    ...(canConflict ? [409] : []),
    ...(body === undefined ? [] : [413]),
    ...(readsBody ? [415] : []),
    503,
  ];
}

export const errorReference = (status: number): Reference =>
  responseRef(bodies[status]?.name ?? 'InternalError');
