import { nodeGroupSpec } from './node-group.ts';
import { linksAttribute, mergeLabels, name255, ownership, timestamps } from './shared.ts';
import type { Attribute, AttributeTable } from './types.ts';

/** A template may leave anything open and change anything at any time; only groups have defaults. */
function left(attribute: Attribute): Attribute {
  const { mutability: _m, instead: _i, fallback: _f, default: _d, extension: _e, ...rest } = attribute;
  return rest;
}

const spec = nodeGroupSpec.filter(({ name }) => name !== 'name').map(left);

/** Node-group templates: every attribute of a node group, any left open, in the manner of cluster templates. */
export const nodeGroupTemplateAttributes: AttributeTable = {
  argument: 'nodegroup_template',
  title: 'NodeGroupTemplate',
  attributes: [
    { name: 'uuid', type: { kind: 'uuid' }, description: 'Its identity; one is drawn when none is given.' },
    {
      name: 'name',
      type: name255,
      description:
        'Any name; unique within its cluster template. Groups made from it are called so unless they say otherwise. One is drawn when none is given.',
      example: 'gpu',
    },
    {
      name: 'cluster_template_id',
      type: name255,
      description: 'Uuid or name of the cluster template it is part of; answered: its uuid, or null.',
    },
    ...spec,
    {
      ...mergeLabels,
      description:
        "True: its labels are laid over those of the cluster it is used in; false: they replace them. Of a copy, also whether labels are laid over the source's.",
    },
    {
      name: 'public',
      type: { kind: 'boolean' },
      default: false,
      description:
        'Visible to all projects; needs nodegrouptemplate:publish. Part of a cluster template, it is as public as that.',
    },
    {
      name: 'hidden',
      type: { kind: 'boolean' },
      default: false,
      description:
        'Left out of the lists of others; needs nodegrouptemplate:publish. Part of a cluster template, it is as hidden as that.',
    },
    {
      name: 'tags',
      type: { kind: 'string', min: 0, max: 255 },
      default: null,
      description: 'Words separated by commas.',
    },
    linksAttribute,
    ...ownership,
    ...timestamps,
    {
      name: 'source_nodegroup_template',
      type: name255,
      input: true,
      description: 'Uuid or name of a node-group template to make it like.',
    },
    {
      name: 'source_nodegroup',
      type: { kind: 'string', min: 1, max: 520 },
      input: true,
      description: 'A node group to make it like: its uuid, or the cluster and the group as `cluster/group`.',
      example: 'prod/gpu',
    },
  ],
};
