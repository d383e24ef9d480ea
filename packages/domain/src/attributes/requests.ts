import { name255, ownership, timestamps, linksAttribute } from './shared.ts';
import type { AttributeTable } from './types.ts';

/** Bodies of actions and of the smaller resources. */

export const resizeAttributes: AttributeTable = {
  argument: 'cluster_resize_req',
  title: 'ClusterResize',
  attributes: [
    {
      name: 'node_count',
      type: { kind: 'integer', min: 0 },
      mandatory: true,
      description: 'The size wanted.',
      example: 3,
    },
    {
      name: 'nodes_to_remove',
      type: { kind: 'list', of: { kind: 'text' } },
      description: 'Servers that should go first.',
    },
    {
      name: 'nodegroup',
      type: name255,
      description: 'Uuid or name of the group; the default workers when none is given.',
      example: 'default-master',
    },
  ],
};

export const upgradeAttributes: AttributeTable = {
  argument: 'cluster_upgrade_req',
  title: 'ClusterUpgrade',
  attributes: [
    {
      name: 'max_batch_size',
      type: { kind: 'integer', min: 1 },
      default: 1,
      description: 'How many nodes are replaced at a time.',
    },
    {
      name: 'nodegroup',
      type: name255,
      description: 'Uuid or name of the group; the default workers when none is given.',
    },
    {
      name: 'cluster_template',
      type: { kind: 'text' },
      description: 'Uuid or name of the template to upgrade to; mandatory.',
      example: 'k8s-1.32',
    },
  ],
};

export const quotaAttributes: AttributeTable = {
  argument: 'quota',
  title: 'Quota',
  attributes: [
    { name: 'id', type: { kind: 'integer' }, description: 'A number of the store; ignored in requests.' },
    {
      name: 'hard_limit',
      type: { kind: 'integer', min: 0 },
      default: 1,
      description: 'How many of the resource the project may have.',
      example: 20,
    },
    { name: 'project_id', type: name255, default: null, description: 'The project the limit is for.' },
    {
      name: 'resource',
      type: { kind: 'choice', of: ['Cluster'] },
      default: 'Cluster',
      description: 'What is limited.',
    },
    ...timestamps,
  ],
};

export const certificateAttributes: AttributeTable = {
  argument: 'certificate',
  title: 'Certificate',
  attributes: [
    {
      name: 'cluster_uuid',
      type: { kind: 'text' },
      description: 'Uuid or name of the cluster; answered: its uuid.',
    },
    linksAttribute,
    { name: 'csr', type: { kind: 'string', min: 1 }, description: 'A certificate signing request in PEM.' },
    {
      name: 'pem',
      type: { kind: 'string', min: 1 },
      description: 'The certificate in PEM; ignored in requests.',
    },
    {
      name: 'ca_cert_type',
      type: { kind: 'string', min: 1 },
      description: 'Which authority signs: kubernetes (default), etcd or front-proxy.',
    },
  ],
};

export const federationAttributes: AttributeTable = {
  argument: 'federation',
  title: 'Federation',
  attributes: [
    { name: 'uuid', type: { kind: 'uuid' }, description: 'Its identity.' },
    { name: 'name', type: name255, description: 'Its name.' },
    { name: 'hostcluster_id', type: { kind: 'text' }, description: 'The cluster that hosts the federation.' },
    { name: 'member_ids', type: { kind: 'list', of: { kind: 'text' } }, description: 'The clusters in it.' },
    { name: 'status', type: { kind: 'text' }, description: 'What is being done.' },
    { name: 'status_reason', type: { kind: 'text' }, description: 'Why.' },
    {
      name: 'properties',
      type: { kind: 'map', of: 'anything' },
      description: 'Options, among them dns-zone.',
    },
    ...ownership,
    linksAttribute,
    ...timestamps,
  ],
};
