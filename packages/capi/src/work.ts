import type {
  ApplyOptions,
  ClusterAuthorities,
  DesiredCluster,
  DesiredNodeGroup,
  ObservedCluster,
  ObserveOptions,
} from '@jeroboam/domain';
import { masterRole } from '@jeroboam/domain';
import { KubeError } from '@jeroboam/kubernetes';
import type { ClusterObjects, HeldCluster } from './cache/held.ts';
import type { Infrastructure } from './infrastructure/infrastructure.ts';
import { clusters } from './kinds.ts';
import { applyObjects, carryOut, removeObjects } from './management/apply.ts';
import { placeAuthorities, removeAuthorities } from './management/authority-secrets.ts';
import {
  claimNamespace,
  ensureNamespace,
  isLeavingNamespace,
  releaseNamespace,
} from './management/namespace.ts';
import type { Session } from './management/session.ts';
import { clusterNameOf, namespaceOf } from './names.ts';
import { absent, observeCluster, observeLeaving } from './observe/observe-cluster.ts';
import { planCluster } from './plan/plan-cluster.ts';
import { isDue, type Plan } from './plan/plan.ts';
import { leftovers, remaining } from './plan/remove.ts';
import { deploymentOf } from './plan/versions.ts';
import { wantedVersions, type ImageVersion, type WantedVersions } from './versions/wanted.ts';

/** What work on clusters needs beside the management cluster. */
export interface Tools {
  infrastructure: Infrastructure;
  /** The Kubernetes version of an image, by its property `kube_version`. */
  imageVersion: ImageVersion;
  /** Makes the API server of a cluster, which listens where we are not, reachable on loopback; answers the port. */
  openEndpoint?: (port: number) => Promise<number>;
  log?: (message: string) => void;
}

type Hints = Pick<ApplyOptions, 'nodesToRemove' | 'maxBatchSize'>;
const noHints: Hints = { nodesToRemove: [], maxBatchSize: null };

/** A step may make another one due; what is not done after so many waits for news. */
const stepsAtOnce = 3;
const namespaceAttempts = 3;

/** The version that a group is to have already. */
export function runningVersion(
  live: ClusterObjects,
  cluster: DesiredCluster,
  group: DesiredNodeGroup,
): string | null {
  if (group.role === masterRole) return live.controlPlane?.version ?? null;
  return cluster.stackId === null ? null : (deploymentOf(live, cluster, group)?.version ?? null);
}

export const versionsFor = (
  { imageVersion }: Tools,
  cluster: DesiredCluster,
  live: ClusterObjects,
): Promise<WantedVersions> =>
  wantedVersions(cluster, imageVersion, (group) => runningVersion(live, cluster, group));

/** All that is done to clusters in a management cluster. Every method may be called again after it was broken off. */
export class ClusterWork {
  readonly #session: Session;
  readonly #tools: Tools;

  constructor(session: Session, tools: Tools) {
    this.#session = session;
    this.#tools = tools;
  }

  async create(cluster: DesiredCluster, authorities: () => Promise<ClusterAuthorities>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#settleIn(cluster, authorities);
        break;
      } catch (error) {
        // The last cluster of the project may be going at this very moment, and the namespace with it.
        if (!isLeavingNamespace(error) || attempt >= namespaceAttempts) throw error;
      }
    }
    await this.#makeSo(cluster, noHints);
  }

  /** Makes the namespace and places in it what must be there before the cluster. */
  async #settleIn(cluster: DesiredCluster, authorities: () => Promise<ClusterAuthorities>): Promise<void> {
    const namespace = namespaceOf(cluster);
    await ensureNamespace(this.#session, namespace);
    await placeAuthorities(this.#session, cluster, authorities);
    await claimNamespace(this.#session, namespace);
  }

  async apply(cluster: DesiredCluster, hints: Hints): Promise<void> {
    if ((await this.#find(cluster)) === null)
      throw new Error(`The cluster ${cluster.name} does not exist in the management cluster.`);
    await this.#makeSo(cluster, hints);
  }

  async delete(cluster: DesiredCluster): Promise<void> {
    const { client, cache } = this.#session;
    const existed = await client.delete(clusters, clusterNameOf(cluster), namespaceOf(cluster));
    if (existed) return;
    await removeObjects(this.#session, leftovers(cache.of(cluster.uuid), this.#tools.infrastructure));
  }

  async observe(cluster: DesiredCluster, options: ObserveOptions): Promise<ObservedCluster> {
    const { cache } = this.#session;
    if (!options.working) {
      const { cluster: root } = cache.of(cluster.uuid);
      return root === null ? absent : this.#seen(cluster, null);
    }
    // That it was told to go may not have been heard yet, and then it would pass for one that nobody deleted.
    const root = options.verb === 'DELETE' ? await this.#ask(cluster) : await this.#find(cluster);
    if (root === null) return this.#tidyUp(cluster);
    return root.deletingSince === null ? this.#goOn(cluster, options) : this.#seen(cluster, null);
  }

  /** The root of a cluster; the server is asked where nothing was heard of it, since news may be late. */
  async #find(cluster: DesiredCluster): Promise<HeldCluster | null> {
    return this.#session.cache.of(cluster.uuid).cluster ?? this.#ask(cluster);
  }

  async #ask(cluster: DesiredCluster): Promise<HeldCluster | null> {
    const { client, cache } = this.#session;
    const found = await client.get(clusters, clusterNameOf(cluster), namespaceOf(cluster));
    if (found === null) return null;
    this.#session.keep(clusters, found);
    return cache.of(cluster.uuid).cluster;
  }

  async #plan(cluster: DesiredCluster, { nodesToRemove, maxBatchSize }: Hints): Promise<Plan> {
    const live = this.#session.cache.of(cluster.uuid);
    const { infrastructure } = this.#tools;
    const wanted = await versionsFor(this.#tools, cluster, live);
    return planCluster({ cluster, wanted, live, infrastructure, nodesToRemove, maxBatchSize });
  }

  async #makeSo(cluster: DesiredCluster, hints: Hints): Promise<void> {
    const plan = await this.#plan(cluster, hints);
    await carryOut(this.#session, plan);
    // What others changed where we do not look is put right as well, after what is urgent.
    await applyObjects(this.#session, plan.standing);
  }

  /** Takes the steps that are due by now, and looks. */
  async #goOn(cluster: DesiredCluster, hints: Hints): Promise<ObservedCluster> {
    let plan = await this.#plan(cluster, hints);
    for (let step = 0; isDue(plan) && step < stepsAtOnce; step += 1) {
      try {
        await carryOut(this.#session, plan);
      } catch (error) {
        if (!(error instanceof KubeError) || error.passing || error.conflict) throw error;
        return { ...(await this.#seen(cluster, plan)), phase: 'FAILED', reason: error.message };
      }
      plan = await this.#plan(cluster, hints);
    }
    return this.#seen(cluster, plan);
  }

  async #seen(cluster: DesiredCluster, plan: Plan | null): Promise<ObservedCluster> {
    const live = this.#session.cache.of(cluster.uuid);
    if (live.cluster === null || live.cluster.deletingSince !== null) return observeLeaving(live);
    const apiAddress = await this.#addressOf(live.cluster);
    return observeCluster(cluster, live.cluster, live, { plan, apiAddress });
  }

  async #addressOf({ endpoint }: HeldCluster): Promise<string | null> {
    if (endpoint === null) return null;
    const { openEndpoint, log } = this.#tools;
    if (openEndpoint === undefined) return `https://${endpoint.host}:${endpoint.port}`;
    try {
      return `https://127.0.0.1:${await openEndpoint(endpoint.port)}`;
    } catch (error) {
      // A cluster that works is not ill because its address could not be opened here; the next look tries again.
      log?.(`The API of a cluster cannot be reached on loopback: ${String(error)}`);
      return null;
    }
  }

  /** Removes what is left of a cluster whose root is gone, and at last what was placed before it. */
  async #tidyUp(cluster: DesiredCluster): Promise<ObservedCluster> {
    const live = this.#session.cache.of(cluster.uuid);
    await removeObjects(this.#session, leftovers(live, this.#tools.infrastructure));
    if (remaining(live).length > 0) return observeLeaving(live);
    await removeAuthorities(this.#session, cluster);
    await releaseNamespace(this.#session, namespaceOf(cluster));
    return absent;
  }
}
