import { KubeError } from '@jeroboam/kubernetes';
import { machines } from '../kinds.ts';
import { deleteMachineAnnotation, manager } from '../markers.ts';
import type { ObjectReference, Plan } from '../plan/plan.ts';
import { stages, type Rendered } from '../render/rendered.ts';
import type { Session } from './session.ts';

/**
 * Applies an object. What is in it is ours, so whoever else set it is overruled; what others own, such as sizes under
 * autoscaling and the endpoint, is never in it.
 */
export async function applyObject(session: Session, { kind, object }: Rendered): Promise<void> {
  session.keep(kind, await session.client.apply(kind, object, { fieldManager: manager, force: true }));
}

/** Stage after stage, since later objects refer to earlier ones; within a stage all at once. */
export async function applyObjects(session: Session, objects: readonly Rendered[]): Promise<void> {
  for (const stage of stages) {
    const due = objects.filter((object) => object.stage === stage);
    await Promise.all(due.map((object) => applyObject(session, object)));
  }
}

/** Takes the steps of a plan that are due. */
export async function carryOut(session: Session, plan: Plan): Promise<void> {
  await Promise.all(
    plan.choose.map(async ({ name, namespace }) => {
      const patch = { metadata: { annotations: { [deleteMachineAnnotation]: manager } } };
      try {
        session.keep(machines, await session.client.mergePatch(machines, name, namespace, patch));
      } catch (error) {
        // A machine that is gone already has been chosen by somebody else.
        if (!(error instanceof KubeError && error.notFound)) throw error;
      }
    }),
  );
  await applyObjects(session, plan.apply);
  await removeObjects(session, plan.remove);
}

export async function removeObjects(session: Session, objects: readonly ObjectReference[]): Promise<void> {
  await Promise.all(objects.map(({ kind, name, namespace }) => session.client.delete(kind, name, namespace)));
}
