import { status, type Step } from './step.ts';

const member = 'jeroboam';

/** Node groups of the cluster that the chapter before made. */
export const nodeGroups: readonly Step[] = [
  {
    title: 'a cluster begins with two groups',
    as: member,
    types: 'coe nodegroup list peers-c',
    lists: [
      { name: 'default-master', role: 'master', node_count: 3, flavor_id: 'm1.small' },
      { name: 'default-worker', role: 'worker', node_count: 2, flavor_id: 'm1.medium' },
    ],
  },
  {
    title: 'groups are listed by role',
    as: member,
    types: 'coe nodegroup list peers-c --role worker',
    lists: [{ name: 'default-worker' }],
  },
  {
    title: 'a default group is shown',
    as: member,
    types: 'coe nodegroup show peers-c default-worker',
    shows: { name: 'default-worker', is_default: true, min_node_count: 0, max_node_count: null },
  },
  {
    title: 'a group with bounds, labels and taints is created',
    as: member,
    types:
      'coe nodegroup create peers-c gpu --flavor m1.large --node-count 1 --min-nodes 1 --max-nodes 3 --role gpu ' +
      '--labels q=s --merge-labels --node-labels tier=gpu --node-taints gpu=yes:NoSchedule',
    says: 'Request to create nodegroup ',
  },
  {
    title: 'the group becomes complete',
    as: member,
    types: 'coe nodegroup show peers-c gpu',
    until: status('CREATE_COMPLETE'),
    shows: {
      name: 'gpu',
      role: 'gpu',
      flavor_id: 'm1.large',
      node_count: 1,
      min_node_count: 1,
      max_node_count: 3,
      is_default: false,
      labels: { q: 's' },
      node_labels: { tier: 'gpu' },
      node_taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
    },
  },
  {
    title: 'bounds of a group are changed',
    as: member,
    types: 'coe nodegroup update peers-c gpu --min-nodes 1 --max-nodes 4',
    says: 'Request to update nodegroup gpu has been accepted.',
  },
  {
    title: 'labels and taints of a group are replaced',
    as: member,
    types: 'coe nodegroup update peers-c gpu --node-labels tier=cpu --node-taints only:NoExecute',
    says: 'Request to update nodegroup gpu has been accepted.',
  },
  {
    title: 'what was changed of the group is shown',
    as: member,
    types: 'coe nodegroup show peers-c gpu',
    until: status('UPDATE_COMPLETE'),
    shows: {
      max_node_count: 4,
      node_labels: { tier: 'cpu' },
      node_taints: [{ key: 'only', effect: 'NoExecute' }],
    },
  },
  {
    title: 'a group is resized within its bounds',
    as: member,
    types: 'coe cluster resize --nodegroup gpu peers-c 2',
    says: 'Request to resize cluster peers-c has been accepted.',
  },
  {
    title: 'a group is not resized beyond its bounds',
    as: member,
    types: 'coe cluster resize --nodegroup gpu peers-c 9',
    exit: 1,
    says: '(HTTP 400) (Request-ID: req-',
  },
  {
    title: 'the workers of all groups count as nodes of the cluster',
    as: member,
    types: 'coe cluster show peers-c',
    until: status('UPDATE_COMPLETE'),
    shows: { node_count: 4, master_count: 3 },
  },
  {
    title: 'a default group cannot be deleted',
    as: member,
    types: 'coe nodegroup delete peers-c default-worker',
    exit: 1,
    says: '(HTTP 400) (Request-ID: req-',
  },
  {
    title: 'a group is deleted',
    as: member,
    types: 'coe nodegroup delete peers-c gpu',
    says: 'Request to delete nodegroup gpu has been accepted.',
  },
  {
    title: 'the deleted group is gone in the end',
    as: member,
    types: 'coe nodegroup show peers-c gpu',
    untilExit: 1,
    says: 'Nodegroup gpu could not be found (HTTP 404)',
  },
];
