import {
  KubeClient,
  watchKind,
  type KubeAccess,
  type Kind,
  type KubeObject,
  type Watch,
} from '@jeroboam/kubernetes';
import { ClusterCache } from '../cache/cluster-cache.ts';
import { watchedKinds } from '../cache/watched-kinds.ts';
import type { HeldObject } from '../cache/held.ts';
import type { InfrastructureKinds } from '../kinds.ts';
import { clusterLabel } from '../markers.ts';

export interface SessionOptions {
  access: KubeAccess;
  kinds: InfrastructureKinds;
  /** Told which clusters (by uuid) changed; null: any of them. */
  changed: (cluster: string | null) => void;
  log: (message: string) => void;
}

const probe = { firstMs: 250, mostMs: 5_000 };
/** Changes of one cluster that come together are told together. */
const gatherMs = 30;

/** A connection to a management cluster, and all that is known of what it holds. */
export class Session {
  readonly client: KubeClient;
  readonly cache: ClusterCache;
  readonly #options: SessionOptions;
  readonly #watches: Watch[];
  readonly #changed = new Set<string>();
  #gathering: NodeJS.Timeout | null = null;
  #probing: NodeJS.Timeout | null = null;
  #isSynced = false;
  #isClosed = false;
  #isLost = false;
  /** What the watches complained of last. */
  #complaint: string | null = null;
  readonly synced: Promise<void>;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.client = new KubeClient(options.access);
    this.cache = new ClusterCache((cluster) => this.#gather(cluster));
    this.#watches = watchedKinds(options.kinds).map(({ kind, part, keep }) =>
      watchKind<KubeObject, HeldObject>(
        this.client,
        kind,
        {
          changed: (held) => this.cache.changed(part, held),
          gone: (held) => this.cache.gone(held),
          listed: (objects) => this.cache.listed(part, kind.kind, objects),
          failed: (error) => this.#broken(kind, error),
        },
        { labelSelector: clusterLabel, keep },
      ),
    );
    this.synced = this.#sync();
  }

  async #sync(): Promise<void> {
    await Promise.all(this.#watches.map(({ synced }) => synced));
    this.#isSynced = true;
    this.#complaint = null;
    if (!this.#isClosed) this.#options.changed(null);
  }

  /** Why nothing can be done now; null: it can. */
  get trouble(): string | null {
    const where = `The management cluster at ${this.client.server}`;
    const why = this.#complaint === null ? '' : `: ${this.#complaint}`;
    if (this.#isLost) return `${where} does not answer${why}`;
    return this.#isSynced ? null : `${where} is being read${why}`;
  }

  /** Keeps what the server answered to a write, so that our own writes are seen at once. */
  keep(kind: Kind, object: KubeObject): void {
    const watched = watchedKinds(this.#options.kinds).find((one) => one.kind.kind === kind.kind);
    if (watched !== undefined && object.metadata.labels?.[clusterLabel] !== undefined)
      this.cache.put(watched.part, watched.keep(object));
  }

  close(): void {
    this.#isClosed = true;
    for (const watch of this.#watches) watch.close();
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    if (this.#probing !== null) clearTimeout(this.#probing);
    this.client.close();
  }

  #gather(cluster: string): void {
    this.#changed.add(cluster);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const uuid of changed) this.#options.changed(uuid);
    }, gatherMs);
  }

  /** A watch that breaks off is resumed by itself: only where the server does not answer either is anything lost. */
  #broken(kind: Kind, error: Error): void {
    if (this.#isClosed) return;
    this.#complaint = `watching ${kind.plural}.${kind.group}: ${error.message}`;
    this.#probing ??= setTimeout(() => void this.#probe(probe.firstMs), probe.firstMs);
  }

  /** Watches resume in silence, so whether the server is back is asked for. */
  async #probe(delayMs: number): Promise<void> {
    const isReady = await this.client.isReady();
    this.#probing = null;
    if (this.#isClosed) return;
    if (isReady) {
      const wasLost = this.#isLost;
      this.#isLost = false;
      if (wasLost && this.#isSynced) this.#options.changed(null);
      return;
    }
    if (!this.#isLost) this.#options.log(`The management cluster does not answer: ${this.#complaint ?? ''}`);
    this.#isLost = true;
    const next = Math.min(probe.mostMs, delayMs * 2);
    this.#probing = setTimeout(() => void this.#probe(next), next);
  }
}
