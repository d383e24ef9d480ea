import { statuses } from '../status.ts';
import {
  kubernetesVersion,
  labelDifferences,
  linksAttribute,
  mergeLabels,
  name255,
  timestamps,
} from './shared.ts';
import type { Attribute, AttributeTable } from './types.ts';

const renameInstead = 'Add a group with `source_nodegroup` under the new name and delete this one.';

/** What makes the nodes of a group beyond Magnum's attributes. */
const extensions: readonly Attribute[] = [
  {
    ...kubernetesVersion,
    description: "The version of Kubernetes of its nodes; the cluster's when none is given.",
  },
  {
    name: 'root_volume',
    type: {
      kind: 'object',
      members: [
        {
          name: 'size',
          type: { kind: 'integer', min: 1 },
          mandatory: true,
          description: 'Gigabytes.',
        },
        { name: 'type', type: name255, description: "Volume type; the cloud's default when none is given." },
      ],
    },
    extension: true,
    mutability: 'rolls',
    description: "A volume that the nodes boot from; without one they boot from the flavor's disk.",
    example: { size: 40, type: 'ssd' },
  },
  {
    name: 'data_volumes',
    type: {
      kind: 'list',
      max: 20,
      of: {
        kind: 'object',
        members: [
          {
            name: 'name',
            type: { kind: 'string', min: 1, max: 40, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' },
            mandatory: true,
            description: 'Unique among the volumes of the group.',
          },
          {
            name: 'size',
            type: { kind: 'integer', min: 1 },
            mandatory: true,
            description: 'Gigabytes.',
          },
          {
            name: 'type',
            type: name255,
            description: "Volume type; the cloud's default when none is given.",
          },
          {
            name: 'mount_path',
            type: { kind: 'string', min: 1, max: 255, pattern: '^/' },
            description: 'Where it is mounted; without one it is attached only.',
          },
        ],
      },
    },
    extension: true,
    mutability: 'rolls',
    fallback: [],
    description: 'Further volumes of each node.',
    example: [{ name: 'scratch', size: 100, mount_path: '/var/scratch' }],
  },
  {
    name: 'availability_zones',
    type: { kind: 'list', of: name255, max: 20 },
    extension: true,
    mutability: 'rolls',
    fallback: [],
    description: 'The zones its nodes are spread over; without any the cloud chooses.',
    example: ['nova'],
  },
  {
    name: 'networks',
    type: {
      kind: 'list',
      max: 20,
      of: {
        kind: 'object',
        members: [
          { name: 'network', type: name255, mandatory: true, description: 'Name or id of the network.' },
          {
            name: 'subnet',
            type: name255,
            description: 'Name or id of the subnet; any of the network when none is given.',
          },
        ],
      },
    },
    extension: true,
    mutability: 'rolls',
    fallback: [],
    description: "Networks that its nodes are attached to beside the cluster's own.",
    example: [{ network: 'storage' }],
  },
  {
    name: 'security_groups',
    type: { kind: 'list', of: name255, max: 20 },
    extension: true,
    mutability: 'rolls',
    fallback: [],
    description: "Names or ids of security groups beside the cluster's own.",
    example: ['monitoring'],
  },
  {
    name: 'server_group_policy',
    type: {
      kind: 'choice',
      of: ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'],
    },
    extension: true,
    mutability: 'rolls',
    description: 'How its nodes are placed on hypervisors; without one the cloud places them freely.',
    example: 'soft-anti-affinity',
  },
  {
    name: 'update_strategy',
    type: { kind: 'choice', of: ['rolling', 'in-place', 'in-place-or-fail'] },
    extension: true,
    mutability: 'free',
    fallback: 'rolling',
    description:
      'How changes reach its nodes: by replacing them one after the other, in place where that is possible, or only in place.',
    example: 'rolling',
  },
];

/** Node groups, in the order Magnum answers and checks them. */
export const nodeGroupAttributes: AttributeTable = {
  argument: 'nodegroup',
  title: 'NodeGroup',
  attributes: [
    { name: 'id', type: { kind: 'integer' }, description: 'A number of the store; ignored in requests.' },
    {
      name: 'uuid',
      type: { kind: 'uuid' },
      description: 'Its identity; drawn by the service, whatever is given.',
    },
    {
      name: 'name',
      type: name255,
      mutability: 'immutable',
      instead: renameInstead,
      description: 'Unique in its cluster; mandatory unless a source brings one.',
      example: 'gpu',
    },
    {
      name: 'cluster_id',
      type: { kind: 'uuid' },
      description: 'The uuid of its cluster; ignored in requests.',
    },
    { name: 'project_id', type: { kind: 'text' }, readOnly: true, description: 'The project it belongs to.' },
    {
      name: 'docker_volume_size',
      type: { kind: 'integer', min: 1 },
      default: null,
      mutability: 'rolls',
      description: 'Gigabytes for container storage.',
    },
    {
      name: 'labels',
      type: { kind: 'map', of: 'scalar' },
      mutability: 'rolls',
      fallback: {},
      description: "Options of the driver; the cluster's when none are given.",
    },
    linksAttribute,
    {
      name: 'flavor_id',
      type: name255,
      mutability: 'rolls',
      description: "Flavor of its nodes; the cluster's when none is given.",
      example: 'm1.large',
    },
    {
      name: 'image_id',
      type: name255,
      mutability: 'rolls',
      description: "Image of its nodes; the cluster's when none is given.",
    },
    {
      name: 'node_addresses',
      type: { kind: 'list', of: { kind: 'text' } },
      readOnly: true,
      description: 'Addresses of its nodes.',
    },
    {
      name: 'node_count',
      type: { kind: 'integer', min: 0 },
      default: 1,
      mutability: 'free',
      description: 'How many nodes.',
      example: 3,
    },
    {
      name: 'role',
      type: name255,
      default: 'worker',
      mutability: 'immutable',
      instead: 'Add a group of the other role with `source_nodegroup` and delete this one.',
      description: 'A word put on the nodes; `master` is for the control plane alone.',
    },
    {
      name: 'min_node_count',
      type: { kind: 'integer', min: 0 },
      default: 0,
      mutability: 'free',
      description: 'The fewest nodes a resize may ask for.',
    },
    {
      name: 'max_node_count',
      type: { kind: 'integer', min: 0 },
      default: null,
      mutability: 'free',
      description: 'The most nodes; null or 0: no limit.',
    },
    {
      name: 'is_default',
      type: { kind: 'boolean' },
      description: 'Made with the cluster; ignored in requests.',
    },
    { name: 'stack_id', type: { kind: 'text' }, readOnly: true, description: 'The name the driver gave it.' },
    {
      name: 'status',
      type: { kind: 'choice', of: statuses },
      description: 'What is being done and how far it is; ignored in requests.',
    },
    {
      name: 'status_reason',
      type: { kind: 'text' },
      description: 'Why it is in this status; ignored in requests.',
    },
    { name: 'version', type: { kind: 'text' }, description: 'Kept for old clients; ignored in requests.' },
    mergeLabels,
    ...labelDifferences,
    {
      name: 'node_labels',
      type: { kind: 'map', of: 'text' },
      mutability: 'free',
      fallback: {},
      description: 'Labels of the Kubernetes nodes.',
      example: { tier: 'gpu' },
    },
    {
      name: 'node_taints',
      type: { kind: 'list', of: { kind: 'map', of: 'text' } },
      mutability: 'rolls',
      fallback: [],
      description: 'Taints of the Kubernetes nodes: key, effect and perhaps value.',
      example: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
    },
    ...timestamps,
    ...extensions,
    {
      name: 'nodegroup_template_id',
      type: name255,
      extension: true,
      input: true,
      description: 'Uuid or name of a node-group template to make it from.',
    },
    {
      name: 'source_nodegroup',
      type: { kind: 'string', min: 1, max: 520 },
      extension: true,
      input: true,
      description: 'A node group to make it like: its uuid, or the cluster and the group as `cluster/group`.',
      example: 'prod/gpu',
    },
  ],
};

/** What makes up a node group: all that a template of one can say, and all that a clone takes over. */
export const nodeGroupSpec: readonly Attribute[] = nodeGroupAttributes.attributes.filter(
  ({ mutability }) => mutability !== undefined,
);

const sources = nodeGroupAttributes.attributes.filter(({ input }) => input === true);

/** Groups within the request for a cluster or a cluster template. null opens what their source says. */
export const nodeGroupsAttribute: Attribute = {
  name: 'nodegroups',
  type: {
    kind: 'list',
    max: 100,
    of: { kind: 'object', keepsNull: true, members: [...nodeGroupSpec, mergeLabels, ...sources] },
  },
  extension: true,
  description:
    'All groups of workers, by attributes, from templates or from other groups; an empty list makes a control plane alone. `default-master` may be among them.',
  example: [{ name: 'gpu', flavor_id: 'm1.large', node_count: 2 }],
};

export const mergeNodeGroups: Attribute = {
  name: 'merge_nodegroups',
  type: { kind: 'boolean' },
  extension: true,
  input: true,
  description:
    "True: the groups given are laid over the source's by name; false (default): they replace its workers.",
};
