import { Fault } from '@jeroboam/domain';
import { KubeError, namespaces } from '@jeroboam/kubernetes';
import { isLeavingNamespace } from '../management/namespace.ts';
import type { Session } from '../management/session.ts';
import { manager } from '../markers.ts';
import type { Plan } from '../plan/plan.ts';
import type { Rendered } from '../render/rendered.ts';

/** Where objects are tried out whose own namespace is not made yet, or is going: one that every cluster has. */
const anyNamespace = 'default';

/**
 * Lets the management cluster try what would be applied, and keep nothing: schema, defaults and webhooks are asked.
 * Whether it could be asked at all is no reason to refuse.
 */
export async function dryRun(session: Session, { apply }: Plan, namespace: string): Promise<Fault[]> {
  if (apply.length === 0) return [];
  const found = await session.client.get(namespaces, namespace);
  const isThere = found !== null && found.metadata.deletionTimestamp === undefined;
  const answers = await Promise.all(
    apply.map((rendered) => tryOut(session, rendered, isThere ? namespace : anyNamespace)),
  );
  return answers.filter((fault) => fault !== null);
}

async function tryOut(
  { client }: Session,
  { kind, object }: Rendered,
  namespace: string,
): Promise<Fault | null> {
  const tried = { ...object, metadata: { ...object.metadata, namespace } };
  try {
    await client.apply(kind, tried, { fieldManager: manager, force: true, dryRun: true });
    return null;
  } catch (error) {
    if (!(error instanceof KubeError) || error.status < 400 || error.status >= 500 || error.status === 429)
      throw error;
    // It went between the look and the try; whoever makes the cluster waits for that.
    if (isLeavingNamespace(error)) return null;
    const said = `${kind.kind} ${object.metadata.name}: ${error.message}`;
    return new Fault(error.conflict ? 'conflict' : 'invalid_input', said, { cause: error });
  }
}
