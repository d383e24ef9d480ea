import { statuses } from '../status.ts';
import { labelDifferences, linksAttribute, mergeLabels, name255, timestamps } from './shared.ts';
import type { AttributeTable } from './types.ts';

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
    { name: 'name', type: name255, description: 'Unique in its cluster; mandatory.', example: 'gpu' },
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
      description: 'Gigabytes for container storage.',
    },
    {
      name: 'labels',
      type: { kind: 'map', of: 'scalar' },
      description: "Options of the driver; the cluster's when none are given.",
    },
    linksAttribute,
    {
      name: 'flavor_id',
      type: name255,
      description: "Flavor of its nodes; the cluster's when none is given.",
      example: 'm1.large',
    },
    { name: 'image_id', type: name255, description: "Image of its nodes; the cluster's when none is given." },
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
      description: 'How many nodes.',
      example: 3,
    },
    {
      name: 'role',
      type: name255,
      default: 'worker',
      description: 'A word put on the nodes; `master` is for the control plane alone.',
    },
    {
      name: 'min_node_count',
      type: { kind: 'integer', min: 0 },
      default: 0,
      description: 'The fewest nodes a resize may ask for.',
    },
    {
      name: 'max_node_count',
      type: { kind: 'integer', min: 0 },
      default: null,
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
      description: 'Labels of the Kubernetes nodes.',
      example: { tier: 'gpu' },
    },
    {
      name: 'node_taints',
      type: { kind: 'list', of: { kind: 'map', of: 'text' } },
      description: 'Taints of the Kubernetes nodes: key, effect and perhaps value.',
      example: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }],
    },
    ...timestamps,
  ],
};
