import { clusterTemplateAttributes } from '@jeroboam/domain';
import { enforce, wideScope } from '../../access.ts';
import {
  deleteTemplate,
  findMarker,
  listPage,
  visibleTemplates,
  type ClusterTemplateRow,
} from '../../store/index.ts';
import { changeTemplate } from '../../templates/change.ts';
import { createTemplate } from '../../templates/create.ts';
import { findTemplate, templateNotFound } from '../../templates/find.ts';
import { findRememberedTemplate } from '../../templates/remembered.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { nextLink, pagingArguments, parsePage, resolvePage } from '../paging.ts';
import { templateView } from '../views/template-view.ts';

const sortKeys = new Set([
  'id',
  ...clusterTemplateAttributes.attributes.map(({ name }) => name).filter((name) => name !== 'links'),
]);

async function list(
  context: RequestContext,
  rule: 'clustertemplate:get_all' | 'clustertemplate:detail',
  path: string,
): Promise<Answer> {
  const { services, caller, base } = context;
  const { policy } = services.options;
  const { pool } = services.store;
  const request = parsePage(context, sortKeys);
  enforce(policy, caller, rule);
  const filter = visibleTemplates(wideScope(policy, caller, `${rule}_all_projects`));
  const page = await resolvePage(
    request,
    (marker, sortKey) => findMarker(pool, 'cluster_template', filter, 'uuid', marker, sortKey),
    templateNotFound,
  );
  const templates = await listPage<ClusterTemplateRow>(pool, 'cluster_template', filter, page);
  const next = nextLink(
    base,
    path,
    request,
    templates.map((template) => template.uuid),
  );
  return {
    status: 200,
    body: { clustertemplates: templates.map((template) => templateView(template, base)), ...next },
  };
}

async function show({ services, caller, base, params }: RequestContext): Promise<Answer> {
  const { policy } = services.options;
  const scope = wideScope(policy, caller, 'clustertemplate:get_one_all_projects');
  const ident = params['template'] ?? '';
  const template =
    (await findRememberedTemplate(services.store.pool, ident, scope)) ??
    (await findTemplate(services.store.pool, ident, scope));
  // A public template is for everybody, whatever their role.
  if (!template.public) enforce(policy, caller, 'clustertemplate:get', template);
  return { status: 200, body: templateView(template, base) };
}

async function create({ services, caller, cloud, base, body }: RequestContext): Promise<Answer> {
  const template = await createTemplate(services, caller, cloud, body);
  return {
    status: 201,
    body: templateView(template, base),
    location: `${base}/v1/clustertemplates/${template.uuid}`,
  };
}

async function patch({ services, caller, cloud, base, params, body }: RequestContext): Promise<Answer> {
  return {
    status: 200,
    body: templateView(await changeTemplate(services, caller, cloud, params['template'] ?? '', body), base),
  };
}

async function remove({ services, caller, params }: RequestContext): Promise<Answer> {
  const { options, store } = services;
  const ident = params['template'] ?? '';
  const scope = wideScope(options.policy, caller, 'clustertemplate:delete_all_projects');
  const template = await findTemplate(store.pool, ident, scope);
  enforce(options.policy, caller, 'clustertemplate:delete', template);
  if (!(await deleteTemplate(store.database, template.id))) throw templateNotFound(ident);
  return { status: 204 };
}

const tag = 'clustertemplates';
const schema = { kind: 'resource', table: clusterTemplateAttributes } as const;
const page = {
  status: 200,
  description: 'A page of templates.',
  schema: { kind: 'list', key: 'clustertemplates', table: clusterTemplateAttributes },
} as const;

export const clusterTemplateOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/clustertemplates',
    tag,
    summary: 'List cluster templates',
    rule: 'clustertemplate:get_all',
    query: pagingArguments,
    answers: page,
    handle: (context) => list(context, 'clustertemplate:get_all', 'clustertemplates'),
  },
  {
    method: 'GET',
    path: '/v1/clustertemplates/detail',
    tag,
    summary: 'List cluster templates; the same as the plain list',
    rule: 'clustertemplate:detail',
    query: pagingArguments,
    answers: page,
    handle: (context) => list(context, 'clustertemplate:detail', 'clustertemplates/detail'),
  },
  {
    method: 'POST',
    path: '/v1/clustertemplates',
    tag,
    summary: 'Create a cluster template',
    rule: 'clustertemplate:create',
    body: { kind: 'object', table: clusterTemplateAttributes },
    answers: { status: 201, description: 'The template.', schema },
    handle: create,
  },
  {
    method: 'GET',
    path: '/v1/clustertemplates/:template',
    tag,
    summary: 'Show a cluster template',
    rule: 'clustertemplate:get',
    answers: { status: 200, description: 'The template.', schema },
    handle: show,
  },
  {
    method: 'PATCH',
    path: '/v1/clustertemplates/:template',
    tag,
    summary: 'Change a cluster template; clusters made from it do not change',
    rule: 'clustertemplate:update',
    body: { kind: 'patch', table: clusterTemplateAttributes },
    answers: { status: 200, description: 'The template.', schema },
    handle: patch,
  },
  {
    method: 'DELETE',
    path: '/v1/clustertemplates/:template',
    tag,
    summary: 'Delete a cluster template; clusters made from it stay',
    rule: 'clustertemplate:delete',
    answers: { status: 204, description: 'Deleted.', schema: { kind: 'nothing' } },
    handle: remove,
  },
];
