import type { Labels } from '../labels.ts';

/** Where the value of an attribute comes from. */
export type Origin =
  | { kind: 'default' }
  | { kind: 'request' }
  /** A property of the image that the nodes boot. */
  | { kind: 'image'; name: string }
  | {
      kind: 'cluster_template' | 'cluster' | 'nodegroup_template' | 'nodegroup';
      uuid: string;
      name: string | null;
    };

export type Values = Readonly<Record<string, unknown>>;
export type Origins = Readonly<Record<string, Origin>>;

/** Said of an attribute: whatever is said below does not count, the service's own default does. */
export const open: unique symbol = Symbol('open');

/** Some attributes of a resource to be. An attribute that is absent says nothing; null says that there is none. */
export interface Draft {
  readonly values: Values;
  readonly origins: Origins;
  /** Whether its labels are laid over those below instead of replacing them. */
  readonly mergesLabels: boolean;
}

export const emptyDraft: Draft = { values: {}, origins: {}, mergesLabels: false };

export const isMap = (value: unknown): value is Labels => typeof value === 'object' && value !== null;

/** A draft with all its values from one place. What is undefined says nothing. */
export function draftOf(values: Values, origin: Origin, options: { mergesLabels?: boolean } = {}): Draft {
  const said = Object.entries(values).filter(([, value]) => value !== undefined);
  const labelled = said.some(([name, value]) => name === 'labels' && isMap(value));
  return {
    values: Object.fromEntries(said),
    origins: Object.fromEntries(said.map(([name]) => [name, origin])),
    mergesLabels: labelled && (options.mergesLabels ?? false),
  };
}

/** What one draft says laid over another: the upper wins, attribute by attribute; maps and lists as a whole. */
export function overlay(lower: Draft, upper: Draft): Draft {
  const values: Record<string, unknown> = { ...lower.values, ...upper.values };
  const origins = { ...lower.origins, ...upper.origins };
  if (!Object.hasOwn(upper.values, 'labels')) return { values, origins, mergesLabels: lower.mergesLabels };
  if (!upper.mergesLabels || !Object.hasOwn(lower.values, 'labels'))
    return { values, origins, mergesLabels: upper.mergesLabels };
  const below = lower.values['labels'];
  values['labels'] = { ...(isMap(below) ? below : {}), ...(upper.values['labels'] as Labels) };
  return { values, origins, mergesLabels: lower.mergesLabels };
}

export const overlayAll = (drafts: readonly Draft[]): Draft => drafts.reduce(overlay, emptyDraft);
