import { nodeGroupTemplateAttributes, type AttributeType } from '@jeroboam/domain';
import { enforce, wideScope } from '../../access.ts';
import { isDryRun } from '../../dry-run.ts';
import { changeNodeGroupTemplate } from '../../node-group-templates/change.ts';
import { createNodeGroupTemplate } from '../../node-group-templates/create.ts';
import { findNodeGroupTemplate } from '../../node-group-templates/find.ts';
import { nodeGroupTemplateNotFound } from '../../sources/groups.ts';
import {
  deleteNodeGroupTemplate,
  findMarker,
  listPage,
  visibleTemplates,
  type ClusterTemplateRow,
  type Filter,
  type NodeGroupTemplateRow,
} from '../../store/index.ts';
import { findTemplate } from '../../templates/find.ts';
import { findRememberedTemplate } from '../../templates/remembered.ts';
import { dryRunArgument } from '../extension.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { nextLink, pagingArguments, parsePage, resolvePage, type PageRequest } from '../paging.ts';
import { dryRunAnswer } from '../views/dry-run-view.ts';
import { nodeGroupTemplateView } from '../views/node-group-template-view.ts';

/** Documents have no order that anyone would ask for. */
const unsorted: ReadonlySet<AttributeType['kind']> = new Set(['map', 'list', 'object', 'links']);
const sortKeys = new Set([
  'id',
  ...nodeGroupTemplateAttributes.attributes
    .filter(({ type, input }) => input !== true && !unsorted.has(type.kind))
    .map(({ name }) => name),
]);

async function page(
  { services, base }: RequestContext,
  request: PageRequest,
  filter: Filter,
  path: string,
): Promise<Answer> {
  const { pool } = services.store;
  const asked = await resolvePage(
    request,
    (marker, sortKey) => findMarker(pool, 'nodegroup_template', filter, 'uuid', marker, sortKey),
    nodeGroupTemplateNotFound,
  );
  const templates = await listPage<NodeGroupTemplateRow>(pool, 'nodegroup_template', filter, asked);
  const uuids = templates.map(({ uuid }) => uuid);
  const shown = templates.map((template) => nodeGroupTemplateView(template, base));
  return { status: 200, body: { nodegrouptemplates: shown, ...nextLink(base, path, request, uuids) } };
}

function list(
  context: RequestContext,
  rule: 'nodegrouptemplate:get_all' | 'nodegrouptemplate:detail',
  path: string,
): Promise<Answer> {
  const { policy } = context.services.options;
  const request = parsePage(context, sortKeys);
  enforce(policy, context.caller, rule);
  const scope = wideScope(policy, context.caller, `${rule}_all_projects`);
  return page(context, request, visibleTemplates(scope), path);
}

/** Whoever sees a cluster template sees what it is made of. */
async function listWithin(context: RequestContext): Promise<Answer> {
  const request = parsePage(context, sortKeys);
  const { services, caller } = context;
  enforce(services.options.policy, caller, 'nodegrouptemplate:get_all_in_clustertemplate');
  const { uuid } = await seenClusterTemplate(context);
  const filter = { text: 't.cluster_template_id = $1', values: [uuid] };
  return page(context, request, filter, `clustertemplates/${uuid}/nodegrouptemplates`);
}

async function seenClusterTemplate({
  services,
  caller,
  params,
}: RequestContext): Promise<ClusterTemplateRow> {
  const { policy } = services.options;
  const { pool } = services.store;
  const scope = wideScope(policy, caller, 'clustertemplate:get_one_all_projects');
  const ident = params['template'] ?? '';
  const template =
    (await findRememberedTemplate(pool, ident, scope)) ?? (await findTemplate(pool, ident, scope));
  if (!template.public) enforce(policy, caller, 'clustertemplate:get', template);
  return template;
}

async function show({ services, caller, base, params }: RequestContext): Promise<Answer> {
  const { policy } = services.options;
  const scope = wideScope(policy, caller, 'nodegrouptemplate:get_one_all_projects');
  const template = await findNodeGroupTemplate(services.store.pool, params['nodegrouptemplate'] ?? '', scope);
  // A public template is for everybody, whatever their role.
  if (!template.public) enforce(policy, caller, 'nodegrouptemplate:get', template);
  return { status: 200, body: nodeGroupTemplateView(template, base) };
}

async function create(context: RequestContext): Promise<Answer> {
  const { services, caller, cloud, base, params, body, dryRun } = context;
  const within = params['template'] ?? null;
  const result = await createNodeGroupTemplate(services, caller, cloud, { body, dryRun, within });
  if (isDryRun(result)) return dryRunAnswer(result);
  return {
    status: 201,
    body: nodeGroupTemplateView(result, base),
    location: `${base}/v1/nodegrouptemplates/${result.uuid}`,
  };
}

async function patch({
  services,
  caller,
  cloud,
  base,
  params,
  body,
  dryRun,
}: RequestContext): Promise<Answer> {
  const ident = params['nodegrouptemplate'] ?? '';
  const result = await changeNodeGroupTemplate(services, caller, cloud, ident, { body, dryRun });
  return isDryRun(result) ? dryRunAnswer(result) : { status: 200, body: nodeGroupTemplateView(result, base) };
}

async function remove({ services, caller, params }: RequestContext): Promise<Answer> {
  const { options, store } = services;
  const ident = params['nodegrouptemplate'] ?? '';
  const scope = wideScope(options.policy, caller, 'nodegrouptemplate:delete_all_projects');
  const template = await findNodeGroupTemplate(store.pool, ident, scope);
  enforce(options.policy, caller, 'nodegrouptemplate:delete', template);
  if (!(await deleteNodeGroupTemplate(store.database, template.id))) throw nodeGroupTemplateNotFound(ident);
  return { status: 204 };
}

const tag = 'extensions';
const collection = '/v1/nodegrouptemplates';
const item = `${collection}/:nodegrouptemplate`;
const within = '/v1/clustertemplates/:template/nodegrouptemplates';
const resource = {
  description: 'The template.',
  schema: { kind: 'resource', table: nodeGroupTemplateAttributes },
} as const;
const listed = {
  status: 200,
  description: 'A page of templates.',
  schema: { kind: 'list', key: 'nodegrouptemplates', table: nodeGroupTemplateAttributes },
} as const;
const body = { kind: 'object', table: nodeGroupTemplateAttributes } as const;

export const nodeGroupTemplateOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: collection,
    tag,
    summary: 'List node-group templates',
    rule: 'nodegrouptemplate:get_all',
    query: pagingArguments,
    answers: listed,
    handle: (context) => list(context, 'nodegrouptemplate:get_all', 'nodegrouptemplates'),
  },
  {
    method: 'GET',
    path: `${collection}/detail`,
    tag,
    summary: 'List node-group templates; the same as the plain list',
    rule: 'nodegrouptemplate:detail',
    query: pagingArguments,
    answers: listed,
    handle: (context) => list(context, 'nodegrouptemplate:detail', 'nodegrouptemplates/detail'),
  },
  {
    method: 'POST',
    path: collection,
    tag,
    summary: 'Create a node-group template',
    rule: 'nodegrouptemplate:create',
    query: [dryRunArgument],
    body,
    answers: { status: 201, ...resource },
    handle: create,
  },
  {
    method: 'GET',
    path: item,
    tag,
    summary: 'Show a node-group template',
    rule: 'nodegrouptemplate:get',
    answers: { status: 200, ...resource },
    handle: show,
  },
  {
    method: 'PATCH',
    path: item,
    tag,
    summary: 'Change a node-group template; groups made from it do not change',
    rule: 'nodegrouptemplate:update',
    query: [dryRunArgument],
    body: { kind: 'patch', table: nodeGroupTemplateAttributes, json: true },
    answers: { status: 200, ...resource },
    handle: patch,
  },
  {
    method: 'DELETE',
    path: item,
    tag,
    summary: 'Delete a node-group template; groups made from it stay',
    rule: 'nodegrouptemplate:delete',
    answers: { status: 204, description: 'Deleted.', schema: { kind: 'nothing' } },
    handle: remove,
  },
  {
    method: 'GET',
    path: within,
    tag,
    summary: 'List the node-group templates of a cluster template',
    rule: 'nodegrouptemplate:get_all_in_clustertemplate',
    query: pagingArguments,
    answers: listed,
    handle: listWithin,
  },
  {
    method: 'POST',
    path: within,
    tag,
    summary: 'Create a node-group template in a cluster template',
    rule: 'nodegrouptemplate:create_in_clustertemplate',
    query: [dryRunArgument],
    body,
    answers: { status: 201, ...resource },
    handle: create,
  },
];
