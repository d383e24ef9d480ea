import { randomUUID } from 'node:crypto';
import { KubeError, namespaces, objectPath, secrets, type KubeObject } from '@jeroboam/kubernetes';
import { clusters } from '../kinds.ts';
import { capiClusterLabel, claimAnnotation, managedByLabel, manager } from '../markers.ts';
import type { Session } from './session.ts';

/** A namespace that is being removed takes so long at most, or something is wrong with it. */
const removalLimitMs = 60_000;
const leaving = 'NamespaceTerminating';
const pauseMs = { first: 100, most: 2_000 };

/** Makes sure that the namespace is there to stay, waiting for one of that name that is on its way out. */
export async function ensureNamespace({ client }: Session, name: string): Promise<void> {
  const deadline = Date.now() + removalLimitMs;
  for (let pause = pauseMs.first; ; pause = Math.min(pauseMs.most, pause * 2)) {
    const namespace = await client.apply<KubeObject>(
      namespaces,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [managedByLabel]: manager } } },
      { fieldManager: manager },
    );
    if (namespace.metadata.deletionTimestamp === undefined) return;
    if (Date.now() > deadline)
      throw new Error(
        `The namespace ${name} has been on its way out for more than a minute: see what keeps it.`,
      );
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Whether something was refused because its namespace is on its way out. */
export const isLeavingNamespace = (error: unknown): boolean =>
  error instanceof KubeError &&
  (error.reason === leaving || (error.status === 403 && error.message.includes('is being terminated')));

/**
 * Says that a cluster has begun to be made in a namespace. Whoever wants to remove the namespace as empty has read it
 * before looking into it, and is refused when it was claimed since: see {@link releaseNamespace}.
 */
export async function claimNamespace({ client }: Session, name: string): Promise<void> {
  const patch = { metadata: { annotations: { [claimAnnotation]: randomUUID() } } };
  const namespace = await client.mergePatch<KubeObject>(namespaces, name, undefined, patch);
  if (namespace.metadata.deletionTimestamp !== undefined)
    throw new KubeError(503, leaving, `the namespace ${name} is being removed just now`);
}

/** Removes a namespace of ours when no cluster is in it. */
export async function releaseNamespace({ client, cache }: Session, name: string): Promise<void> {
  if (!cache.isEmpty(name)) return;
  const namespace = await client.get<KubeObject>(namespaces, name);
  if (namespace === null || namespace.metadata.deletionTimestamp !== undefined) return;
  if (namespace.metadata.labels?.[managedByLabel] !== manager) return;
  const there = await Promise.all([
    client.list(clusters, { namespace: name }),
    client.list(
      secrets,
      { namespace: name, labelSelector: capiClusterLabel },
      (object) => object.metadata.name,
    ),
  ]);
  if (there.some(({ items }) => items.length > 0)) return;
  const { uid, resourceVersion } = namespace.metadata;
  try {
    await client.request({
      method: 'DELETE',
      path: objectPath(namespaces, name),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } },
    });
  } catch (error) {
    // Claimed or removed meanwhile: both are as good.
    if (!(error instanceof KubeError && (error.conflict || error.notFound))) throw error;
  }
}
