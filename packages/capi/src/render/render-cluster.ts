import type { DesiredCluster, DesiredNodeGroup } from '@jeroboam/domain';
import { masterRole } from '@jeroboam/domain';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import { renderInfrastructureCluster, renderRoot } from './cluster.ts';
import { renderControlPlane } from './control-plane.ts';
import { renderNodeGroup } from './node-group.ts';
import type { RenderedCluster } from './rendered.ts';

export interface RenderOptions {
  infrastructure: Infrastructure;
  /** The version of each group, by name. */
  versions: ReadonlyMap<string, string>;
  /** How many nodes of a group may be replaced at once. */
  batch: number;
  /** The spec of the infrastructure's cluster as it is; null: there is none yet. */
  liveInfrastructure: unknown;
}

/** The group that is the control plane; Cluster API knows exactly one. */
export function controlPlaneOf(cluster: DesiredCluster): DesiredNodeGroup {
  const masters = cluster.nodeGroups.find(({ role }) => role === masterRole);
  if (masters === undefined) throw new Error(`The cluster ${cluster.name} has no control plane.`);
  return masters;
}

/** The groups of workers that are there to stay. */
export const workersOf = (cluster: DesiredCluster): DesiredNodeGroup[] =>
  cluster.nodeGroups.filter(({ role, deleting }) => role !== masterRole && !deleting);

/** A whole cluster as objects: the same input always gives the same objects under the same names. */
export function renderCluster(cluster: DesiredCluster, options: RenderOptions): RenderedCluster {
  const { infrastructure, versions, batch } = options;
  const versionOf = (group: DesiredNodeGroup): string => {
    const version = versions.get(group.name);
    if (version === undefined) throw new Error(`No version is known for node group ${group.name}.`);
    return version;
  };
  const masters = controlPlaneOf(cluster);
  const infrastructureCluster = renderInfrastructureCluster(
    cluster,
    infrastructure,
    options.liveInfrastructure,
  );
  const controlPlane = renderControlPlane(cluster, masters, infrastructure, versionOf(masters));
  return {
    infrastructureCluster,
    cluster: renderRoot(cluster, { infrastructureCluster, controlPlane: controlPlane.controlPlane }),
    controlPlane,
    groups: workersOf(cluster).map((group) =>
      renderNodeGroup(cluster, group, infrastructure, { version: versionOf(group), batch }),
    ),
  };
}
