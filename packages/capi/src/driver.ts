import {
  BaseDriver,
  Fault,
  oddMasterSize,
  type ApplyOptions,
  type Availability,
  type ClusterAuthorities,
  type ClusterType,
  type DesiredChange,
  type DesiredCluster,
  type DriverCapabilities,
  type ObservedCluster,
  type ObservedMachine,
  type ObserveOptions,
} from '@jeroboam/domain';
import { KubeError, type KubeAccess } from '@jeroboam/kubernetes';
import { emptyCluster } from './cache/held.ts';
import { Session } from './management/session.ts';
import { drawClusterName } from './names.ts';
import { observedMachines } from './observe/machines.ts';
import { absent } from './observe/observe-cluster.ts';
import { refusalsOf } from './refusals/refusals.ts';
import { remembered } from './versions/remembered.ts';
import { ClusterWork, versionsFor, type Tools } from './work.ts';

export interface ClusterApiDriverOptions extends Tools {
  /** {@link driverName} where nothing speaks against it. */
  name: string;
  /** The management cluster, where it is known from the start; else it is given later with `connect`. */
  access?: KubeAccess;
  provides?: readonly ClusterType[];
  random?: () => number;
}

export const driverName = 'k8s_cluster_api_v1';

/** The names of other drivers for Cluster API: what was made for them can be made by this one. */
export const driverAliases: readonly string[] = [
  'k8s_capi_helm_v1',
  'k8s_cluster_api_ubuntu',
  'k8s_cluster_api_ubuntu_focal',
  'k8s_cluster_api_flatcar',
  'k8s_cluster_api_rockylinux',
  'k8s_cluster_api_debian',
];

const systems = ['ubuntu', 'ubuntu-focal', 'flatcar', 'rockylinux', 'debian'];
const largestControlPlane = 7;
/** How long a caller waits for the management cluster to be read; after a start that is soon. */
const readLimitMs = 10_000;

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
    this.#options = { ...options, imageVersion: remembered(options.imageVersion) };
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

  override refusals(change: DesiredChange): Promise<readonly Fault[]> {
    return refusalsOf(change, this.availability().ready ? this.#session : null, this.#options);
  }

  override machines(cluster: DesiredCluster): Promise<readonly ObservedMachine[]> {
    const live = this.#session?.cache.of(cluster.uuid) ?? emptyCluster;
    return Promise.resolve(observedMachines(cluster, live));
  }

  async prepareCluster(cluster: DesiredCluster): Promise<{ stackId: string }> {
    await versionsFor(this.#options, cluster, emptyCluster);
    return { stackId: drawClusterName(cluster.name, this.#options.random ?? Math.random) };
  }

  createCluster(cluster: DesiredCluster, authorities: () => Promise<ClusterAuthorities>): Promise<void> {
    return this.#work((work) => work.create(cluster, authorities));
  }

  applyCluster(cluster: DesiredCluster, options: ApplyOptions): Promise<void> {
    return this.#work((work) => work.apply(cluster, options));
  }

  async deleteCluster(cluster: DesiredCluster): Promise<void> {
    if (cluster.stackId !== null) await this.#work((work) => work.delete(cluster));
  }

  async observeCluster(cluster: DesiredCluster, options: ObserveOptions): Promise<ObservedCluster> {
    return cluster.stackId === null ? absent : this.#work((work) => work.observe(cluster, options));
  }

  #tell(cluster: string | null): void {
    for (const listener of this.#listeners) listener(cluster);
  }

  /** Works with the management cluster; that it is away is told as something that passes. */
  async #work<T>(work: (on: ClusterWork) => Promise<T>): Promise<T> {
    const session = this.#session;
    if (session === null) throw new Fault('cloud_unavailable', this.#unavailable);
    await untilRead(session);
    try {
      return await work(new ClusterWork(session, this.#options));
    } catch (error) {
      if (!(error instanceof KubeError && error.passing)) throw error;
      throw new Fault('cloud_unavailable', `The management cluster: ${error.message}`, { cause: error });
    }
  }
}

/** Nothing can be said of clusters before all of the management cluster was read. */
async function untilRead(session: Session): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), readLimitMs);
  });
  const outcome = await Promise.race([session.synced, limit]);
  clearTimeout(timer);
  if (outcome === 'late')
    throw new Fault('cloud_unavailable', session.trouble ?? 'The management cluster is being read.');
}
