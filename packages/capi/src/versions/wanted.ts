import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import { asTag } from './order.ts';

/** The version that an image has, or null where it does not say. */
export type ImageVersion = (image: string) => Promise<string | null>;

/** The version that each group of a cluster should run, by the group's name. */
export type WantedVersions = ReadonlyMap<string, string>;

/** Said of the group, else of the cluster, else by label, else by the image. */
async function wantedVersion(
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
  imageVersion: ImageVersion,
): Promise<string | null> {
  const said =
    group.kubernetesVersion ??
    cluster.kubernetesVersion ??
    group.labels['kube_tag'] ??
    cluster.labels['kube_tag'];
  return said ?? (await imageVersion(group.imageId ?? cluster.imageId));
}

/**
 * The versions wanted. `running` answers what a group runs already, which stands where nothing else says: an image
 * that was deleted must not keep a cluster from being resized.
 */
export async function wantedVersions(
  cluster: DesiredCluster,
  imageVersion: ImageVersion,
  running: (group: DesiredNodeGroup) => string | null,
): Promise<WantedVersions> {
  const wanted = new Map<string, string>();
  for (const group of cluster.nodeGroups.filter(({ deleting }) => !deleting)) {
    const version = (await wantedVersion(cluster, group, imageVersion)) ?? running(group);
    if (version === null) throw new Error(noVersion(cluster, group));
    wanted.set(group.name, asTag(version));
  }
  return wanted;
}

const noVersion = (cluster: DesiredCluster, group: DesiredNodeGroup): string =>
  `no Kubernetes version: the image ${group.imageId ?? cluster.imageId} of node group ${group.name} has no property ` +
  `kube_version; set it, or give kubernetes_version or the label kube_tag.`;
