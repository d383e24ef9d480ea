import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import { contentHash } from './content-hash.ts';

/**
 * Names of clusters and groups become parts of the names of machine sets, machines and hosts, which may have 63
 * characters: thirty for the cluster and fifteen for the group leave room for what Cluster API adds.
 */
const clusterPrefixLength = 17;
const groupLength = 15;
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A name for a cluster: the beginning of its own, and twelve characters that make it unique. */
export function drawClusterName(name: string, random: () => number): string {
  const suffix = Array.from({ length: 12 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  const prefix = safe(name)
    .replace(/^[^a-z]+/, '')
    .slice(0, clusterPrefixLength)
    .replace(/-+$/, '');
  return `${prefix === '' ? 'cluster' : prefix}-${suffix}`;
}

const safe = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-');

/** The namespace of a project. */
export const namespaceOf = (cluster: Pick<DesiredCluster, 'projectId'>): string =>
  `magnum-${cluster.projectId.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`;

/** The name of a cluster's objects. */
export function clusterNameOf(cluster: DesiredCluster): string {
  if (cluster.stackId === null)
    throw new Error(`The cluster ${cluster.name} has no name in the back end yet.`);
  return cluster.stackId;
}

export const controlPlaneSlug = 'control-plane';

/** A group within the names of objects: its own name where that can be, else the beginning of it and a hash. */
export function groupSlug(group: Pick<DesiredNodeGroup, 'name' | 'role'>): string {
  if (group.role === 'master') return controlPlaneSlug;
  const { name } = group;
  const fits = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name) && name.length <= groupLength;
  if (fits && name !== controlPlaneSlug) return name;
  const prefix = safe(name)
    .replace(/^-+/, '')
    .slice(0, groupLength - 7)
    .replace(/-+$/, '');
  return `${prefix === '' ? 'group' : prefix}-${contentHash(name).slice(0, 6)}`;
}

export const groupObjectName = (
  cluster: DesiredCluster,
  group: Pick<DesiredNodeGroup, 'name' | 'role'>,
): string => `${clusterNameOf(cluster)}-${groupSlug(group)}`;

/** Templates never change: another content is another name. */
export const templateName = (base: string, content: unknown): string => `${base}-${contentHash(content)}`;
