import * as fc from 'fast-check';
import {
  clusterAsSource,
  clusterDraftOf,
  clusterSpec,
  clusterTemplateAsSource,
  draftOf,
  nodeGroupSpec,
  open,
  templateOfCluster,
  type ClusterDraft,
  type ClusterSpec,
  type Draft,
  type NodeGroupSpec,
  type Origin,
  type ResolvedCluster,
  type Values,
} from '@jeroboam/domain';

export const byRequest: Origin = { kind: 'request' };
export const byDefault: Origin = { kind: 'default' };
export const fromSource: Origin = { kind: 'cluster', uuid: 'c-1', name: 'prod' };
export const fromTemplate: Origin = { kind: 'cluster_template', uuid: 't-1', name: 'small' };
export const fromGroupTemplate: Origin = { kind: 'nodegroup_template', uuid: 'gt-1', name: 'gpu' };

/** A cluster as its row holds it, and its groups as theirs do. */
export interface Rows {
  cluster: Values;
  groups: readonly Values[];
}

const wholeCluster: ClusterSpec = {
  name: 'prod',
  keypair: 'default',
  node_count: 1,
  master_count: 1,
  docker_volume_size: null,
  labels: {},
  master_flavor_id: 'm1.small',
  flavor_id: 'm1.small',
  create_timeout: 60,
  discovery_url: null,
  fixed_network: null,
  fixed_subnet: null,
  floating_ip_enabled: true,
  master_lb_enabled: true,
  coe: 'kubernetes',
  image_id: 'ubuntu',
  kubernetes_version: null,
  external_network_id: 'public',
  dns_nameserver: '8.8.8.8',
  network_driver: 'calico',
  volume_driver: null,
  apiserver_port: null,
  docker_storage_driver: null,
  http_proxy: null,
  https_proxy: null,
  no_proxy: null,
  registry_enabled: false,
  insecure_registry: null,
  tls_disabled: false,
  server_type: 'vm',
  driver: 'plain',
};

export const wholeGroup: NodeGroupSpec = {
  name: 'default-worker',
  role: 'worker',
  node_count: 1,
  min_node_count: 0,
  max_node_count: null,
  flavor_id: 'm1.small',
  image_id: 'ubuntu',
  kubernetes_version: null,
  docker_volume_size: null,
  labels: {},
  node_labels: {},
  node_taints: [],
  root_volume: null,
  data_volumes: [],
  availability_zones: [],
  networks: [],
  security_groups: [],
  server_group_policy: null,
  update_strategy: 'rolling',
};

export const clusterRow = (values: Partial<ClusterSpec> = {}): Values => ({ ...wholeCluster, ...values });
export const groupRow = (values: Partial<NodeGroupSpec> = {}): Values => ({ ...wholeGroup, ...values });
export const masterRow = (values: Partial<NodeGroupSpec> = {}): Values =>
  groupRow({ name: 'default-master', role: 'master', ...values });

/** The rows that a server keeps of a resolved cluster: the numbers of nodes are sums over the groups. */
export function rowsOf({ spec, groups }: ResolvedCluster): Rows {
  const count = (isMaster: boolean): number =>
    groups
      .filter((group) => (group.spec.role === 'master') === isMaster)
      .reduce((sum, group) => sum + group.spec.node_count, 0);
  return {
    cluster: { ...spec, node_count: count(false), master_count: count(true) },
    groups: groups.map((group) => ({ ...group.spec })),
  };
}

export const asSource = ({ cluster, groups }: Rows): ClusterDraft =>
  clusterAsSource(cluster, groups, fromSource);

/** A draft of a cluster put away as a template and its groups, as a server does, and taken as a source again. */
export function throughTemplate(draft: ClusterDraft): ClusterDraft {
  const template = templateOfCluster(draft);
  const { keypair, ...values } = template.values;
  const row = { ...values, keypair_id: keypair, labels: values['labels'] ?? {} };
  return clusterTemplateAsSource(
    { ...row, control_plane_only: template.controlPlaneOnly },
    template.groups.map((group) => ({
      template: { ...group.values, name: group.name, merge_labels: group.mergesLabels },
      origin: fromGroupTemplate,
    })),
    fromTemplate,
  );
}

/** What counts of a cluster: everything but its name and the sums of its nodes. No limit of time is no limit. */
export const configurationOf = ({ cluster, groups }: Rows): Rows => {
  const { name: _name, node_count: _nodes, master_count: _masters, ...rest } = cluster;
  return { cluster: { ...rest, create_timeout: rest['create_timeout'] ?? 0 }, groups };
};

/** A value and everything within it, so that a change would be an error. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}

const word = fc.constantFrom('a', 'b', 'c');
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
export const labels = fc.dictionary(fc.constantFrom('a', 'b', 'c'), word, {
  maxKeys: 3,
  noNullPrototype: true,
});
const version = maybe(fc.constantFrom('v1.31.4', 'v1.30.2'));
const size = maybe(fc.integer({ min: 1, max: 50 }));

/** Attributes of a cluster that are whole and contradict nothing. */
const clusterValues = fc.record({
  keypair: maybe(word),
  docker_volume_size: size,
  labels,
  master_flavor_id: word,
  flavor_id: word,
  create_timeout: maybe(fc.constantFrom(0, 30, 60)),
  fixed_network: maybe(word),
  floating_ip_enabled: fc.boolean(),
  master_lb_enabled: fc.constant(true),
  image_id: word,
  kubernetes_version: version,
  apiserver_port: maybe(fc.constantFrom(6443, 8443)),
  http_proxy: maybe(word),
  registry_enabled: fc.boolean(),
  tls_disabled: fc.boolean(),
  driver: maybe(word),
});

const groupValues = fc.record({
  node_count: fc.integer({ min: 3, max: 9 }),
  min_node_count: fc.integer({ min: 0, max: 3 }),
  max_node_count: maybe(fc.constantFrom(0, 9, 20)),
  flavor_id: word,
  image_id: word,
  kubernetes_version: version,
  docker_volume_size: size,
  labels,
  root_volume: maybe(fc.integer({ min: 1, max: 9 }).map((gigabytes) => ({ size: gigabytes }))),
  data_volumes: fc.constantFrom([], [{ name: 'scratch', size: 5, mount_path: '/scratch' }]),
  availability_zones: fc.uniqueArray(word),
  networks: fc.constantFrom([], [{ network: 'storage' }]),
  security_groups: fc.uniqueArray(word),
  server_group_policy: maybe(fc.constantFrom('affinity', 'soft-anti-affinity')),
  update_strategy: fc.constantFrom('rolling', 'in-place'),
});

const workerValues = fc
  .record({
    role: fc.constantFrom('worker', 'infra'),
    node_labels: labels,
    node_taints: fc.constantFrom([], [{ key: 'gpu', effect: 'NoSchedule' }]),
  })
  .chain((own) => groupValues.map((values) => ({ ...values, ...own })));

const workerNames = fc.uniqueArray(fc.constantFrom('default-worker', 'gpu', 'infra', 'spare'), {
  maxLength: 4,
});

/** In each of the inherited attributes a group follows its cluster or goes its own way. */
const following = fc.record(
  {
    image_id: fc.constant(true),
    flavor_id: fc.constant(true),
    kubernetes_version: fc.constant(true),
    labels: fc.constant(true),
    docker_volume_size: fc.constant(true),
  },
  { requiredKeys: [] },
);

function followed(cluster: Values, group: Values, which: object): Values {
  const flavor = group['role'] === 'master' ? 'master_flavor_id' : 'flavor_id';
  return Object.fromEntries(
    Object.entries(group).map(([name, value]) => [
      name,
      Object.hasOwn(which, name) ? cluster[name === 'flavor_id' ? flavor : name] : value,
    ]),
  );
}

/** Clusters that are whole and contradict nothing, with zero to four groups of workers. */
export const wholeClusters: fc.Arbitrary<Rows> = fc
  .record({
    cluster: clusterValues,
    masters: fc.tuple(groupValues, following),
    names: workerNames,
    workers: fc.array(fc.tuple(workerValues, following), { minLength: 4, maxLength: 4 }),
    name: word,
  })
  .map(({ cluster: values, masters: [masterValues, masterFollows], names, workers, name }) => {
    const cluster = clusterRow({ ...values, name });
    const masters = followed(cluster, masterRow(masterValues), masterFollows);
    const groups = names.map((groupName, index) => {
      const [own, follows] = workers[index] ?? [{}, {}];
      return followed(cluster, groupRow({ ...own, name: groupName }), follows);
    });
    // Nodes are never newer than their control plane.
    const version = (group: Values): Values =>
      masters['kubernetes_version'] === 'v1.31.4' ? group : { ...group, kubernetes_version: 'v1.30.2' };
    const all = [masters, ...groups.map(version)];
    const sum = (role: boolean): number =>
      all
        .filter((group) => (group['role'] === 'master') === role)
        .reduce((total, group) => total + (group['node_count'] as number), 0);
    return { cluster: { ...cluster, node_count: sum(false), master_count: sum(true) }, groups: all };
  });

const opened = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | typeof open> =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(open) });

const said = (shape: Record<string, fc.Arbitrary<unknown>>, origin: Origin): fc.Arbitrary<Draft> =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, opened(value)])), {
        requiredKeys: [],
      }),
      fc.boolean(),
    )
    .map(([values, mergesLabels]) => draftOf(values, origin, { mergesLabels }));

const ofCluster = {
  node_count: fc.integer({ min: 0, max: 5 }),
  master_count: fc.constantFrom(1, 3),
  docker_volume_size: fc.integer({ min: 1, max: 9 }),
  labels,
  master_flavor_id: word,
  flavor_id: word,
  image_id: word,
  kubernetes_version: fc.constantFrom('v1.31.4', 'v1.30.2'),
  http_proxy: word,
  create_timeout: fc.constantFrom(0, 30),
};

const ofGroup = {
  node_count: fc.integer({ min: 0, max: 5 }),
  min_node_count: fc.integer({ min: 0, max: 2 }),
  docker_volume_size: fc.integer({ min: 1, max: 9 }),
  labels,
  flavor_id: word,
  image_id: word,
  kubernetes_version: fc.constantFrom('v1.31.4', 'v1.30.2'),
  availability_zones: fc.uniqueArray(word),
  role: fc.constantFrom('worker', 'infra'),
};
const { role: _role, ...ofControlPlane } = ofGroup;

/** Anything that could be said of a cluster at one place. */
export const drafts = (origin: Origin): fc.Arbitrary<ClusterDraft> =>
  fc
    .record({
      cluster: said(ofCluster, origin),
      names: fc.option(workerNames, { nil: null }),
      groups: fc.array(said(ofGroup, origin), { minLength: 4, maxLength: 4 }),
      controlPlane: said(ofControlPlane, origin),
      mergesWorkers: fc.boolean(),
    })
    .map(({ cluster, names, groups, controlPlane, mergesWorkers }) =>
      clusterDraftOf(cluster, {
        workers: names?.map((name, index) => ({ name, ...(groups[index] as Draft) })) ?? null,
        controlPlane,
        mergesWorkers,
      }),
    );

export const requests = drafts(byRequest);
export const groupDrafts = said(ofGroup, byRequest);

export const clusterNames = clusterSpec.map(({ name }) => name);
export const groupNames = nodeGroupSpec.map(({ name }) => name);
