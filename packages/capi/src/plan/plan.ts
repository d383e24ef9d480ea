import type { Kind } from '@jeroboam/kubernetes';
import type { HeldMachine } from '../cache/held.ts';
import type { Rendered } from '../render/rendered.ts';

export interface ObjectReference {
  kind: Kind;
  name: string;
  namespace: string;
}

/** What is to be done next for a cluster to become as desired. All of it can be done again without harm. */
export interface Plan {
  /** Machines to be marked as the first to go, before their group shrinks. */
  choose: readonly HeldMachine[];
  /** Objects that are not as they should be, in the order in which they must be applied. */
  apply: readonly Rendered[];
  /** Objects that are as they should be as far as is known. */
  standing: readonly Rendered[];
  remove: readonly ObjectReference[];
  /** What will be done later. */
  waits: readonly Wait[];
}

/** A step that is not due yet, for which group (by uuid), and what it waits for. */
export interface Wait {
  nodeGroup: string;
  reason: string;
}

export const isDue = ({ choose, apply, remove }: Plan): boolean =>
  choose.length + apply.length + remove.length > 0;
