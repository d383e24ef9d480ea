export * from './types.ts';
export {
  draftOf,
  emptyDraft,
  open,
  overlay,
  type Draft,
  type Origin,
  type Origins,
  type Values,
} from './draft.ts';
export {
  clusterDraftOf,
  emptyClusterDraft,
  overlayCluster,
  type ClusterDraft,
  type GroupDraft,
} from './cluster-draft.ts';
export { follows, inheritedBy } from './inheritance.ts';
export {
  resolveCluster,
  resolveNodeGroup,
  type ResolvedCluster,
  type ResolvedGroup,
  type ResolvedNodeGroup,
  type ResolveSettings,
} from './resolve.ts';
export {
  clusterContradictions,
  groupContradictions,
  requestContradictions,
  skewContradictions,
} from './contradictions.ts';
export { groupField } from './missing.ts';
export {
  clusterAsSource,
  clusterForGroups,
  clusterTemplateAsSource,
  isControlPlane,
  nodeGroupAsSource,
  nodeGroupTemplateAsSource,
} from './sources.ts';
export {
  clusterRequest,
  clusterTemplateRequest,
  magnumClusterRequest,
  magnumNodeGroupRequest,
  nodeGroupRequest,
  requestedGroups,
  usesExtensions,
  withGroups,
  type RequestedGroup,
  type RequestedGroups,
} from './requests.ts';
export {
  clusterTemplateContradictions,
  groupTemplateContradictions,
  templateOfCluster,
  templateOfGroup,
  type TemplateOfCluster,
  type TemplateOfGroup,
} from './templates.ts';
export { overlayClusters } from './cluster-draft.ts';
