import { clusterTemplateAttributes, type Attribute } from '@jeroboam/domain';
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
import { findTemplate, findTemplateWithGroups, templateNotFound } from '../../templates/find.ts';
import { findRememberedTemplate } from '../../templates/remembered.ts';
import { isDryRun } from '../../dry-run.ts';
import { dryRunArgument } from '../extension.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { nextLink, pagingArguments, parsePage, resolvePage } from '../paging.ts';
import { dryRunAnswer } from '../views/dry-run-view.ts';
import { templateView, templateWithGroupsView, wholeTemplateView } from '../views/template-view.ts';

/** What is only read from requests, or is rows of its own, is nothing to sort by. */
const isColumn = ({ name, input }: Attribute): boolean =>
  input !== true && name !== 'links' && name !== 'nodegroups';

const sortKeys = new Set([
  'id',
  ...clusterTemplateAttributes.attributes.filter(isColumn).map(({ name }) => name),
]);

async function list(
  context: RequestContext,
  rule: 'clustertemplate:get_all' | 'clustertemplate:detail',
  path: string,
): Promise<Answer> {
  const { services, caller, base, showsExtensions } = context;
  const { policy } = services.options;
  const { pool } = services.store;
  const view = showsExtensions ? wholeTemplateView : templateView;
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
    body: { clustertemplates: templates.map((template) => view(template, base)), ...next },
    ...(showsExtensions ? { extended: true } : {}),
  };
}

async function show(context: RequestContext): Promise<Answer> {
  const { services, caller, base, params } = context;
  const { policy } = services.options;
  const scope = wideScope(policy, caller, 'clustertemplate:get_one_all_projects');
  const ident = params['template'] ?? '';
  const find = context.showsExtensions ? findTemplateWithGroups : findTemplate;
  const template =
    (await findRememberedTemplate(services.store.pool, ident, scope)) ??
    (await find(services.store.pool, ident, scope));
  // A public template is for everybody, whatever their role.
  if (!template.public) enforce(policy, caller, 'clustertemplate:get', template);
  if (!context.showsExtensions) return { status: 200, body: templateView(template, base) };
  const whole = templateWithGroupsView({ groups: [], ...template }, base);
  return { status: 200, extended: true, body: whole };
}

/** A template that was just made or changed. */
async function written(
  context: RequestContext,
  template: ClusterTemplateRow,
  status: number,
): Promise<Answer> {
  const { services, base } = context;
  if (!context.showsExtensions) return { status, body: templateView(template, base) };
  const whole = await findTemplateWithGroups(services.store.pool, template.uuid, { everything: true });
  return { status, extended: true, body: templateWithGroupsView(whole, base) };
}

async function create(context: RequestContext): Promise<Answer> {
  const { services, caller, cloud, base, body, dryRun, sendsExtensions } = context;
  const result = await createTemplate(services, caller, cloud, { body, dryRun, extended: sendsExtensions });
  if (isDryRun(result)) return dryRunAnswer(result);
  const answer = await written(context, result, 201);
  return { ...answer, location: `${base}/v1/clustertemplates/${result.uuid}` };
}

async function patch(context: RequestContext): Promise<Answer> {
  const { services, caller, cloud, params, body, dryRun, sendsExtensions } = context;
  const result = await changeTemplate(services, caller, cloud, params['template'] ?? '', {
    body,
    dryRun,
    extended: sendsExtensions,
  });
  return isDryRun(result) ? dryRunAnswer(result) : written(context, result, 200);
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
    extended: ['answer'],
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
    extended: ['answer'],
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
    extended: ['body', 'answer'],
    query: [dryRunArgument],
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
    extended: ['answer'],
    answers: { status: 200, description: 'The template.', schema },
    handle: show,
  },
  {
    method: 'PATCH',
    path: '/v1/clustertemplates/:template',
    tag,
    summary: 'Change a cluster template; clusters made from it do not change',
    rule: 'clustertemplate:update',
    extended: ['body', 'answer'],
    query: [dryRunArgument],
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
