import type { Operation } from '../../../src/rest/operation.ts';
import type { TestAnswer, TestService } from '../../support/test-service.ts';
import { templateBody } from '../../support/clusters.ts';
import { buildRequest } from '../../certificates/support/requests.ts';
import type { Scene } from './scene.ts';

export type OperationName = `${Operation['method']} ${string}`;

export const nameOf = ({ method, path }: Operation): OperationName => `${method} ${path}`;

/** What stands in the paths of operations. A parameter that is not here is one no test knows yet. */
const parameters: Readonly<Record<string, (scene: Scene) => string>> = {
  ':cluster': ({ cluster }) => cluster,
  ':nodegroup': ({ nodeGroup }) => nodeGroup,
  ':template': ({ template }) => template,
  ':nodegrouptemplate': ({ nodeGroupTemplate }) => nodeGroupTemplate,
  ':federation': ({ cluster }) => cluster,
  ':project': ({ project }) => project,
  ':resource': () => 'Cluster',
};

/** A good body for each operation that reads one, about the things of a scene. */
const bodies: Readonly<Record<OperationName, (scene: Scene) => unknown>> = {
  'POST /v1/clusters': ({ template }) => ({ name: 'a-new-one', cluster_template_id: template }),
  'PATCH /v1/clusters/:cluster': () => [{ op: 'replace', path: '/node_count', value: 2 }],
  'POST /v1/clusters/:cluster/actions/resize': ({ nodeGroup }) => ({ node_count: 2, nodegroup: nodeGroup }),
  'POST /v1/clusters/:cluster/actions/upgrade': ({ template }) => ({
    cluster_template: template,
    max_batch_size: 1,
  }),
  'POST /v1/clusters/:cluster/nodegroups': () => ({ name: 'a-new-group' }),
  'PATCH /v1/clusters/:cluster/nodegroups/:nodegroup': () => [
    { op: 'replace', path: '/max_node_count', value: 5 },
  ],
  'POST /v1/clustertemplates': () => ({ ...templateBody, name: 'a-new-template' }),
  'PATCH /v1/clustertemplates/:template': () => [{ op: 'replace', path: '/tags', value: 'changed' }],
  'POST /v1/clustertemplates/:template/nodegrouptemplates': () => ({
    name: 'a-new-group-template',
    flavor_id: 'm1.small',
  }),
  'POST /v1/nodegrouptemplates': ({ nodeGroupTemplate }) => ({
    name: 'a-new-group-template',
    source_nodegroup_template: nodeGroupTemplate,
  }),
  'PATCH /v1/nodegrouptemplates/:nodegrouptemplate': () => [
    { op: 'replace', path: '/tags', value: 'changed' },
  ],
  'POST /v1/certificates': ({ cluster }) => ({ cluster_uuid: cluster, csr: buildRequest() }),
  'POST /v1/quotas': ({ project }) => ({ project_id: project, resource: 'Cluster', hard_limit: 700 }),
  'PATCH /v1/quotas/:project/:resource': () => ({ hard_limit: 900 }),
  'POST /v1/federations': ({ cluster }) => ({ name: 'union', hostcluster_id: cluster }),
  'PATCH /v1/federations/:federation': () => [{ op: 'replace', path: '/name', value: 'union' }],
};

export interface Ask {
  method: string;
  path: string;
  body?: unknown;
}

/** The request that asks an operation for the things of a scene. */
export function askFor(operation: Operation, scene: Scene): Ask {
  const path = operation.path.replaceAll(/:\w+/g, (name) => {
    const value = parameters[name]?.(scene);
    if (value === undefined) throw new Error(`${nameOf(operation)}: no test knows what to put for ${name}`);
    return value;
  });
  const body = bodies[nameOf(operation)]?.(scene);
  if (body === undefined && operation.body !== undefined && operation.body.kind !== 'ignored')
    throw new Error(`${nameOf(operation)}: no test knows a good body for it`);
  return { method: operation.method, path, ...(body === undefined ? {} : { body }) };
}

export const send = (
  service: TestService,
  token: string,
  ask: Ask,
  headers: Record<string, string> = {},
): Promise<TestAnswer> =>
  service.request(null, ask.method, ask.path, ask.body, { 'x-auth-token': token, ...headers });
