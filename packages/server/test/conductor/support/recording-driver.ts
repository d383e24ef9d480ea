import {
  BaseDriver,
  oddMasterSize,
  type ApplyOptions,
  type ClusterType,
  type DesiredCluster,
  type Availability,
  type DesiredChange,
  type DriverCapabilities,
  type Fault,
  type ObservedCluster,
  type ObservedMachine,
  type ObserveOptions,
} from '@jeroboam/domain';

export type Method = 'prepare' | 'create' | 'apply' | 'delete' | 'observe' | 'rotateCa' | 'rotateCredential';

/** One call as the driver got it. */
export interface Asked {
  method: Method;
  cluster: string;
  /** Group → size, of the groups that are to stay. */
  sizes: Record<string, number>;
  deleting: string[];
  nodesToRemove: readonly string[];
  /** Of a look: whether it was made for the sake of an operation. */
  working: boolean;
}

const everything: DriverCapabilities = {
  controlPlaneResize: true,
  rotateCaCertificates: true,
  rotateCredential: true,
  upgrade: true,
};

/**
 * A driver that writes down what it is asked and does as the test says: waits, throws, never finishes. Its
 * clusters live in memory, so that two servers of one test can share it as they would share a cloud.
 */
export class RecordingDriver extends BaseDriver {
  readonly name = 'recording';
  readonly provides: readonly ClusterType[] = [];
  override readonly capabilities = everything;
  readonly asked: Asked[] = [];
  /** What exists, by uuid. */
  readonly clusters: Map<string, DesiredCluster & { going?: true }>;
  /** False: whatever is observed stays in progress. */
  finishing = true;
  /** Why it cannot work; null when it can. */
  unready: string | null = null;
  /** What a look shows instead, by cluster. */
  readonly shows = new Map<string, Partial<ObservedCluster>>();
  /** What changes are refused for before they are accepted, and the changes it was asked about. */
  refusing: readonly Fault[] = [];
  readonly tried: DesiredChange[] = [];
  readonly known = new Map<string, ObservedMachine[]>();
  readonly #watchers = new Set<(cluster: string | null) => void>();
  /** The most calls that ever ran at once, of one cluster and of all. */
  readonly atOnce = { oneCluster: 0, all: 0 };
  readonly #running = new Map<string, number>();
  readonly #gates = new Map<Method, Promise<void>>();
  readonly #failures = new Map<Method, string[]>();

  /** Drivers of two servers that work on one cloud share its clusters. */
  constructor(clusters: RecordingDriver['clusters'] = new Map()) {
    super();
    this.clusters = clusters;
  }

  /** From now on calls of the method wait until the returned function is called. */
  hold(method: Method): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gates.set(method, promise);
    return () => {
      this.#gates.delete(method);
      resolve();
    };
  }

  /** The next call of the method throws this. */
  fail(method: Method, message: string): void {
    this.#failures.set(method, [...(this.#failures.get(method) ?? []), message]);
  }

  /** What was asked of a cluster, without the looking. */
  deeds(cluster: string): Asked[] {
    return this.asked.filter((call) => call.cluster === cluster && call.method !== 'observe');
  }

  /** Resolves once the method was asked of the cluster; the call may still wait at a gate. */
  async wasAsked(method: Method, cluster: string): Promise<void> {
    const deadline = Date.now() + 15_000;
    while (!this.asked.some((call) => call.method === method && call.cluster === cluster)) {
      if (Date.now() > deadline) throw new Error(`${method} was never asked of ${cluster}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Tells that a cluster, or any of them, may have changed. */
  tell(cluster: string | null): void {
    for (const changed of this.#watchers) changed(cluster);
  }

  /** How often a cluster was looked at. */
  looks(cluster: string, { working }: { working: boolean }): number {
    return this.asked.filter(
      (call) => call.cluster === cluster && call.method === 'observe' && call.working === working,
    ).length;
  }

  override availability(): Availability {
    return this.unready === null ? { ready: true } : { ready: false, reason: this.unready };
  }

  override watch(changed: (cluster: string | null) => void): () => void {
    this.#watchers.add(changed);
    return () => void this.#watchers.delete(changed);
  }

  override refusals(change: DesiredChange): Promise<readonly Fault[]> {
    this.tried.push(change);
    return Promise.resolve(this.refusing);
  }

  override machines(cluster: DesiredCluster): Promise<readonly ObservedMachine[]> {
    return Promise.resolve(this.known.get(cluster.uuid) ?? []);
  }

  override validateMasterResize(size: number): string | null {
    return oddMasterSize(size);
  }

  prepareCluster(cluster: DesiredCluster): Promise<{ stackId: string }> {
    return this.#take('prepare', cluster, () => ({ stackId: `${cluster.name}-stack` }));
  }

  createCluster(cluster: DesiredCluster): Promise<void> {
    return this.#take('create', cluster, () => void this.clusters.set(cluster.uuid, cluster));
  }

  applyCluster(cluster: DesiredCluster, options: ApplyOptions): Promise<void> {
    const change = (): void => void this.clusters.set(cluster.uuid, cluster);
    return this.#take('apply', cluster, change, options.nodesToRemove);
  }

  deleteCluster(cluster: DesiredCluster): Promise<void> {
    return this.#take('delete', cluster, () => {
      const known = this.clusters.get(cluster.uuid);
      if (known !== undefined) this.clusters.set(cluster.uuid, { ...known, going: true });
    });
  }

  override rotateCaCertificates(cluster: DesiredCluster): Promise<void> {
    return this.#take('rotateCa', cluster, () => undefined);
  }

  override rotateCredential(cluster: DesiredCluster): Promise<void> {
    return this.#take('rotateCredential', cluster, () => undefined);
  }

  observeCluster(cluster: DesiredCluster, { working }: ObserveOptions): Promise<ObservedCluster> {
    const look = (): ObservedCluster => ({ ...this.#seen(cluster.uuid), ...this.shows.get(cluster.uuid) });
    return this.#take('observe', cluster, look, [], working);
  }

  #seen(uuid: string): ObservedCluster {
    const known = this.clusters.get(uuid);
    const nothing = { reason: null, apiAddress: null, coeVersion: null, nodeGroups: [] };
    if (!this.finishing) return { phase: 'IN_PROGRESS', ...nothing, lookAgainMs: 20 };
    if (known === undefined || known.going === true) {
      this.clusters.delete(uuid);
      return { phase: 'ABSENT', ...nothing };
    }
    return {
      phase: 'COMPLETE',
      reason: null,
      apiAddress: 'https://203.0.113.7:6443',
      coeVersion: '1.31.4',
      nodeGroups: known.nodeGroups.map(({ name, deleting }) => ({
        name,
        phase: deleting ? ('ABSENT' as const) : ('COMPLETE' as const),
        reason: null,
      })),
    };
  }

  async #take<T>(
    method: Method,
    cluster: DesiredCluster,
    answer: () => T,
    nodesToRemove: readonly string[] = [],
    working = true,
  ): Promise<T> {
    const { uuid, nodeGroups } = cluster;
    this.asked.push({
      method,
      cluster: uuid,
      sizes: Object.fromEntries(
        nodeGroups.filter(({ deleting }) => !deleting).map(({ name, nodeCount }) => [name, nodeCount]),
      ),
      deleting: nodeGroups.filter(({ deleting }) => deleting).map(({ name }) => name),
      nodesToRemove,
      working,
    });
    this.#running.set(uuid, (this.#running.get(uuid) ?? 0) + 1);
    this.atOnce.oneCluster = Math.max(this.atOnce.oneCluster, this.#running.get(uuid) ?? 0);
    this.atOnce.all = Math.max(
      this.atOnce.all,
      [...this.#running.values()].reduce((sum, count) => sum + count, 0),
    );
    try {
      await this.#gates.get(method);
      const failure = this.#failures.get(method)?.shift();
      if (failure !== undefined) throw new Error(failure);
      return answer();
    } finally {
      this.#running.set(uuid, (this.#running.get(uuid) ?? 1) - 1);
    }
  }
}
