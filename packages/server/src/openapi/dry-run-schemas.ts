import type { Operation } from '../rest/operation.ts';
import { dryRunArgument } from '../rest/extension.ts';
import { exampleIds } from './examples/rows.ts';
import { schemaRef, type Schema } from './types.ts';

/** Whether an operation can be asked what it would do. */
export const canRunDry = ({ query }: Operation): boolean => query?.includes(dryRunArgument) ?? false;

const originsOfOne: Schema = { type: 'object', additionalProperties: schemaRef('Origin') };

/** Shortened: a real one tells of every attribute. */
export const dryRunExample = {
  resource: { name: 'prod', flavor_id: 'm1.small', labels: {} },
  origins: {
    name: { kind: 'request' },
    flavor_id: { kind: 'cluster_template', uuid: exampleIds.template, name: 'k8s-small' },
    labels: { kind: 'default' },
  },
  refusals: [],
};

/** What `?dry_run=true` answers. */
export const dryRunSchemas: Readonly<Record<string, Schema>> = {
  DryRun: {
    type: 'object',
    description: 'What a request would make or change. Nothing was written.',
    'x-extension': true,
    required: ['resource', 'origins', 'refusals'],
    properties: {
      resource: {
        type: 'object',
        additionalProperties: true,
        description: 'The resource as it would be, with its node groups where it has any.',
      },
      origins: {
        type: 'object',
        properties: {
          nodegroups: {
            type: 'object',
            additionalProperties: originsOfOne,
            description: 'The same for each node group, by its name.',
          },
        },
        additionalProperties: schemaRef('Origin'),
        description: 'Where each attribute comes from, by its name.',
      },
      refusals: {
        type: 'array',
        items: schemaRef('Refusal'),
        description: 'All that would be refused; empty: the request would be accepted.',
      },
    },
    examples: [dryRunExample],
  },
  Origin: {
    type: 'object',
    description: 'Where the value of an attribute comes from.',
    required: ['kind'],
    properties: {
      kind: {
        type: 'string',
        enum: [
          'default',
          'request',
          'image',
          'cluster_template',
          'cluster',
          'nodegroup_template',
          'nodegroup',
        ],
        description: "The service's default, the request, a property of the image, or a resource.",
      },
      uuid: { type: 'string', format: 'uuid', description: 'Of a resource.' },
      name: { type: ['string', 'null'], description: 'Of a resource or an image.' },
    },
    examples: [{ kind: 'request' }],
  },
  Refusal: {
    type: 'object',
    description: 'One thing that would be refused.',
    required: ['field', 'status', 'message'],
    properties: {
      field: {
        type: ['string', 'null'],
        description: 'The attribute at fault; of a node group `nodegroups/<name>/<attribute>`.',
      },
      status: { type: 'integer', description: 'The HTTP status it would be refused with.' },
      message: { type: 'string', description: 'What is wrong and what to do.' },
    },
    examples: [{ field: 'flavor_id', status: 400, message: 'Unable to find flavor huge.' }],
  },
};
