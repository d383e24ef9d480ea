import { Fault, nodeGroupAttributes } from '@jeroboam/domain';
import { enforce, wideScope } from '../../access.ts';
import { findParentCluster } from '../../clusters/find.ts';
import { findNodeGroup } from '../../clusters/find-node-group.ts';
import { deleteNodeGroup, patchNodeGroup } from '../../clusters/node-group-change.ts';
import { changeNodeGroupAttributes } from '../../clusters/node-group-change-attributes.ts';
import { createNodeGroup } from '../../clusters/node-group-create.ts';
import {
  findMarker,
  listPage,
  nodeGroupFilter,
  type ParentCluster,
  type NodeGroupRow,
} from '../../store/index.ts';
import { isDryRun } from '../../dry-run.ts';
import { dryRunArgument } from '../extension.ts';
import type { Answer, Operation, RequestContext } from '../operation.ts';
import { nextLink, pagingArguments, parsePage, resolvePage, textArgument } from '../paging.ts';
import { dryRunAnswer } from '../views/dry-run-view.ts';
import {
  acceptedNodeGroupView,
  nodeGroupSummaryView,
  nodeGroupView,
  wholeNodeGroupView,
} from '../views/node-group-view.ts';

const sortKeys = new Set([
  'id',
  'uuid',
  'name',
  'project_id',
  'docker_volume_size',
  'labels',
  'flavor_id',
  'image_id',
  'node_addresses',
  'node_count',
  'role',
  'max_node_count',
  'min_node_count',
  'is_default',
  'stack_id',
  'status',
  'status_reason',
  'version',
  'node_labels',
  'node_taints',
  'created_at',
  'updated_at',
]);

function parentCluster({ services, caller, params }: RequestContext, rule: string): Promise<ParentCluster> {
  const { options, store } = services;
  return findParentCluster(store.pool, params['cluster'] ?? '', wideScope(options.policy, caller, rule));
}

async function list(context: RequestContext): Promise<Answer> {
  const { services, caller, base, query } = context;
  const { pool } = services.store;
  const request = parsePage(context, sortKeys);
  enforce(services.options.policy, caller, 'nodegroup:get_all');
  const cluster = await parentCluster(context, 'nodegroup:get_all_all_projects');
  const filter = nodeGroupFilter(cluster.uuid, textArgument(query, 'role'));
  const page = await resolvePage(
    request,
    (marker, sortKey) => findMarker(pool, 'nodegroup', filter, 'uuid', marker, sortKey),
    (marker) => new Fault('not_found', `Nodegroup ${marker} could not be found.`),
  );
  const groups = await listPage<NodeGroupRow>(pool, 'nodegroup', filter, page);
  const next = nextLink(
    base,
    `clusters/${cluster.uuid}/nodegroups`,
    request,
    groups.map((group) => group.uuid),
  );
  if (!context.showsExtensions)
    return { status: 200, body: { nodegroups: groups.map(nodeGroupSummaryView), ...next } };
  const whole = groups.map((group) => wholeNodeGroupView(group, cluster.labels, base));
  return { status: 200, extended: true, body: { nodegroups: whole, ...next } };
}

async function show(context: RequestContext): Promise<Answer> {
  const { services, caller, base, params } = context;
  enforce(services.options.policy, caller, 'nodegroup:get');
  const cluster = await parentCluster(context, 'nodegroup:get_one_all_projects');
  const group = await findNodeGroup(services.store.pool, cluster.uuid, params['nodegroup'] ?? '');
  return context.showsExtensions
    ? { status: 200, extended: true, body: wholeNodeGroupView(group, cluster.labels, base) }
    : { status: 200, body: nodeGroupView(group, cluster.labels, base) };
}

async function create(context: RequestContext): Promise<Answer> {
  const { services, caller, cloud, base, params, body, minor, dryRun, sendsExtensions } = context;
  const request = { body, minor, dryRun, extended: sendsExtensions };
  const result = await createNodeGroup(services, caller, cloud, params['cluster'] ?? '', request);
  if (isDryRun(result)) return dryRunAnswer(result);
  return { status: 202, body: acceptedNodeGroupView(result.group, result.cluster, base) };
}

async function patch(context: RequestContext): Promise<Answer> {
  const { services, caller, base, params, body, minor, dryRun } = context;
  const idents = { cluster: params['cluster'] ?? '', group: params['nodegroup'] ?? '' };
  const request = { body, minor, dryRun };
  const result = context.sendsExtensions
    ? await changeNodeGroupAttributes(services, caller, context.cloud, idents, request)
    : await patchNodeGroup(services, caller, idents, request);
  if (isDryRun(result)) return dryRunAnswer(result);
  const { cluster, group } = result;
  return context.showsExtensions
    ? { status: 202, extended: true, body: wholeNodeGroupView(group, cluster.labels, base) }
    : { status: 202, body: nodeGroupView(group, cluster.labels, base) };
}

const tag = 'nodegroups';
const since = { minor: 9, word: 'get_one' };
const collection = '/v1/clusters/:cluster/nodegroups';
const item = `${collection}/:nodegroup`;

export const nodeGroupOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: collection,
    tag,
    since,
    summary: 'List the node groups of a cluster',
    rule: 'nodegroup:get_all',
    extended: ['answer'],
    query: [...pagingArguments, { name: 'role', type: 'string', description: 'Only groups of this role.' }],
    answers: {
      status: 200,
      description: 'A page of node groups.',
      schema: { kind: 'list', key: 'nodegroups', table: nodeGroupAttributes },
    },
    handle: list,
  },
  {
    method: 'POST',
    path: collection,
    tag,
    since,
    summary: 'Add a node group',
    rule: 'nodegroup:create',
    extended: ['body'],
    query: [dryRunArgument],
    body: { kind: 'object', table: nodeGroupAttributes },
    answers: {
      status: 202,
      description: 'Accepted.',
      schema: { kind: 'resource', table: nodeGroupAttributes },
    },
    handle: create,
  },
  {
    method: 'GET',
    path: item,
    tag,
    since,
    summary: 'Show a node group',
    rule: 'nodegroup:get',
    extended: ['answer'],
    answers: {
      status: 200,
      description: 'The node group.',
      schema: { kind: 'resource', table: nodeGroupAttributes },
    },
    handle: show,
  },
  {
    method: 'PATCH',
    path: item,
    tag,
    since,
    summary: 'Change the bounds, node labels or taints of a node group; with the extensions, any attribute',
    rule: 'nodegroup:update',
    query: [dryRunArgument],
    extended: ['body', 'answer'],
    body: { kind: 'patch', table: nodeGroupAttributes },
    answers: {
      status: 202,
      description: 'Accepted.',
      schema: { kind: 'resource', table: nodeGroupAttributes },
    },
    handle: patch,
  },
  {
    method: 'DELETE',
    path: item,
    tag,
    since,
    summary: 'Remove a node group',
    rule: 'nodegroup:delete',
    answers: { status: 204, description: 'Accepted.', schema: { kind: 'nothing' } },
    handle: async ({ services, caller, params }) => {
      await deleteNodeGroup(services, caller, params['cluster'] ?? '', params['nodegroup'] ?? '');
      return { status: 204 };
    },
  },
];
