import {
  clusterAttributes,
  nodeGroupAttributes,
  nodeGroupTemplateAttributes,
  type AttributeTable,
  type AttributeType,
} from '@jeroboam/domain';
import { answerSchema, namedSchema } from './attribute-schema.ts';
import { schemaRef, type Schema } from './types.ts';

/** The items of `nodegroups` in requests: one type, which clusters and cluster templates share. */
function groupItem(): AttributeType {
  const attribute = clusterAttributes.attributes.find(({ name }) => name === 'nodegroups');
  if (attribute?.type.kind !== 'list') throw new Error('clusters have no list of node groups');
  return attribute.type.of;
}

const item = groupItem();
const itemName = 'NodeGroupItem';

/** What requests write out once and name elsewhere. */
export const namedInRequests: ReadonlyMap<AttributeType, string> = new Map([[item, itemName]]);

/** The schema of a resource with everything that Magnum does not have. */
export const wholeName = ({ title }: AttributeTable): string => `Whole${title}`;

/** What the groups within a resource are: those of a cluster run, those of a template only say what they would be. */
const groupsWithin = ({ title }: AttributeTable): string =>
  title === clusterAttributes.title ? wholeName(nodeGroupAttributes) : nodeGroupTemplateAttributes.title;

export const wholeSchema = (table: AttributeTable): Schema => ({
  ...answerSchema(table, { whole: true, named: new Map([[item, groupsWithin(table)]]) }),
  description: `A ${table.title} with every attribute, for those who accept the media type of the extensions.`,
});

/** What is sent and answered within other bodies. */
export const innerSchemas = (): Record<string, Schema> => ({
  [itemName]: {
    ...namedSchema(item),
    description: 'A node group within a request. null: whatever its source says does not count.',
  },
  [wholeName(nodeGroupAttributes)]: wholeSchema(nodeGroupAttributes),
  [nodeGroupTemplateAttributes.title]: answerSchema(nodeGroupTemplateAttributes),
});

/** JSON patches, as Magnum's clients send them and in the media type of the extensions. */
export const patchSchemas: Readonly<Record<string, Schema>> = {
  Patch: {
    type: 'array',
    description: 'Changes, applied in their order, all or none.',
    items: schemaRef('PatchOperation'),
  },
  PatchOperation: {
    ...patchOperation({
      type: ['string', 'integer', 'boolean'],
      description: 'The new value; not for `remove`. Maps and lists are written as text.',
    }),
    description: 'One change of one attribute.',
    examples: [{ op: 'replace', path: '/node_count', value: 4 }],
  },
  ExtendedPatch: {
    type: 'array',
    description:
      'Changes of any attribute that can be changed, with values of any kind, applied in their order, all or none.',
    items: schemaRef('ExtendedPatchOperation'),
  },
  ExtendedPatchOperation: {
    ...patchOperation({
      type: ['string', 'number', 'boolean', 'array', 'object', 'null'],
      description: 'The new value as JSON; null is the same as `remove`.',
    }),
    description: 'One change of one attribute; `add` and `replace` both set it.',
    examples: [{ op: 'replace', path: '/labels', value: { kube_tag: 'v1.31.5' } }],
  },
};

function patchOperation(value: Schema): Schema {
  return {
    type: 'object',
    required: ['op', 'path'],
    additionalProperties: false,
    properties: {
      op: {
        type: 'string',
        enum: ['add', 'replace', 'remove'],
        description: '`add` sets what has no value yet, `replace` changes, `remove` brings back the default.',
      },
      path: {
        type: 'string',
        pattern: String.raw`^(/[\w-]+)+$`,
        description: 'The attribute, such as `/node_count`, or a key of one, such as `/labels/kube_tag`.',
      },
      value,
    },
  };
}
