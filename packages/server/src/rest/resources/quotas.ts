import {
  Fault,
  invalidField,
  isStorableText,
  parseBody,
  quotaAttributes,
  type Parsed,
} from '@jeroboam/domain';
import { createSession, fixedToken, getProject } from '@jeroboam/openstack';
import { enforce } from '../../access.ts';
import {
  deleteQuota,
  findMarker,
  findQuota,
  insertQuota,
  listPage,
  updateQuota,
  type Filter,
  type QuotaRow,
} from '../../store/index.ts';
import type { Answer, Operation, QueryArgument, RequestContext } from '../operation.ts';
import { booleanArgument, nextLink, pagingArguments, parsePage, resolvePage } from '../paging.ts';

const sortKeys = new Set(['id', 'project_id', 'resource', 'hard_limit', 'created_at', 'updated_at']);

const view = (quota: QuotaRow): Record<string, unknown> => ({ ...quota });

const quotaNotFound = (projectId: string): Fault =>
  new Fault('not_found', `Quota could not be found: ${projectId}`);

const address = ({ params }: RequestContext): { projectId: string; resource: string } => {
  const [projectId = '', resource = ''] = [params['project'], params['resource']];
  // What the store cannot hold is not there.
  if (!isStorableText(projectId) || !isStorableText(resource))
    throw quotaNotFound(projectId.replaceAll('\0', ''));
  return { projectId, resource };
};

async function list(context: RequestContext): Promise<Answer> {
  const { services, caller, base, query } = context;
  const { pool } = services.store;
  const all = booleanArgument(query, 'all_tenants') ?? false;
  const request = parsePage(context, sortKeys, { integerMarker: true });
  enforce(services.options.policy, caller, 'quota:get_all');
  const filter: Filter = all
    ? { text: 'true', values: [] }
    : { text: 't.project_id = $1', values: [caller.projectId ?? ''] };
  const page = await resolvePage(
    request,
    (marker, sortKey) => findMarker(pool, 'quota', filter, 'id', Number(marker), sortKey),
    (marker) => new Fault('not_found', `Quota could not be found: ${marker}`),
  );
  const quotas = await listPage<QuotaRow>(pool, 'quota', filter, page);
  return {
    status: 200,
    body: {
      quotas: quotas.map(view),
      ...nextLink(
        base,
        'quotas',
        request,
        quotas.map((quota) => quota.id),
      ),
    },
  };
}

async function show(context: RequestContext): Promise<Answer> {
  const { services, caller } = context;
  const { projectId, resource } = address(context);
  enforce(services.options.policy, caller, 'quota:get');
  if (!caller.isAdmin && projectId !== caller.projectId) throw new Fault('forbidden', 'Not authorized.');
  const quota = await findQuota(services.store.database, projectId, resource);
  if (quota !== undefined) return { status: 200, body: view(quota) };
  // A project without a limit of its own has the service's.
  return {
    status: 200,
    body: { project_id: projectId, resource: 'Cluster', hard_limit: services.options.maxClustersPerProject },
  };
}

async function projectExists({ services, caller }: RequestContext, projectId: string): Promise<boolean> {
  const { options, http } = services;
  const session = createSession({
    http,
    tokens: fixedToken({ token: caller.token, catalog: caller.catalog }),
    region: options.keystone.region ?? null,
    interface: options.keystone.interface ?? 'public',
  });
  const found = await getProject(session, projectId);
  return found.kind === 'found';
}

/** Absent, the limit is 1, as Magnum has it; null is no limit. */
function limitOf(parsed: Parsed): number {
  if (parsed['hard_limit'] === null) throw invalidField('hard_limit', null, 'Value should be an integer');
  return (parsed['hard_limit'] as number | undefined) ?? 1;
}

async function create(context: RequestContext): Promise<Answer> {
  const { services, caller, body } = context;
  const parsed = parseBody(quotaAttributes, body);
  enforce(services.options.policy, caller, 'quota:create');
  const projectId = (parsed['project_id'] as string | null | undefined) ?? null;
  if (projectId === null || !(await projectExists(context, projectId))) {
    throw new Fault('not_found', `The project_id ${projectId ?? 'None'} could not be found.`, {
      field: 'project_id',
    });
  }
  const resource = (parsed['resource'] as string | null | undefined) ?? 'Cluster';
  const hardLimit = limitOf(parsed);
  const quota = await insertQuota(services.store.database, {
    project_id: projectId,
    resource,
    hard_limit: hardLimit,
  });
  if (quota === undefined) {
    throw new Fault('conflict', `Quota for project ${projectId} already exists for resource ${resource}.`, {
      field: 'project_id',
    });
  }
  return { status: 201, body: view(quota) };
}

async function change(context: RequestContext): Promise<Answer> {
  const { services, caller, body } = context;
  const parsed = parseBody(quotaAttributes, body);
  enforce(services.options.policy, caller, 'quota:update');
  const { projectId, resource } = address(context);
  const hardLimit = limitOf(parsed);
  const quota = await updateQuota(services.store.database, projectId, resource, hardLimit);
  if (quota === undefined) throw quotaNotFound(projectId);
  return { status: 202, body: view(quota) };
}

async function remove(context: RequestContext): Promise<Answer> {
  const { services, caller } = context;
  enforce(services.options.policy, caller, 'quota:delete');
  const { projectId, resource } = address(context);
  if (!(await deleteQuota(services.store.database, projectId, resource))) throw quotaNotFound(projectId);
  return { status: 204 };
}

const tag = 'quotas';
const item = '/v1/quotas/:project/:resource';
const allTenants: QueryArgument = {
  name: 'all_tenants',
  type: 'boolean',
  description: 'The limits of all projects.',
};
const one = { kind: 'resource', table: quotaAttributes } as const;

export const quotaOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/quotas',
    tag,
    summary: 'List quotas',
    rule: 'quota:get_all',
    query: [...pagingArguments, allTenants],
    answers: {
      status: 200,
      description: 'A page of quotas.',
      schema: { kind: 'list', key: 'quotas', table: quotaAttributes },
    },
    handle: list,
  },
  {
    method: 'POST',
    path: '/v1/quotas',
    tag,
    summary: 'Limit a project',
    rule: 'quota:create',
    body: { kind: 'object', table: quotaAttributes },
    answers: { status: 201, description: 'The quota.', schema: one },
    handle: create,
  },
  {
    method: 'GET',
    path: item,
    tag,
    summary: 'Show the limit of a project',
    rule: 'quota:get',
    answers: {
      status: 200,
      description: "The quota; the service's limit where the project has none.",
      schema: one,
    },
    handle: show,
  },
  {
    method: 'PATCH',
    path: item,
    tag,
    summary: 'Change the limit of a project',
    rule: 'quota:update',
    body: { kind: 'object', table: quotaAttributes },
    answers: { status: 202, description: 'The quota.', schema: one },
    handle: change,
  },
  {
    method: 'DELETE',
    path: item,
    tag,
    summary: 'Remove the limit of a project',
    rule: 'quota:delete',
    answers: { status: 204, description: 'Removed.', schema: { kind: 'nothing' } },
    handle: remove,
  },
];
