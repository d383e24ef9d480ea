import { Fault } from '@jeroboam/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { frameBody } from './envelope.ts';
import type { Operation } from './operation.ts';
import { sendJson, versionHeaders } from './replies.ts';

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Methods that Magnum's framework finds but cannot call: it takes what follows a collection for arguments, so
 * a missing or superfluous identifier is a mistake of the arguments (400), not of the method.
 */
const misplaced: readonly { path: string; methods: readonly HTTPMethods[]; message: string }[] = [
  { path: '/v1/clusters', methods: ['PATCH', 'DELETE'], message: 'Missing argument: "cluster_ident"' },
  {
    path: '/v1/clustertemplates',
    methods: ['PATCH', 'DELETE'],
    message: 'Missing argument: "cluster_template_ident"',
  },
  { path: '/v1/federations', methods: ['PATCH', 'DELETE'], message: 'Missing argument: "federation_ident"' },
  {
    path: '/v1/clusters/:cluster/nodegroups',
    methods: ['PATCH', 'DELETE'],
    message: 'Missing argument: "nodegroup_id"',
  },
  {
    path: '/v1/nodegrouptemplates',
    methods: ['PATCH', 'DELETE'],
    message: 'Missing argument: "nodegroup_template_ident"',
  },
  {
    path: '/v1/clustertemplates/:template/nodegrouptemplates',
    methods: ['PATCH', 'DELETE'],
    message: 'Missing argument: "nodegroup_template_ident"',
  },
  { path: '/v1/certificates', methods: ['PATCH'], message: 'Missing argument: "cluster_ident"' },
  { path: '/v1/credentials', methods: ['PATCH'], message: 'Missing argument: "cluster_ident"' },
  { path: '/v1/quotas', methods: ['PATCH', 'DELETE'], message: 'Missing argument: "project_id"' },
  {
    path: '/v1/quotas/:project',
    methods: ['GET', 'PATCH', 'DELETE'],
    message: 'Missing argument: "resource"',
  },
  {
    path: '/v1/clusters/:cluster',
    methods: ['POST'],
    message: 'Too many arguments: a new cluster has no identifier yet',
  },
  {
    path: '/v1/clustertemplates/:template',
    methods: ['POST'],
    message: 'Too many arguments: a new template has no identifier yet',
  },
  {
    path: '/v1/nodegrouptemplates/:nodegrouptemplate',
    methods: ['POST'],
    message: 'Too many arguments: a new template has no identifier yet',
  },
  {
    path: '/v1/federations/:federation',
    methods: ['POST'],
    message: 'Too many arguments: a new federation has no identifier yet',
  },
];

/** Paths that exist for Magnum although no method of theirs does anything. */
const barren = ['/v1/clusters/:cluster/actions/:action', '/v1/mservices/:service', '/v1/stats/:statistic'];

/** The part of the API that a path belongs to; its methods are what `Allow` names, whatever the path. */
function familyOf(path: string): string {
  if (path.endsWith('/events') || path.endsWith('/machines')) return path;
  if (path.includes('/nodegroups')) return 'nodegroups';
  if (path.includes('/nodegrouptemplates')) return 'nodegrouptemplates';
  return path.includes('/actions') ? 'actions' : (path.split('/')[2] ?? '');
}

const allowedAt = (path: string, operations: readonly Operation[]): string =>
  [
    ...new Set(
      operations
        .filter((operation) => familyOf(operation.path) === familyOf(path))
        .map(({ method }) => method),
    ),
  ]
    .toSorted()
    .join(', ');

export const methodNotAllowed =
  (allow: string) =>
  (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendJson(reply.header('allow', allow), 405, frameBody(405, 'Method Not Allowed'));

/** Answers every method that no operation takes, on every path there is. */
export function registerWrongMethods(app: FastifyInstance, operations: readonly Operation[]): void {
  const taken = new Map<string, Set<string>>(barren.map((path) => [path, new Set()]));
  const take = (path: string, method: string): void => {
    taken.set(path, (taken.get(path) ?? new Set()).add(method));
  };
  for (const { path, method } of operations) take(path, method);
  for (const { path, methods: known, message } of misplaced) {
    for (const method of known) take(path, method);
    app.route({
      method: [...known],
      url: path,
      handler: (request, reply) => {
        reply.headers(versionHeaders(request.minor));
        throw new Fault('malformed_request', message);
      },
    });
  }
  for (const [path, used] of taken) {
    const others = methods.filter((method) => !used.has(method));
    if (others.length > 0)
      app.route({ method: others, url: path, handler: methodNotAllowed(allowedAt(path, operations)) });
  }
}
