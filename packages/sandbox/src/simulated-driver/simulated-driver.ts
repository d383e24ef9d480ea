import {
  BaseDriver,
  drawStackName,
  oddMasterSize,
  type ApplyOptions,
  type ClusterType,
  type DesiredCluster,
  type DesiredNodeGroup,
  type DriverCapabilities,
  type ObservedCluster,
  type ObservedMachine,
  type ObservedNodeGroup,
} from '@jeroboam/domain';
import type { ObjectStore } from '../cloud/index.ts';
import { simulatedMachines } from './simulated-machines.ts';

/** What the driver asks the cloud; of what the cloud does not know it assumes the best. */
export interface SimulatedCloud {
  flavor(ident: string): Promise<{ name: string; vcpus: number; ramMiB: number } | null>;
  imageProperty(ident: string, property: string): Promise<string | null>;
}

export interface SimulatedDriverOptions {
  name: string;
  /** Clusters that exist outlive a restart. */
  store: ObjectStore;
  cloud: SimulatedCloud;
  /** How long each operation takes. */
  delayMs: number;
  capabilities?: Partial<DriverCapabilities>;
  provides?: readonly ClusterType[];
  now?: () => number;
  random?: () => number;
}

/** A cluster that exists as far as the driver is concerned. */
interface SimulatedCluster {
  readyAt: number;
  deleting: boolean;
  version: string | null;
  address: string;
  groups: Record<string, SimulatedGroup>;
}

interface SimulatedGroup {
  nodeCount: number;
  deleting: boolean;
  fault: string | null;
}

const kind = 'simulated-cluster';
const minimum = { vcpus: 2, ramMiB: 2048 };
/** Names that begin so fail in the driver: the way to see what failure looks like. */
const failingPrefix = 'failhelm';

/**
 * A driver that makes no machines: clusters become complete after a delay, or fail on demand. It stands in
 * wherever the question is how the service behaves, not what a cluster is made of.
 */
export class SimulatedDriver extends BaseDriver {
  readonly name: string;
  readonly provides: readonly ClusterType[];
  override readonly capabilities: DriverCapabilities;
  readonly #options: SimulatedDriverOptions;
  readonly #clusters: Map<string, SimulatedCluster>;

  private constructor(options: SimulatedDriverOptions, clusters: Map<string, SimulatedCluster>) {
    super();
    this.#options = options;
    this.#clusters = clusters;
    this.name = options.name;
    this.provides = options.provides ?? [{ serverType: 'vm', os: 'ubuntu', coe: 'kubernetes' }];
    this.capabilities = {
      controlPlaneResize: true,
      rotateCaCertificates: false,
      rotateCredential: true,
      upgrade: true,
      ...options.capabilities,
    };
  }

  static async open(options: SimulatedDriverOptions): Promise<SimulatedDriver> {
    const objects = await options.store.load();
    const mine = objects.filter((object) => object.kind === kind);
    return new SimulatedDriver(options, new Map(mine.map(({ id, data }) => [id, data as SimulatedCluster])));
  }

  override validateMasterResize(size: number): string | null {
    return this.capabilities.controlPlaneResize ? oddMasterSize(size) : super.validateMasterResize(size);
  }

  async prepareCluster(cluster: DesiredCluster): Promise<{ stackId: string }> {
    for (const group of cluster.nodeGroups) {
      const fault = await this.#flavorFault(group);
      if (fault !== null) throw new Error(fault);
    }
    return { stackId: drawStackName(cluster.name, this.#options.random ?? Math.random) };
  }

  async createCluster(cluster: DesiredCluster): Promise<void> {
    if (cluster.name.startsWith(failingPrefix)) {
      throw new Error(
        `The simulated driver fails clusters whose name begins with "${failingPrefix}". Delete it and take another name.`,
      );
    }
    if (this.#clusters.has(cluster.uuid)) return this.applyCluster(cluster);
    await this.#keep(cluster.uuid, {
      readyAt: this.#soon(),
      deleting: false,
      version: await this.#versionOf(cluster),
      address: 'https://172.24.4.10:6443',
      groups: await this.#groupsOf(cluster),
    });
  }

  async applyCluster(cluster: DesiredCluster, _options?: ApplyOptions): Promise<void> {
    const known = this.#known(cluster);
    await this.#keep(cluster.uuid, {
      ...known,
      readyAt: this.#soon(),
      version: await this.#versionOf(cluster),
      groups: await this.#groupsOf(cluster),
    });
  }

  async deleteCluster(cluster: DesiredCluster): Promise<void> {
    const known = this.#clusters.get(cluster.uuid);
    if (known !== undefined)
      await this.#keep(cluster.uuid, { ...known, deleting: true, readyAt: this.#soon() });
  }

  override async rotateCredential(cluster: DesiredCluster): Promise<void> {
    if (!this.capabilities.rotateCredential) return super.rotateCredential(cluster);
    await this.#keep(cluster.uuid, { ...this.#known(cluster), readyAt: this.#soon() });
  }

  override async rotateCaCertificates(cluster: DesiredCluster): Promise<void> {
    if (!this.capabilities.rotateCaCertificates) return super.rotateCaCertificates(cluster);
    await this.#keep(cluster.uuid, { ...this.#known(cluster), readyAt: this.#soon() });
  }

  async observeCluster(cluster: DesiredCluster): Promise<ObservedCluster> {
    const known = this.#clusters.get(cluster.uuid);
    const absent = { reason: null, apiAddress: null, coeVersion: null, nodeGroups: [] };
    if (known === undefined) return { phase: 'ABSENT', ...absent };
    const left = known.readyAt - this.#now();
    const seen = { apiAddress: known.address, coeVersion: known.version };
    if (left > 0) return { phase: 'IN_PROGRESS', ...absent, lookAgainMs: left };
    if (known.deleting) {
      this.#clusters.delete(cluster.uuid);
      await this.#options.store.delete(kind, cluster.uuid);
      return { phase: 'ABSENT', ...absent };
    }
    const nodeGroups = Object.entries(known.groups).map(([name, group]) => observed(name, group));
    const failed = nodeGroups.some((group) => group.phase === 'FAILED');
    return {
      phase: failed ? 'FAILED' : 'COMPLETE',
      reason: null,
      ...seen,
      nodeGroups,
      health: failed
        ? { status: 'UNHEALTHY', reason: { nodegroup: 'Not ready' } }
        : { status: 'HEALTHY', reason: { cluster: 'Ready' } },
    };
  }

  override machines(cluster: DesiredCluster): Promise<readonly ObservedMachine[]> {
    const known = this.#clusters.get(cluster.uuid);
    return Promise.resolve(known === undefined ? [] : simulatedMachines(cluster, known, this.#now()));
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #soon(): number {
    return this.#now() + this.#options.delayMs;
  }

  #known(cluster: DesiredCluster): SimulatedCluster {
    const known = this.#clusters.get(cluster.uuid);
    if (known === undefined)
      throw new Error(`The cluster ${cluster.name} does not exist in the simulated driver.`);
    return known;
  }

  async #keep(uuid: string, cluster: SimulatedCluster): Promise<void> {
    await this.#options.store.put(kind, uuid, cluster);
    this.#clusters.set(uuid, cluster);
  }

  async #groupsOf(cluster: DesiredCluster): Promise<Record<string, SimulatedGroup>> {
    const groups: Record<string, SimulatedGroup> = {};
    for (const group of cluster.nodeGroups) {
      const fault = group.deleting ? null : await this.#flavorFault(group);
      groups[group.name] = { nodeCount: group.nodeCount, deleting: group.deleting, fault };
    }
    return groups;
  }

  /** Kubernetes needs so much of a machine that smaller flavors only fail later and less clearly. */
  async #flavorFault(group: DesiredNodeGroup): Promise<string | null> {
    const flavor = group.flavorId === null ? null : await this.#options.cloud.flavor(group.flavorId);
    if (flavor === null) return null;
    if (flavor.vcpus < minimum.vcpus) {
      return `Flavor ${flavor.name} does not have enough CPU to run Kubernetes. Minimum ${minimum.vcpus} vcpus required.`;
    }
    if (flavor.ramMiB < minimum.ramMiB) {
      return `Flavor ${flavor.name} does not have enough memory to run Kubernetes. Minimum ${minimum.ramMiB} MB required.`;
    }
    return null;
  }

  /** The version of a cluster is that of its control plane. */
  async #versionOf(cluster: DesiredCluster): Promise<string | null> {
    const masters = cluster.nodeGroups.find((group) => group.role === 'master');
    const image = masters?.imageId ?? cluster.imageId;
    const version =
      masters?.kubernetesVersion ?? (await this.#options.cloud.imageProperty(image, 'kube_version'));
    return version?.replace(/^v/, '') ?? null;
  }
}

function observed(name: string, group: SimulatedGroup): ObservedNodeGroup {
  if (group.deleting) return { name, phase: 'ABSENT', reason: null };
  if (group.fault !== null) return { name, phase: 'FAILED', reason: group.fault };
  return { name, phase: 'COMPLETE', reason: null };
}
