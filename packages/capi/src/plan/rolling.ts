import type { HeldDeployment } from '../cache/held.ts';
import type { Rendered, RenderedGroup } from '../render/rendered.ts';

/** The part of a MachineDeployment's spec that is looked at here. */
export interface DeploymentSpec {
  replicas?: number;
  template: {
    spec: {
      version: string;
      failureDomain?: string;
      bootstrap: { configRef: { name: string } };
      infrastructureRef: { name: string };
    };
  };
}

export const specOf = (group: RenderedGroup): DeploymentSpec =>
  group.deployment.object.spec as DeploymentSpec;

/** Whether applying a group would replace its nodes. */
export function wouldRoll(group: RenderedGroup, live: HeldDeployment): boolean {
  const { version, failureDomain, bootstrap, infrastructureRef } = specOf(group).template.spec;
  return (
    version !== live.version ||
    (failureDomain ?? null) !== live.failureDomain ||
    bootstrap.configRef.name !== live.bootstrapTemplate ||
    infrastructureRef.name !== live.machineTemplate
  );
}

/** The group with all that would replace its nodes left as it is, so that its size and limits need not wait. */
export function heldBack(group: RenderedGroup, live: HeldDeployment): RenderedGroup {
  const spec = specOf(group);
  const { failureDomain: _, ...template } = spec.template.spec;
  const { version, failureDomain, bootstrapTemplate, machineTemplate } = live;
  const held = {
    ...spec,
    template: {
      ...spec.template,
      spec: {
        ...template,
        version: version ?? template.version,
        ...(failureDomain === null ? {} : { failureDomain }),
        bootstrap: {
          configRef: {
            ...template.bootstrap.configRef,
            name: bootstrapTemplate ?? template.bootstrap.configRef.name,
          },
        },
        infrastructureRef: {
          ...template.infrastructureRef,
          name: machineTemplate ?? template.infrastructureRef.name,
        },
      },
    },
  };
  return { ...group, templates: [], deployment: withSpec(group.deployment, held) };
}

/** The group without its size, which is somebody else's to say from then on. */
export function unsized(group: RenderedGroup): RenderedGroup {
  const { replicas: _, ...spec } = specOf(group);
  return { ...group, deployment: withSpec(group.deployment, spec) };
}

const withSpec = (deployment: Rendered, spec: DeploymentSpec): Rendered => ({
  ...deployment,
  object: { ...deployment.object, spec },
});
