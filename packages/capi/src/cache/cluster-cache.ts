import { canonicalJson } from '../content-hash.ts';
import type {
  ClusterObjects,
  HeldCluster,
  HeldControlPlane,
  HeldDeployment,
  HeldInfrastructureCluster,
  HeldMachine,
  HeldMachineSet,
  HeldObject,
} from './held.ts';

/** As what an object belongs to a cluster. */
export type Part = keyof ClusterObjects;

const keyOf = ({ namespace, name }: HeldObject): string => `${namespace}/${name}`;

/** Versions count up through all objects of a server. What is no number is taken for newer. */
const isOlder = (one: HeldObject, other: HeldObject): boolean =>
  Number(one.resourceVersion) < Number(other.resourceVersion);

const isSame = (one: HeldObject, other: HeldObject): boolean =>
  canonicalJson({ ...one, resourceVersion: '' }) === canonicalJson({ ...other, resourceVersion: '' });

/** All objects of all clusters as they were last heard of. Tells which cluster an object belongs to that changed. */
export class ClusterCache {
  readonly #byKind = new Map<string, Map<string, HeldObject>>();
  readonly #byCluster = new Map<string, Map<string, { part: Part; held: HeldObject }>>();
  readonly #heardUpTo = new Map<string, number>();
  readonly #changed: (cluster: string) => void;

  constructor(changed: (cluster: string) => void) {
    this.#changed = changed;
  }

  /** Heard from the server. */
  changed(part: Part, held: HeldObject): void {
    this.#hear(held);
    const before = this.#kept(held.kind).get(keyOf(held));
    if (before !== undefined && isOlder(held, before)) return;
    this.#set(part, held);
    if (before === undefined || !isSame(before, held)) this.#changed(held.cluster);
  }

  gone(held: HeldObject): void {
    this.#hear(held);
    this.#remove(held);
  }

  /**
   * All objects of a kind there are: others are gone. Taken as they are, even where they seem older than what was
   * known: a server that was given back older data counts from there again.
   */
  listed(part: Part, kind: string, objects: readonly HeldObject[]): void {
    const there = new Set(objects.map(keyOf));
    for (const held of this.#kept(kind).values()) if (!there.has(keyOf(held))) this.#remove(held);
    this.#heardUpTo.delete(kind);
    for (const held of objects) {
      this.#hear(held);
      const before = this.#kept(kind).get(keyOf(held));
      this.#set(part, held);
      if (before === undefined || !isSame(before, held)) this.#changed(held.cluster);
    }
  }

  /**
   * An answer of the server to what we wrote, so that we see our own writes at once. Where the server has told of
   * later changes already, it is history: the object may even be gone.
   */
  put(part: Part, held: HeldObject): void {
    if (Number(held.resourceVersion) <= (this.#heardUpTo.get(held.kind) ?? 0)) return;
    this.#set(part, held);
  }

  /** Whether any object is in a namespace. */
  isEmpty(namespace: string): boolean {
    for (const objects of this.#byCluster.values())
      for (const { held } of objects.values()) if (held.namespace === namespace) return false;
    return true;
  }

  of(cluster: string): ClusterObjects {
    const all = [...(this.#byCluster.get(cluster)?.values() ?? [])];
    const held = <T extends HeldObject>(part: Part): T[] =>
      all.filter((entry) => entry.part === part).map((entry) => entry.held as T);
    return {
      cluster: held<HeldCluster>('cluster')[0] ?? null,
      infrastructureCluster: held<HeldInfrastructureCluster>('infrastructureCluster')[0] ?? null,
      controlPlane: held<HeldControlPlane>('controlPlane')[0] ?? null,
      deployments: held<HeldDeployment>('deployments'),
      machineSets: held<HeldMachineSet>('machineSets'),
      machines: held<HeldMachine>('machines'),
      healthChecks: held('healthChecks'),
      templates: held('templates'),
      parts: held('parts'),
    };
  }

  #hear({ kind, resourceVersion }: HeldObject): void {
    const version = Number(resourceVersion);
    if (version > (this.#heardUpTo.get(kind) ?? 0)) this.#heardUpTo.set(kind, version);
  }

  #kept(kind: string): Map<string, HeldObject> {
    const kept = this.#byKind.get(kind) ?? new Map<string, HeldObject>();
    this.#byKind.set(kind, kept);
    return kept;
  }

  #set(part: Part, held: HeldObject): void {
    this.#kept(held.kind).set(keyOf(held), held);
    const objects = this.#byCluster.get(held.cluster) ?? new Map<string, never>();
    objects.set(`${held.kind}/${keyOf(held)}`, { part, held });
    this.#byCluster.set(held.cluster, objects);
  }

  #remove(held: HeldObject): void {
    const before = this.#kept(held.kind).get(keyOf(held));
    if (before === undefined) return;
    this.#kept(held.kind).delete(keyOf(held));
    const objects = this.#byCluster.get(before.cluster);
    objects?.delete(`${held.kind}/${keyOf(held)}`);
    if (objects?.size === 0) this.#byCluster.delete(before.cluster);
    this.#changed(before.cluster);
  }
}
