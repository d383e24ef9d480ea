import { clusterAttributes } from '@jeroboam/domain';
import { enforce, wideScope } from '../../access.ts';
import { acceptDelete } from '../../clusters/accept.ts';
import { patchCluster } from '../../clusters/change.ts';
import { changeClusterAttributes } from '../../clusters/change-attributes.ts';
import { createCluster } from '../../clusters/create.ts';
import {
  clusterNotFound,
  findCluster,
  findClusterWithGroups,
  findShownCluster,
} from '../../clusters/find.ts';
import {
  findMarker,
  listShownClusters,
  listClusterSummaries,
  listWholeClusters,
  scopeFilter,
  shownWhole,
  type Page,
  type Scope,
} from '../../store/index.ts';
import { isDryRun } from '../../dry-run.ts';
import { dryRunArgument } from '../extension.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { dryRunAnswer } from '../views/dry-run-view.ts';
import { nextLink, pagingArguments, parsePage, resolvePage } from '../paging.ts';
import {
  clusterSummaryView,
  clusterView,
  clusterWithGroupsView,
  wholeClusterView,
} from '../views/cluster-view.ts';

const sortKeys = new Set([
  'id',
  'uuid',
  'name',
  'project_id',
  'user_id',
  'cluster_template_id',
  'keypair',
  'docker_volume_size',
  'labels',
  'master_flavor_id',
  'flavor_id',
  'stack_id',
  'api_address',
  'status',
  'status_reason',
  'health_status',
  'health_status_reason',
  'create_timeout',
  'discovery_url',
  'coe_version',
  'container_version',
  'ca_cert_ref',
  'magnum_cert_ref',
  'etcd_ca_cert_ref',
  'front_proxy_ca_cert_ref',
  'fixed_network',
  'fixed_subnet',
  'floating_ip_enabled',
  'master_lb_enabled',
  'created_at',
  'updated_at',
]);

async function list<Row extends { uuid: string }>(
  context: RequestContext,
  rule: 'cluster:get_all' | 'cluster:detail',
  path: string,
  rows: (page: Page, scope: Scope) => Promise<Row[]>,
  view: (row: Row) => unknown,
): Promise<Answer> {
  const { services, caller, base } = context;
  const { policy } = services.options;
  const request = parsePage(context, sortKeys);
  enforce(policy, caller, rule);
  const scope = wideScope(policy, caller, `${rule}_all_projects`);
  const page = await resolvePage(
    request,
    (marker, sortKey) =>
      findMarker(services.store.pool, 'cluster', scopeFilter(scope), 'uuid', marker, sortKey),
    clusterNotFound,
  );
  return services.pages.make(`${path}|${JSON.stringify(scope)}`, page.limit, async () => {
    const found = await rows(page, scope);
    const uuids = found.map((row) => row.uuid);
    const body = { clusters: found.map(view), ...nextLink(base, path, request, uuids) };
    return { rows: found.length, answer: { status: 200, body } };
  });
}

const listSummaries = (context: RequestContext): Promise<Answer> =>
  list(
    context,
    'cluster:get_all',
    'clusters',
    (page, scope) => listClusterSummaries(context.services.store.pool, page, scope),
    (row) => clusterSummaryView(row, context.base, context.minor),
  );

async function listDetails(context: RequestContext): Promise<Answer> {
  const { base, minor, services } = context;
  const { pool } = services.store;
  if (!context.showsExtensions)
    return list(
      context,
      'cluster:detail',
      'clusters/detail',
      (page, scope) => listShownClusters(pool, page, scope),
      (row) => clusterView(row, base, minor, { withFaults: false }),
    );
  const answer = await list(
    context,
    'cluster:detail',
    'clusters/detail',
    (page, scope) => listWholeClusters(pool, page, scope),
    (row) => wholeClusterView(row, base, minor, { withFaults: false }),
  );
  return { ...answer, extended: true };
}

async function show(context: RequestContext): Promise<Answer> {
  const { services, caller, base, minor, params } = context;
  const { policy } = services.options;
  const scope = wideScope(policy, caller, 'cluster:get_one_all_projects');
  const ident = params['cluster'] ?? '';
  if (context.showsExtensions) {
    const cluster = await findClusterWithGroups(services.store.pool, ident, scope);
    enforce(policy, caller, 'cluster:get', cluster);
    return { status: 200, extended: true, body: clusterWithGroupsView(shownWhole(cluster), base, minor) };
  }
  const cluster = await findShownCluster(services.store.pool, ident, scope);
  enforce(policy, caller, 'cluster:get', cluster);
  return { status: 200, body: clusterView(cluster, base, minor, { withFaults: true }) };
}

async function create(context: RequestContext): Promise<Answer> {
  const { services, caller, cloud, body, minor, dryRun, sendsExtensions } = context;
  const request = { body, minor, dryRun, extended: sendsExtensions };
  const result = await createCluster(services, caller, cloud, request);
  return isDryRun(result) ? dryRunAnswer(result) : { status: 202, body: result };
}

async function patch(context: RequestContext): Promise<Answer> {
  const { services, caller, params, body, minor, dryRun } = context;
  const ident = params['cluster'] ?? '';
  const request = { body, minor, dryRun };
  const result = context.sendsExtensions
    ? await changeClusterAttributes(services, caller, context.cloud, ident, request)
    : await patchCluster(services, caller, ident, request);
  return isDryRun(result) ? dryRunAnswer(result) : { status: 202, body: result };
}

async function remove({ services, caller, params }: RequestContext): Promise<Answer> {
  const { policy } = services.options;
  const scope = wideScope(policy, caller, 'cluster:delete_all_projects');
  const cluster = await findCluster(services.store.pool, params['cluster'] ?? '', scope);
  enforce(policy, caller, 'cluster:delete', cluster);
  await acceptDelete(services, cluster);
  return { status: 204 };
}

const tag = 'clusters';

export const clusterOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/clusters',
    tag,
    summary: 'List clusters',
    rule: 'cluster:get_all',
    query: pagingArguments,
    answers: {
      status: 200,
      description: 'A page of clusters.',
      schema: { kind: 'list', key: 'clusters', table: clusterAttributes },
    },
    handle: listSummaries,
  },
  {
    method: 'GET',
    path: '/v1/clusters/detail',
    tag,
    summary: 'List clusters with all attributes',
    rule: 'cluster:detail',
    extended: ['answer'],
    query: pagingArguments,
    answers: {
      status: 200,
      description: 'A page of clusters.',
      schema: { kind: 'list', key: 'clusters', table: clusterAttributes },
    },
    handle: listDetails,
  },
  {
    method: 'POST',
    path: '/v1/clusters',
    tag,
    summary: 'Create a cluster',
    rule: 'cluster:create',
    extended: ['body'],
    query: [dryRunArgument],
    body: { kind: 'object', table: clusterAttributes },
    answers: {
      status: 202,
      description: 'Accepted; the cluster can be read at once.',
      schema: { kind: 'uuid' },
    },
    handle: create,
  },
  {
    method: 'GET',
    path: '/v1/clusters/:cluster',
    tag,
    summary: 'Show a cluster',
    rule: 'cluster:get',
    extended: ['answer'],
    answers: {
      status: 200,
      description: 'The cluster.',
      schema: { kind: 'resource', table: clusterAttributes },
    },
    handle: show,
  },
  {
    method: 'PATCH',
    path: '/v1/clusters/:cluster',
    tag,
    summary: 'Change the number of default workers, or report health; with the extensions, any attribute',
    rule: 'cluster:update',
    extended: ['body'],
    query: [
      { name: 'rollback', type: 'boolean', since: 3, description: 'Kept for old clients.' },
      dryRunArgument,
    ],
    body: { kind: 'patch', table: clusterAttributes },
    answers: { status: 202, description: 'Accepted.', schema: { kind: 'uuid' } },
    handle: patch,
  },
  {
    method: 'DELETE',
    path: '/v1/clusters/:cluster',
    tag,
    summary: 'Delete a cluster',
    rule: 'cluster:delete',
    answers: {
      status: 204,
      description: 'Accepted; the cluster is gone when it can no longer be read.',
      schema: { kind: 'nothing' },
    },
    handle: remove,
  },
];
