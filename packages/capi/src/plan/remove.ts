import type { DesiredCluster } from '@jeroboam/domain';
import type { Kind } from '@jeroboam/kubernetes';
import type { ClusterObjects, HeldObject } from '../cache/held.ts';
import type { Infrastructure } from '../infrastructure/infrastructure.ts';
import {
  clusters,
  kubeadmConfigTemplates,
  kubeadmControlPlanes,
  machineDeployments,
  machineHealthChecks,
} from '../kinds.ts';
import { inOrder, type RenderedCluster } from '../render/rendered.ts';
import type { ObjectReference } from './plan.ts';

const isStaying = ({ deletingSince }: HeldObject): boolean => deletingSince === null;

const referenceTo =
  (kind: Kind) =>
  ({ name, namespace }: HeldObject): ObjectReference => ({ kind, name, namespace });

/** Groups that are to go, and health checks that nobody wants any more. */
export function unwanted(
  cluster: DesiredCluster,
  live: ClusterObjects,
  rendered: RenderedCluster,
): ObjectReference[] {
  const going = new Set(cluster.nodeGroups.filter(({ deleting }) => deleting).map(({ uuid }) => uuid));
  const wanted = new Set(inOrder(rendered).map(({ kind, object }) => `${kind.kind}/${object.metadata.name}`));
  return [
    ...live.healthChecks
      .filter((check) => isStaying(check) && !wanted.has(`${check.kind}/${check.name}`))
      .map(referenceTo(machineHealthChecks)),
    ...live.deployments
      .filter((deployment) => isStaying(deployment) && going.has(deployment.nodeGroup ?? ''))
      .map(referenceTo(machineDeployments)),
  ];
}

/** Templates that nothing refers to, neither what there is nor what there will be. */
export function unusedTemplates(
  live: ClusterObjects,
  rendered: RenderedCluster,
  infrastructure: Infrastructure,
): ObjectReference[] {
  const used = new Set<string | null>(inOrder(rendered).map(({ object }) => object.metadata.name));
  used.add(live.controlPlane?.machineTemplate ?? null);
  for (const { machineTemplate, bootstrapTemplate } of [...live.deployments, ...live.machineSets])
    used.add(machineTemplate).add(bootstrapTemplate);
  for (const { clonedFrom } of live.parts) used.add(clonedFrom);
  return live.templates
    .filter((template) => isStaying(template) && !used.has(template.name))
    .map((template) => referenceTo(templateKind(template, infrastructure))(template));
}

const templateKind = ({ kind }: HeldObject, { kinds }: Infrastructure): Kind =>
  kind === kinds.machineTemplate.kind ? kinds.machineTemplate : kubeadmConfigTemplates;

/**
 * What is left of a cluster whose root is gone. Most goes with the root by itself; what a broken-off creation left
 * behind belongs to nobody. Single machines are the controllers' to remove.
 */
export function leftovers(live: ClusterObjects, infrastructure: Infrastructure): ObjectReference[] {
  const of = (objects: readonly (HeldObject | null)[], kind: Kind): ObjectReference[] =>
    objects
      .filter((object) => object !== null)
      .filter(isStaying)
      .map(referenceTo(kind));
  return [
    ...of([live.cluster], clusters),
    ...of(live.deployments, machineDeployments),
    ...of([live.controlPlane], kubeadmControlPlanes),
    ...of(live.healthChecks, machineHealthChecks),
    ...of([live.infrastructureCluster], infrastructure.kinds.cluster),
    ...live.templates
      .filter(isStaying)
      .map((template) => referenceTo(templateKind(template, infrastructure))(template)),
  ];
}

/** Anything that is still there of a cluster. */
export const remaining = (live: ClusterObjects): HeldObject[] =>
  [
    live.cluster,
    live.infrastructureCluster,
    live.controlPlane,
    ...live.deployments,
    ...live.machineSets,
    ...live.machines,
    ...live.healthChecks,
    ...live.templates,
    ...live.parts,
  ].filter((object) => object !== null);
