import { groupsTemplate } from './fill/templates.ts';

/** What a request is about: clusters of the caller, drawn from the whole table. */
export interface Sample {
  clusters: readonly string[];
  /** A cluster in the middle of the caller's list. */
  middle: string;
}

export interface Target {
  path: string;
  body?: unknown;
}

export interface Scenario {
  name: ScenarioName;
  title: string;
  method: 'GET' | 'POST';
  status: number;
  /** The requests that take turns. */
  targets(sample: Sample): Target[];
  /** What is wrong with an answer; null: nothing. */
  complaint(body: Record<string, unknown>): string | null;
}

export const scenarioNames = [
  'show',
  'list-20',
  'list-20-middle',
  'list-1000',
  'detail-1000',
  'node-groups',
  'template-create',
  'cluster-plan-1',
  'cluster-plan-10',
] as const;
export type ScenarioName = (typeof scenarioNames)[number];

/** Templates made under load bear this name, so that they can be told from those that clusters came from. */
export const createdTemplateName = 'bench-created';

const templateBody = {
  name: createdTemplateName,
  coe: 'kubernetes',
  image_id: 'ubuntu-kube-v1.31',
  external_network_id: 'public',
  flavor_id: 'm1.small',
  master_flavor_id: 'm1.small',
  keypair_id: 'default',
  labels: { kube_tag: 'v1.31.4', boot_volume_size: '20', auto_healing_enabled: 'true' },
};

function pageOf(key: string, count: number, attribute: string): Scenario['complaint'] {
  return (body) => {
    const items = body[key];
    if (!Array.isArray(items)) return `there is no list "${key}"`;
    if (items.length !== count) return `"${key}" has ${items.length} items, not ${count}`;
    const lacking = items.find((item) => !Object.hasOwn(item as object, attribute));
    return lacking === undefined ? null : `an item has no "${attribute}"`;
  };
}

const get = { method: 'GET', status: 200 } as const;

/** A cluster out of a template with so many groups: found, resolved and checked as for creation, and not written. */
const clusterPlan = (groups: 1 | 10): Scenario => ({
  name: `cluster-plan-${groups}`,
  title: `plan of a cluster with ${groups === 1 ? 'one group' : `${groups} groups`}`,
  method: 'POST',
  status: 200,
  targets: () => [
    {
      path: '/v1/clusters?dry_run=true',
      body: { cluster_template_id: groupsTemplate(groups), name: 'bench' },
    },
  ],
  complaint: (body) => {
    const { nodegroups } = (body['resource'] ?? {}) as { nodegroups?: unknown[] };
    if (nodegroups?.length !== groups + 1) return `the plan has ${nodegroups?.length} groups`;
    const refusals = body['refusals'] as { field: string | null }[];
    return refusals.length === 0 ? null : `it was refused: ${JSON.stringify(refusals)}`;
  },
});

export const scenarios: Record<ScenarioName, Scenario> = {
  show: {
    ...get,
    name: 'show',
    title: 'show',
    targets: ({ clusters }) => clusters.map((uuid) => ({ path: `/v1/clusters/${uuid}` })),
    complaint: (body) => {
      const addresses = body['master_addresses'];
      return Array.isArray(addresses) && addresses.length > 0 ? null : 'the cluster has no masters';
    },
  },
  'list-20': {
    ...get,
    name: 'list-20',
    title: 'list of 20',
    targets: () => [{ path: '/v1/clusters?limit=20' }],
    complaint: pageOf('clusters', 20, 'node_count'),
  },
  'list-20-middle': {
    ...get,
    name: 'list-20-middle',
    title: 'list of 20, from the middle',
    targets: ({ middle }) => [{ path: `/v1/clusters?limit=20&marker=${middle}` }],
    complaint: pageOf('clusters', 20, 'node_count'),
  },
  'list-1000': {
    ...get,
    name: 'list-1000',
    title: 'list of 1,000',
    targets: () => [{ path: '/v1/clusters?limit=1000' }],
    complaint: pageOf('clusters', 1000, 'node_count'),
  },
  'detail-1000': {
    ...get,
    name: 'detail-1000',
    title: 'detail of 1,000',
    targets: () => [{ path: '/v1/clusters/detail?limit=1000' }],
    complaint: pageOf('clusters', 1000, 'master_addresses'),
  },
  'node-groups': {
    ...get,
    name: 'node-groups',
    title: 'node groups of a cluster',
    targets: ({ clusters }) => clusters.map((uuid) => ({ path: `/v1/clusters/${uuid}/nodegroups` })),
    complaint: pageOf('nodegroups', 2, 'role'),
  },
  'template-create': {
    name: 'template-create',
    title: 'template create',
    method: 'POST',
    status: 201,
    targets: () => [{ path: '/v1/clustertemplates', body: templateBody }],
    complaint: (body) => (body['name'] === createdTemplateName ? null : 'the template has another name'),
  },
  'cluster-plan-1': clusterPlan(1),
  'cluster-plan-10': clusterPlan(10),
};
