import {
  BaseDriver,
  Fault,
  oddMasterSize,
  type ApplyOptions,
  type Availability,
  type ClusterAuthorities,
  type ClusterType,
  type DesiredCluster,
  type DesiredNodeGroup,
  type DriverCapabilities,
  type ObservedCluster,
  type ObservedMachine,
  type ObserveOptions,
} from '@jeroboam/domain';
import { KubeError, type KubeAccess } from '@jeroboam/kubernetes';
import type { ClusterObjects, HeldCluster } from './cache/held.ts';
import type { Infrastructure } from './infrastructure/infrastructure.ts';
import { clusters } from './kinds.ts';
import { applyObjects, carryOut, removeObjects } from './management/apply.ts';
import { placeAuthorities, removeAuthorities } from './management/authority-secrets.ts';
import { claimNamespace, ensureNamespace, releaseNamespace } from './management/namespace.ts';
import { Session } from './management/session.ts';
import { clusterNameOf, drawClusterName, namespaceOf } from './names.ts';
import { observedMachines } from './observe/machines.ts';
import { absent, observeCluster, observeLeaving } from './observe/observe-cluster.ts';
import { planCluster } from './plan/plan-cluster.ts';
import { isDue, type Plan } from './plan/plan.ts';
import { leftovers, remaining } from './plan/remove.ts';
import { deploymentOf } from './plan/versions.ts';
import { dryRun } from './refusals/dry-run.ts';
import { etcdRefusals } from './refusals/etcd-health.ts';
import {
  removalRefusals,
  sizeRefusals,
  strategyRefusals,
  versionRefusals,
  type Change,
} from './refusals/rules.ts';
import { wantedVersions, type ImageVersion, type WantedVersions } from './versions/wanted.ts';

export interface ClusterApiDriverOptions {
  name: string;
  infrastructure: Infrastructure;
  /** The management cluster, where it is known from the start; else it is given later with `connect`. */
  access?: KubeAccess;
  /** Makes the API server of a cluster, which listens where we are not, reachable on loopback; answers the port. */
  openEndpoint?: (port: number) => Promise<number>;
  /** The Kubernetes version of an image, by its property `kube_version`. */
  imageVersion: ImageVersion;
  provides?: readonly ClusterType[];
  log?: (message: string) => void;
  random?: () => number;
}

const systems = ['ubuntu', 'ubuntu-focal', 'flatcar', 'rockylinux', 'debian'];
const largestControlPlane = 7;
/** How long a caller waits for the management cluster to be read; after a start that is soon. */
const readLimitMs = 10_000;
/** A step may make another one due; what is not done after so many waits for news. */
const stepsAtOnce = 3;

/** Makes clusters through Cluster API: writes what should be into a management cluster, and watches what becomes of it. */
export class ClusterApiDriver extends BaseDriver {
  readonly name: string;
  readonly provides: readonly ClusterType[];
  override readonly capabilities: DriverCapabilities = {
    controlPlaneResize: true,
    rotateCaCertificates: false,
    rotateCredential: false,
    upgrade: true,
  };
  readonly #options: ClusterApiDriverOptions;
  readonly #listeners = new Set<(cluster: string | null) => void>();
  #session: Session | null = null;
  #unavailable = 'No management cluster is connected yet.';

  constructor(options: ClusterApiDriverOptions) {
    super();
    this.#options = options;
    this.name = options.name;
    this.provides = options.provides ?? systems.map((os) => ({ serverType: 'vm', os, coe: 'kubernetes' }));
    if (options.access !== undefined) this.connect(options.access);
  }

  /** Uses a management cluster from now on. */
  connect(access: KubeAccess): void {
    this.close();
    this.#session = new Session({
      access,
      kinds: this.#options.infrastructure.kinds,
      changed: (cluster) => this.#tell(cluster),
      log: this.#options.log ?? (() => undefined),
    });
  }

  /** Says why there is no management cluster, such as that it is being built. */
  unavailable(reason: string): void {
    this.close();
    this.#unavailable = reason;
  }

  close(): void {
    this.#session?.close();
    this.#session = null;
  }

  override availability(): Availability {
    const reason = this.#session === null ? this.#unavailable : this.#session.trouble;
    return reason === null ? { ready: true } : { ready: false, reason };
  }

  override watch(changed: (cluster: string | null) => void): () => void {
    // The same function may be given twice and must then be ended twice.
    const listener = (cluster: string | null): void => changed(cluster);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  override validateMasterSize(size: number): string | null {
    if (size > largestControlPlane)
      return `master nodegroup size of ${size} is invalid, size cannot be above ${largestControlPlane}.`;
    return oddMasterSize(size);
  }

  override validateMasterResize(size: number): string | null {
    return this.validateMasterSize(size);
  }

  override async refusals(change: Change): Promise<readonly Fault[]> {
    const { after } = change;
    const live = this.#session?.cache.of(after.uuid) ?? emptyCluster;
    const faults = [...sizeRefusals(change), ...strategyRefusals(change), ...etcdRefusals(change, live)];
    const isKnown = this.availability().ready;
    if (isKnown) faults.push(...removalRefusals(change, live));
    let wanted: WantedVersions;
    try {
      wanted = await this.#wanted(after, live);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return [...faults, new Fault('invalid_input', message, { field: 'kubernetes_version' })];
    }
    faults.push(...versionRefusals(change, wanted, (group) => running(live, after, group)));
    if (faults.length > 0 || !isKnown || this.#session === null) return faults;
    const named =
      after.stackId === null ? { ...after, stackId: drawClusterName(after.name, () => 0) } : after;
    const plan = this.#plan(named, wanted, live, { nodesToRemove: [], maxBatchSize: null });
    try {
      return await dryRun(this.#session, plan, namespaceOf(after));
    } catch (error) {
      if (!(error instanceof KubeError && error.passing)) throw error;
      this.#options.log?.(`What was asked of ${after.name} could not be tried out: ${error.message}`);
      return [];
    }
  }

  override machines(cluster: DesiredCluster): Promise<readonly ObservedMachine[]> {
    return Promise.resolve(
      this.#session === null ? [] : observedMachines(cluster, this.#session.cache.of(cluster.uuid)),
    );
  }

  async prepareCluster(cluster: DesiredCluster): Promise<{ stackId: string }> {
    await this.#wanted(cluster, emptyCluster);
    return { stackId: drawClusterName(cluster.name, this.#options.random ?? Math.random) };
  }

  createCluster(cluster: DesiredCluster, authorities: () => Promise<ClusterAuthorities>): Promise<void> {
    return this.#using(async (session) => {
      const namespace = namespaceOf(cluster);
      await ensureNamespace(session, namespace);
      await placeAuthorities(session, cluster, authorities);
      await claimNamespace(session, namespace);
      await this.#apply(session, cluster, { nodesToRemove: [], maxBatchSize: null });
    });
  }

  applyCluster(cluster: DesiredCluster, options: ApplyOptions): Promise<void> {
    return this.#using(async (session) => {
      if ((await this.#find(session, cluster)) === null)
        throw new Error(`The cluster ${cluster.name} does not exist in the management cluster.`);
      await this.#apply(session, cluster, options);
    });
  }

  deleteCluster(cluster: DesiredCluster): Promise<void> {
    if (cluster.stackId === null) return Promise.resolve();
    return this.#using(async (session) => {
      const existed = await session.client.delete(clusters, clusterNameOf(cluster), namespaceOf(cluster));
      if (!existed)
        await removeObjects(session, leftovers(session.cache.of(cluster.uuid), this.#options.infrastructure));
    });
  }

  observeCluster(cluster: DesiredCluster, options: ObserveOptions): Promise<ObservedCluster> {
    if (cluster.stackId === null) return Promise.resolve(absent);
    return this.#using(async (session) => {
      const root = options.working
        ? await this.#find(session, cluster)
        : session.cache.of(cluster.uuid).cluster;
      if (root === null) return options.working ? this.#tidyUp(session, cluster) : absent;
      if (root.deletingSince !== null) return observeLeaving(session.cache.of(cluster.uuid));
      return this.#look(session, cluster, options);
    });
  }

  #tell(cluster: string | null): void {
    for (const listener of this.#listeners) listener(cluster);
  }

  /** Works with the management cluster; that it is away is told as what passes. */
  async #using<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = this.#session;
    if (session === null) throw new Fault('cloud_unavailable', this.#unavailable);
    await this.#read(session);
    try {
      return await work(session);
    } catch (error) {
      if (!(error instanceof KubeError && error.passing)) throw error;
      throw new Fault('cloud_unavailable', `The management cluster: ${error.message}`, { cause: error });
    }
  }

  async #read(session: Session): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), readLimitMs);
    });
    const outcome = await Promise.race([session.synced, limit]);
    clearTimeout(timer);
    if (outcome === 'late')
      throw new Fault('cloud_unavailable', session.trouble ?? 'The management cluster is being read.');
  }

  /** The root of a cluster; the server is asked where nothing was heard of it, since news may be late. */
  async #find(session: Session, cluster: DesiredCluster): Promise<HeldCluster | null> {
    const known = session.cache.of(cluster.uuid).cluster;
    if (known !== null) return known;
    const found = await session.client.get(clusters, clusterNameOf(cluster), namespaceOf(cluster));
    if (found === null) return null;
    session.keep(clusters, found);
    return session.cache.of(cluster.uuid).cluster;
  }

  #wanted(cluster: DesiredCluster, live: ClusterObjects): Promise<WantedVersions> {
    return wantedVersions(cluster, this.#options.imageVersion, (group) => running(live, cluster, group));
  }

  #plan(
    cluster: DesiredCluster,
    wanted: WantedVersions,
    live: ClusterObjects,
    { nodesToRemove, maxBatchSize }: Pick<ApplyOptions, 'nodesToRemove' | 'maxBatchSize'>,
  ): Plan {
    const { infrastructure } = this.#options;
    return planCluster({ cluster, wanted, live, infrastructure, nodesToRemove, maxBatchSize });
  }

  async #apply(
    session: Session,
    cluster: DesiredCluster,
    options: Pick<ApplyOptions, 'nodesToRemove' | 'maxBatchSize'>,
  ): Promise<void> {
    const live = session.cache.of(cluster.uuid);
    const plan = this.#plan(cluster, await this.#wanted(cluster, live), live, options);
    await carryOut(session, plan);
    // What others changed where we do not look is put right as well, after what is urgent.
    await applyObjects(session, plan.standing);
  }

  async #look(session: Session, cluster: DesiredCluster, options: ObserveOptions): Promise<ObservedCluster> {
    let plan: Plan | null = null;
    for (let step = 0; options.working && step < stepsAtOnce; step += 1) {
      const live = session.cache.of(cluster.uuid);
      plan = this.#plan(cluster, await this.#wanted(cluster, live), live, options);
      if (!isDue(plan)) break;
      try {
        await carryOut(session, plan);
      } catch (error) {
        if (!(error instanceof KubeError) || error.passing || error.conflict) throw error;
        return this.#seen(session, cluster, plan, error.message);
      }
    }
    return this.#seen(session, cluster, plan, null);
  }

  async #seen(
    session: Session,
    cluster: DesiredCluster,
    plan: Plan | null,
    refusal: string | null,
  ): Promise<ObservedCluster> {
    const live = session.cache.of(cluster.uuid);
    if (live.cluster === null) return observeLeaving(live);
    const apiAddress = await this.#addressOf(live.cluster);
    const seen = observeCluster(cluster, live.cluster, live, { plan, apiAddress });
    return refusal === null ? seen : { ...seen, phase: 'FAILED', reason: refusal };
  }

  async #addressOf({ endpoint }: HeldCluster): Promise<string | null> {
    if (endpoint === null) return null;
    const { openEndpoint } = this.#options;
    if (openEndpoint === undefined) return `https://${endpoint.host}:${endpoint.port}`;
    try {
      return `https://127.0.0.1:${await openEndpoint(endpoint.port)}`;
    } catch (error) {
      // A cluster that works is not ill because its address could not be opened here; the next look tries again.
      this.#options.log?.(`The API of a cluster cannot be reached on loopback: ${String(error)}`);
      return null;
    }
  }

  /** Removes what is left of a cluster whose root is gone, and at last what we had placed before it. */
  async #tidyUp(session: Session, cluster: DesiredCluster): Promise<ObservedCluster> {
    const live = session.cache.of(cluster.uuid);
    await removeObjects(session, leftovers(live, this.#options.infrastructure));
    if (remaining(live).length > 0) return observeLeaving(live);
    await removeAuthorities(session, cluster);
    await releaseNamespace(session, namespaceOf(cluster));
    return absent;
  }
}

const emptyCluster: ClusterObjects = {
  cluster: null,
  infrastructureCluster: null,
  controlPlane: null,
  deployments: [],
  machineSets: [],
  machines: [],
  healthChecks: [],
  templates: [],
  parts: [],
};

/** The version that a group is to have already. */
const running = (live: ClusterObjects, cluster: DesiredCluster, group: DesiredNodeGroup): string | null => {
  if (group.role === 'master') return live.controlPlane?.version ?? null;
  return cluster.stackId === null ? null : (deploymentOf(live, cluster, group)?.version ?? null);
};
