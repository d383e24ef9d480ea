import { Fault, federationAttributes } from '@jeroboam/domain';
import { enforce } from '../../access.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { pagingArguments, parsePage } from '../paging.ts';

/**
 * Federations: Magnum accepts them and never makes one. We show that there are none, and refuse to make one
 * instead of promising it.
 */
const sortKeys = new Set([
  'id',
  'uuid',
  'name',
  'project_id',
  'hostcluster_id',
  'status',
  'created_at',
  'updated_at',
]);

const notFound = (ident: string): Fault => new Fault('not_found', `Federation ${ident} could not be found.`);

function empty(context: RequestContext, rule: string): Promise<Answer> {
  const { marker } = parsePage(context, sortKeys);
  enforce(context.services.options.policy, context.caller, rule);
  if (marker !== null) throw notFound(marker);
  return Promise.resolve({ status: 200, body: { federations: [] } });
}

function missing({ services, caller, params }: RequestContext, rule: string): Promise<Answer> {
  enforce(services.options.policy, caller, rule);
  throw notFound(params['federation'] ?? '');
}

const tag = 'federations';
const item = '/v1/federations/:federation';
const page = {
  status: 200,
  description: 'Always empty.',
  schema: { kind: 'list', key: 'federations', table: federationAttributes },
} as const;

export const federationOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/federations',
    tag,
    summary: 'List federations: there are none',
    rule: 'federation:get_all',
    query: pagingArguments,
    answers: page,
    handle: (context) => empty(context, 'federation:get_all'),
  },
  {
    method: 'GET',
    path: '/v1/federations/detail',
    tag,
    summary: 'List federations: there are none',
    rule: 'federation:detail',
    query: pagingArguments,
    answers: page,
    handle: (context) => empty(context, 'federation:detail'),
  },
  {
    method: 'POST',
    path: '/v1/federations',
    tag,
    summary: 'Refused: federations cannot be made',
    rule: 'federation:create',
    body: { kind: 'object', table: federationAttributes },
    answers: { status: 202, description: 'Never answered.', schema: { kind: 'uuid' } },
    handle: ({ services, caller }) => {
      enforce(services.options.policy, caller, 'federation:create');
      throw new Fault('not_supported', 'Federations are not supported by this service.');
    },
  },
  {
    method: 'GET',
    path: item,
    tag,
    summary: 'Show a federation: there are none',
    rule: 'federation:get',
    answers: {
      status: 200,
      description: 'Never answered.',
      schema: { kind: 'resource', table: federationAttributes },
    },
    handle: (context) => missing(context, 'federation:get'),
  },
  {
    method: 'PATCH',
    path: item,
    tag,
    summary: 'Change a federation: there are none',
    rule: 'federation:update',
    query: [{ name: 'rollback', type: 'boolean', description: 'Kept for old clients.' }],
    body: { kind: 'patch', table: federationAttributes },
    answers: { status: 202, description: 'Never answered.', schema: { kind: 'uuid' } },
    handle: (context) => missing(context, 'federation:update'),
  },
  {
    method: 'DELETE',
    path: item,
    tag,
    summary: 'Delete a federation: there are none',
    rule: 'federation:delete',
    answers: { status: 204, description: 'Never answered.', schema: { kind: 'nothing' } },
    handle: (context) => missing(context, 'federation:delete'),
  },
];
