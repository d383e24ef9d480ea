import { describe, expect, test } from 'vitest';
import {
  clusterContradictions,
  clusterTemplateContradictions,
  groupContradictions,
  groupTemplateContradictions,
  resolveCluster,
  skewContradictions,
  type ClusterSpec,
  type NodeGroupSpec,
  type Values,
} from '@jeroboam/domain';
import { fields, fromRow, request, type Item } from '../support/resolving.ts';
import { clusterRow, groupRow, masterRow, wholeGroup } from '../support/specs.ts';

const told = (body: Values, items: readonly Item[] | null = null, merges = false) =>
  resolveCluster([fromRow({ master_lb_enabled: true })], request(body, items, merges)).problems.map(
    ({ field, message, status }) => [field, message, status],
  );

describe('a cluster is refused with 400', () => {
  test.each<[string, Values, readonly Item[] | null, string, string]>([
    [
      'for two numbers of masters',
      { master_count: 3 },
      [{ name: 'default-master', node_count: 5 }],
      'master_count',
      'master_count is 3 and nodegroups/default-master/node_count is 5: give only one of them.',
    ],
    [
      'for two numbers of workers',
      { node_count: 3 },
      [{ name: 'default-worker', node_count: 5 }],
      'node_count',
      'node_count is 3 and nodegroups/default-worker/node_count is 5: give only one of them.',
    ],
    [
      'for a number of workers that it does not list',
      { node_count: 3 },
      [{ name: 'gpu' }],
      'node_count',
      'node_count is for the group default-worker, which nodegroups leaves out: leave node_count out, or list the group.',
    ],
    [
      'for several masters without a load balancer',
      { master_count: 3, master_lb_enabled: false },
      null,
      'master_count',
      'master_count must be 1 when master_lb_enabled is False',
    ],
    [
      'for a storage driver that needs a volume',
      { docker_storage_driver: 'devicemapper' },
      null,
      'docker_volume_size',
      'docker volume size None GB is not valid, expecting minimum value 3GB for devicemapper storage driver.',
    ],
    [
      'for two versions of Kubernetes',
      { kubernetes_version: 'v1.31.4', labels: { kube_tag: 'v1.30.2' } },
      null,
      'kubernetes_version',
      'kubernetes_version is v1.31.4 and the label kube_tag is v1.30.2: give only one of them.',
    ],
    [
      'for nodes newer than their control plane',
      { kubernetes_version: 'v1.30.2' },
      [{ name: 'gpu', kubernetes_version: 'v1.31.0' }],
      'nodegroups/gpu/kubernetes_version',
      'kubernetes_version of gpu: nodes of v1.31.0 are newer than the control plane of v1.30.2: upgrade the control plane first.',
    ],
    [
      'for fewer nodes than its bounds allow',
      {},
      [{ name: 'gpu', min_node_count: 2 }],
      'nodegroups/gpu/min_node_count',
      'min_node_count for gpu is invalid (min_node_count (2) should be less or equal to node_count (1)).',
    ],
    [
      'for more nodes than its bounds allow',
      {},
      [{ name: 'gpu', node_count: 3, max_node_count: 2 }],
      'nodegroups/gpu/max_node_count',
      'max_node_count for gpu is invalid (node_count (3) should be less or equal to max_node_count (2)).',
    ],
    [
      'for labels of masters',
      {},
      [{ name: 'default-master', node_labels: { a: 'b' } }],
      'nodegroups/default-master/node_labels',
      'node_labels for default-master is invalid (node_labels are not supported for master nodegroups).',
    ],
    [
      'for taints without an effect',
      {},
      [{ name: 'gpu', node_taints: [{ key: 'a' }] }],
      'nodegroups/gpu/node_taints',
      'node_taints for gpu is invalid (node_taints[0].effect must be one of NoSchedule, PreferNoSchedule, NoExecute).',
    ],
    [
      'for two volumes of one name',
      {},
      [
        {
          name: 'gpu',
          data_volumes: [
            { name: 'd', size: 1 },
            { name: 'd', size: 2 },
          ],
        },
      ],
      'nodegroups/gpu/data_volumes',
      'data_volumes of gpu has two volumes called d.',
    ],
    [
      'for one zone twice',
      {},
      [{ name: 'gpu', availability_zones: ['x', 'y', 'x'] }],
      'nodegroups/gpu/availability_zones',
      'availability_zones of gpu names x twice.',
    ],
    [
      'for a control plane of another role',
      {},
      [{ name: 'default-master', role: 'worker' }],
      'nodegroups/default-master/role',
      'The role master is for the group default-master, and that group has no other.',
    ],
  ])('%s', (_what, body, items, field, message) => {
    expect(told(body, items)).toStrictEqual([[field, message, 400]]);
  });

  test('for everything at once', () => {
    const items = [
      { name: 'default-master', node_count: 5, kubernetes_version: 'v1.29.0' },
      { name: 'gpu', min_node_count: 2, kubernetes_version: 'v1.31.0', availability_zones: ['x', 'x'] },
      {
        name: 'infra',
        data_volumes: [
          { name: 'd', size: 1 },
          { name: 'd', size: 1 },
        ],
      },
    ];
    const body = {
      master_count: 3,
      node_count: 2,
      master_lb_enabled: false,
      docker_storage_driver: 'devicemapper',
    };
    const made = resolveCluster([fromRow()], request(body, items));
    expect(fields(made)).toStrictEqual([
      'master_count',
      'node_count',
      'docker_volume_size',
      'master_count',
      'nodegroups/gpu/min_node_count',
      'nodegroups/gpu/availability_zones',
      'nodegroups/gpu/kubernetes_version',
      'nodegroups/infra/data_volumes',
    ]);
    expect(new Set(made.problems.map(({ message }) => message)).size).toBe(made.problems.length);
  });
});

describe('nothing is said against', () => {
  test.each<[string, Values, readonly Item[] | null, boolean?]>([
    ['the same number said twice', { node_count: 3 }, [{ name: 'default-worker', node_count: 3 }]],
    ['a number for groups that are merged', { node_count: 3 }, [{ name: 'gpu' }], true],
    ['a number that is left open', { node_count: null }, [{ name: 'gpu' }]],
    ['a number beside a listed group without one', { node_count: 3 }, [{ name: 'default-worker' }]],
    [
      'the same version in both places',
      { kubernetes_version: 'v1.31.4', labels: { kube_tag: '1.31.4' } },
      null,
    ],
    ['a bound of 0, which is none', {}, [{ name: 'gpu', node_count: 3, max_node_count: 0 }]],
    ['older nodes', { kubernetes_version: 'v1.31.4' }, [{ name: 'gpu', kubernetes_version: 'v1.28.0' }]],
    ['a group without nodes', {}, [{ name: 'gpu', node_count: 0 }]],
    ['a role that is another word', {}, [{ name: 'gpu', role: 'infra' }]],
  ])('%s', (_what, body, items, merges = false) => {
    expect(told(body, items, merges)).toStrictEqual([]);
  });
});

test('a group of masters beside the control plane is refused', () => {
  const groups = [masterRow(), groupRow({ name: 'more', role: 'master' })];
  const faults = clusterContradictions(
    clusterRow() as unknown as ClusterSpec,
    groups as unknown as NodeGroupSpec[],
  );
  expect(faults.map(({ field }) => field)).toStrictEqual(['nodegroups/more/role']);
});

test('a group alone is refused in the words and with the status of Magnum', () => {
  const faults = groupContradictions({ ...wholeGroup, name: 'gpu', min_node_count: 2 });
  expect(faults.map(({ field, status }) => [field, status])).toStrictEqual([['min_node_count', 409]]);
});

test('the version of a control plane that nobody knows contradicts nothing', () => {
  expect(skewContradictions({ name: 'gpu', kubernetes_version: 'v1.31.4' }, null)).toStrictEqual([]);
  expect(skewContradictions({ name: 'gpu', kubernetes_version: null }, 'v1.31.4')).toStrictEqual([]);
  expect(skewContradictions({ name: 'gpu', kubernetes_version: 'v1.31.4' }, 'v1.31.0')).toHaveLength(1);
});

describe('a template of a group', () => {
  const open = Object.fromEntries(Object.keys(wholeGroup).map((name) => [name, null]));
  const saying = (values: Values) =>
    groupTemplateContradictions({ name: 'gpu', values: { ...open, ...values } }).map(({ field }) => field);

  test.each<Values>([
    {},
    { min_node_count: 3 },
    { max_node_count: 3 },
    { node_count: 3 },
    { min_node_count: 3, max_node_count: 3 },
    { role: 'master' },
    { node_labels: { a: 'b' } },
  ])('that leaves the rest open contradicts nothing: %j', (values) => {
    expect(saying(values)).toStrictEqual([]);
  });

  test.each<[Values, string]>([
    [{ min_node_count: 3, max_node_count: 2 }, 'max_node_count'],
    [{ min_node_count: 3, node_count: 2 }, 'min_node_count'],
    [{ max_node_count: 3, node_count: 4 }, 'max_node_count'],
    [{ role: 'master', node_labels: { a: 'b' } }, 'node_labels'],
    [{ availability_zones: ['x', 'x'] }, 'availability_zones'],
  ])('contradicts itself only in what it says: %j', (values, field) => {
    expect(saying(values)).toStrictEqual([field]);
  });

  test('is named by its place in the template of a cluster', () => {
    const group = { origins: {}, mergesLabels: false };
    const faults = clusterTemplateContradictions([
      { ...group, name: 'a', values: { ...open, availability_zones: ['x', 'x'] } },
      { ...group, name: 'b', values: { ...open, min_node_count: 3, node_count: 2 } },
    ]);
    expect(faults.map(({ field, status }) => [field, status])).toStrictEqual([
      ['nodegroups/a/availability_zones', 400],
      ['nodegroups/b/min_node_count', 400],
    ]);
  });
});
