/** Labels: options of the driver as text, inherited from template to cluster to node group. */
export type Labels = Readonly<Record<string, string>>;

/**
 * The labels of a resource made with `given` under a parent with `inherited`. Nothing given: the parent's;
 * given: they replace the parent's, or with `merge` are laid over them. Whether an empty map counts as
 * "nothing given" differs between resources and is the caller's to say.
 */
export function inheritLabels(inherited: Labels, given: Labels | null | undefined, merge: boolean): Labels {
  if (given === null || given === undefined) return { ...inherited };
  return merge ? { ...inherited, ...given } : { ...given };
}

export interface LabelDifference {
  labels_overridden: Labels;
  labels_added: Labels;
  labels_skipped: Labels;
}

const none: LabelDifference = { labels_overridden: {}, labels_added: {}, labels_skipped: {} };

/** How labels differ from the parent's. Overridden and skipped ones are shown with the parent's value. */
export function diffLabels(parent: Labels, own: Labels): LabelDifference {
  const parentKeys = Object.keys(parent);
  const ownKeys = Object.keys(own);
  // Most resources inherit their labels unchanged, and long lists ask this once per row.
  if (parent === own || (parentKeys.length === 0 && ownKeys.length === 0)) return none;
  const pick = (from: Labels, keys: string[]): Labels =>
    Object.fromEntries(keys.map((key) => [key, from[key] ?? '']));
  return {
    labels_overridden: pick(
      parent,
      parentKeys.filter((key) => Object.hasOwn(own, key) && own[key] !== parent[key]),
    ),
    labels_added: pick(
      own,
      ownKeys.filter((key) => !Object.hasOwn(parent, key)),
    ),
    labels_skipped: pick(
      parent,
      parentKeys.filter((key) => !Object.hasOwn(own, key)),
    ),
  };
}
