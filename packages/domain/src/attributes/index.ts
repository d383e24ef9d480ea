export * from './types.ts';
export { isStorableText } from './convert.ts';
export { invalidField, parseAttribute, parseBody, type Parsed } from './parse.ts';
export { clusterAttributes, clusterSpec } from './cluster.ts';
export { clusterTemplateAttributes } from './cluster-template.ts';
export { nodeGroupAttributes, nodeGroupSpec } from './node-group.ts';
export { nodeGroupTemplateAttributes } from './node-group-template.ts';
export {
  certificateAttributes,
  federationAttributes,
  quotaAttributes,
  resizeAttributes,
  upgradeAttributes,
} from './requests.ts';
