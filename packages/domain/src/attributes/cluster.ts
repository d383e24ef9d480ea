import { healthStatuses, statuses } from '../status.ts';
import { clusterTemplateAttributes } from './cluster-template.ts';
import { mergeNodeGroups, nodeGroupsAttribute } from './node-group.ts';
import {
  kubernetesVersion,
  labelDifferences,
  linksAttribute,
  mergeLabels,
  name255,
  ownership,
  timestamps,
} from './shared.ts';
import type { Attribute, AttributeTable, Mutability } from './types.ts';

const cloneInstead = 'Create a cluster with `source_cluster` and the new value, and delete this one.';

/** An attribute that Magnum keeps in templates alone: here clusters have it themselves. */
function ofTemplate(name: string, mutability: Mutability, more: Partial<Attribute> = {}): Attribute {
  const attribute = clusterTemplateAttributes.attributes.find((known) => known.name === name);
  if (attribute === undefined) throw new Error(`cluster templates have no attribute ${name}`);
  const { default: fallback, mandatory: _mandatory, ...rest } = attribute;
  return {
    ...rest,
    extension: true,
    mutability,
    ...(fallback === undefined || fallback === null ? {} : { fallback }),
    ...(mutability === 'immutable' ? { instead: cloneInstead } : {}),
    ...more,
  };
}

const extensions: readonly Attribute[] = [
  ofTemplate('coe', 'immutable', {
    fallback: 'kubernetes',
    description: 'The container orchestration engine.',
  }),
  ofTemplate('image_id', 'rolls', {
    description: 'Name or id of the image of its nodes; its property `os_distro` says what runs on them.',
  }),
  kubernetesVersion,
  ofTemplate('external_network_id', 'immutable'),
  ofTemplate('dns_nameserver', 'immutable'),
  ofTemplate('network_driver', 'immutable'),
  ofTemplate('volume_driver', 'free'),
  ofTemplate('apiserver_port', 'immutable'),
  ofTemplate('docker_storage_driver', 'rolls'),
  ofTemplate('http_proxy', 'rolls'),
  ofTemplate('https_proxy', 'rolls'),
  ofTemplate('no_proxy', 'rolls'),
  ofTemplate('registry_enabled', 'free'),
  ofTemplate('insecure_registry', 'rolls'),
  ofTemplate('tls_disabled', 'immutable'),
  ofTemplate('server_type', 'immutable'),
  ofTemplate('driver', 'immutable'),
  nodeGroupsAttribute,
  mergeNodeGroups,
  {
    name: 'source_cluster',
    type: { kind: 'text' },
    extension: true,
    input: true,
    description: 'Uuid or name of a cluster to make it like.',
  },
];

/** Clusters, in the order Magnum answers and checks them. */
export const clusterAttributes: AttributeTable = {
  argument: 'cluster',
  title: 'Cluster',
  attributes: [
    {
      name: 'uuid',
      type: { kind: 'uuid' },
      description: 'Its identity; drawn by the service, whatever is given.',
    },
    {
      name: 'name',
      type: { kind: 'string', min: 1, max: 242, pattern: '^[a-zA-Z][a-zA-Z0-9_.-]*$' },
      mutability: 'immutable',
      instead: 'Create a cluster with `source_cluster` under the new name and delete this one.',
      description: 'Starts with a letter; not unique. One is drawn when none is given.',
      example: 'prod',
    },
    {
      name: 'cluster_template_id',
      type: { kind: 'text' },
      mandatory: true,
      description: 'Uuid or name of the template to make it from.',
    },
    {
      name: 'keypair',
      type: name255,
      mutability: 'rolls',
      description: "Name of the caller's key pair; the template's when none is given.",
      example: 'default',
    },
    {
      name: 'node_count',
      type: { kind: 'integer', min: 0 },
      default: 1,
      mutability: 'free',
      description: 'Workers of the default group; answered: workers of all groups.',
      example: 2,
    },
    {
      name: 'master_count',
      type: { kind: 'integer', min: 1 },
      default: 1,
      mutability: 'free',
      description: 'Masters: an odd number; more than one needs master_lb_enabled.',
      example: 1,
    },
    {
      name: 'docker_volume_size',
      type: { kind: 'integer', min: 1 },
      mutability: 'rolls',
      description: "Gigabytes for container storage; the template's when none is given.",
    },
    {
      name: 'labels',
      type: { kind: 'map', of: 'scalar' },
      mutability: 'rolls',
      fallback: {},
      description: "Options of the driver; the template's when none are given.",
      example: { kube_tag: 'v1.31.4' },
    },
    {
      name: 'master_flavor_id',
      type: name255,
      mutability: 'rolls',
      description: "Flavor of masters; the template's when none is given.",
      example: 'm1.small',
    },
    {
      name: 'flavor_id',
      type: name255,
      mutability: 'rolls',
      description: "Flavor of workers; the template's when none is given.",
      example: 'm1.small',
    },
    {
      name: 'create_timeout',
      type: { kind: 'integer', min: 0 },
      default: 60,
      mutability: 'free',
      description: 'Minutes after which creation counts as failed; 0: no limit.',
    },
    linksAttribute,
    {
      name: 'stack_id',
      type: { kind: 'text' },
      readOnly: true,
      description: 'The name the driver gave it (up to 1.12).',
    },
    {
      name: 'cluster_id',
      type: { kind: 'text' },
      readOnly: true,
      description: 'The name the driver gave it (from 1.13).',
    },
    {
      name: 'status',
      type: { kind: 'choice', of: statuses },
      description: 'What is being done and how far it is.',
      example: 'CREATE_COMPLETE',
    },
    { name: 'status_reason', type: { kind: 'text' }, description: 'Why it is in this status.' },
    {
      name: 'health_status',
      type: { kind: 'choice', of: healthStatuses },
      description: 'Whether its nodes and API answer.',
      example: 'HEALTHY',
    },
    {
      name: 'health_status_reason',
      type: { kind: 'map', of: 'anything' },
      description: 'What was found, by component.',
    },
    {
      name: 'discovery_url',
      type: { kind: 'text' },
      mutability: 'free',
      description: 'Kept for old clients; has no effect.',
    },
    {
      name: 'api_address',
      type: { kind: 'text' },
      readOnly: true,
      description: 'The address of its Kubernetes API.',
      example: 'https://203.0.113.7:6443',
    },
    {
      name: 'coe_version',
      type: { kind: 'text' },
      readOnly: true,
      description: 'The version of Kubernetes.',
      example: 'v1.31.4',
    },
    {
      name: 'container_version',
      type: { kind: 'text' },
      readOnly: true,
      description: 'The version of the container runtime, where known.',
    },
    ...ownership,
    {
      name: 'node_addresses',
      type: { kind: 'list', of: { kind: 'text' } },
      readOnly: true,
      description: 'Addresses of all workers.',
    },
    {
      name: 'master_addresses',
      type: { kind: 'list', of: { kind: 'text' } },
      readOnly: true,
      description: 'Addresses of all masters.',
    },
    {
      name: 'faults',
      type: { kind: 'map', of: 'anything' },
      description: 'Of a failed cluster: node group → reason.',
    },
    {
      name: 'fixed_network',
      type: name255,
      mutability: 'immutable',
      instead: cloneInstead,
      description: "Network of the nodes; the template's when none is given.",
    },
    {
      name: 'fixed_subnet',
      type: name255,
      mutability: 'immutable',
      instead: cloneInstead,
      description: "Subnet of the nodes; the template's when none is given.",
    },
    {
      name: 'floating_ip_enabled',
      type: { kind: 'boolean' },
      mutability: 'immutable',
      instead: cloneInstead,
      fallback: true,
      description: 'Floating addresses; as the template when not given.',
    },
    mergeLabels,
    ...labelDifferences,
    {
      name: 'master_lb_enabled',
      type: { kind: 'boolean' },
      mutability: 'immutable',
      instead: cloneInstead,
      fallback: false,
      description: 'A load balancer before the masters; as the template when not given.',
    },
    ...timestamps,
    ...extensions,
  ],
};

/** What makes up a cluster beside its groups: all that a template of one can say, and all that a clone takes over. */
export const clusterSpec: readonly Attribute[] = clusterAttributes.attributes.filter(
  ({ mutability }) => mutability !== undefined,
);
