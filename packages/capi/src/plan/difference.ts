import type { HeldObject, ClusterObjects } from '../cache/held.ts';
import { contentHash } from '../content-hash.ts';
import { renderedAnnotation } from '../markers.ts';
import type { Rendered, Stage } from '../render/rendered.ts';
import type { DeploymentSpec } from './rolling.ts';

/** The object with a note of what it was rendered as. */
export function noted(rendered: Rendered): Rendered {
  const { object } = rendered;
  const { annotations } = object.metadata;
  const hash = contentHash(object);
  return {
    ...rendered,
    object: {
      ...object,
      metadata: { ...object.metadata, annotations: { ...annotations, [renderedAnnotation]: hash } },
    },
  };
}

const same = (live: HeldObject | null | undefined, { object }: Rendered): boolean =>
  live !== null && live !== undefined && live.rendered === object.metadata.annotations?.[renderedAnnotation];

/** Whether an object must be applied: it is not there, we would say something else, or others changed what counts. */
export function differs(rendered: Rendered, live: ClusterObjects): boolean {
  const { name } = rendered.object.metadata;
  const named = <T extends HeldObject>(objects: readonly T[]): T | undefined =>
    objects.find((object) => object.name === name && object.kind === rendered.kind.kind);
  const differences: Record<Stage, () => boolean> = {
    // Its name says what is in it.
    template: () => named(live.templates) === undefined,
    infrastructure: () => !same(live.infrastructureCluster, rendered),
    cluster: () => !same(live.cluster, rendered),
    'control-plane': () => !same(live.controlPlane, rendered) || controlPlaneDiffers(rendered, live),
    'node-group': () => !same(named(live.deployments), rendered) || deploymentDiffers(rendered, live),
    'health-check': () => !same(named(live.healthChecks), rendered),
  };
  return differences[rendered.stage]();
}

function controlPlaneDiffers({ object }: Rendered, { controlPlane }: ClusterObjects): boolean {
  const { replicas, version } = object.spec as { replicas: number; version: string };
  return controlPlane?.replicas.wanted !== replicas || controlPlane.version !== version;
}

function deploymentDiffers({ object }: Rendered, { deployments }: ClusterObjects): boolean {
  const live = deployments.find(({ name }) => name === object.metadata.name);
  const { replicas, template } = object.spec as DeploymentSpec;
  if (replicas !== undefined && live?.replicas.wanted !== replicas) return true;
  return live?.version !== template.spec.version;
}
