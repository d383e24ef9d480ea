import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import { apiVersionOf, type Kind, type KubeObject, type ObjectMeta } from '@jeroboam/kubernetes';
import {
  clusterLabel,
  clusterNameAnnotation,
  managedByLabel,
  manager,
  nodeGroupLabel,
  nodeGroupNameAnnotation,
} from '../markers.ts';
import { namespaceOf } from '../names.ts';

/** What an object is to its cluster, in the order in which the objects must come to be. */
export const stages = [
  'template',
  'infrastructure',
  'cluster',
  'control-plane',
  'node-group',
  'health-check',
] as const;

export type Stage = (typeof stages)[number];

/** An object as it should be, and where it is served. */
export interface Rendered {
  stage: Stage;
  kind: Kind;
  object: KubeObject;
}

/** All of a cluster that is applied, in the parts that may have to wait for one another. */
export interface RenderedCluster {
  infrastructureCluster: Rendered;
  cluster: Rendered;
  controlPlane: RenderedControlPlane;
  groups: readonly RenderedGroup[];
}

/** Templates are those that the rest refers to and that must be there before it. */
export interface RenderedControlPlane {
  templates: readonly Rendered[];
  controlPlane: Rendered;
  healthCheck: Rendered | null;
}

export interface RenderedGroup {
  group: DesiredNodeGroup;
  templates: readonly Rendered[];
  deployment: Rendered;
  healthCheck: Rendered | null;
}

/** The labels of all that belongs to a cluster, or to one of its groups. */
export const ownLabels = (
  cluster: DesiredCluster,
  group: DesiredNodeGroup | null,
): Record<string, string> => ({
  [managedByLabel]: manager,
  [clusterLabel]: cluster.uuid,
  ...(group === null ? {} : { [nodeGroupLabel]: group.uuid }),
});

const ownAnnotations = (cluster: DesiredCluster, group: DesiredNodeGroup | null): Record<string, string> => ({
  [clusterNameAnnotation]: cluster.name,
  ...(group === null ? {} : { [nodeGroupNameAnnotation]: group.name }),
});

/** An object of a cluster, or of one of its groups. */
export function rendered(
  stage: Stage,
  kind: Kind,
  name: string,
  { cluster, group = null }: { cluster: DesiredCluster; group?: DesiredNodeGroup | null },
  spec: unknown,
  more: Pick<ObjectMeta, 'labels' | 'annotations'> = {},
): Rendered {
  const metadata: ObjectMeta = {
    name,
    namespace: namespaceOf(cluster),
    labels: { ...ownLabels(cluster, group), ...more.labels },
    annotations: { ...ownAnnotations(cluster, group), ...more.annotations },
  };
  return { stage, kind, object: { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec } };
}

/** How objects of v1beta2 name each other. */
export const reference = (target: Rendered): { apiGroup: string; kind: string; name: string } => ({
  apiGroup: target.kind.group,
  kind: target.kind.kind,
  name: target.object.metadata.name,
});

/** All objects of a cluster, stage by stage. */
export const inOrder = ({
  infrastructureCluster,
  cluster,
  controlPlane,
  groups,
}: RenderedCluster): Rendered[] => [
  ...[controlPlane, ...groups].flatMap(({ templates }) => templates),
  infrastructureCluster,
  cluster,
  controlPlane.controlPlane,
  ...groups.map((group) => group.deployment),
  ...[controlPlane, ...groups].flatMap(({ healthCheck }) => (healthCheck === null ? [] : [healthCheck])),
];
