/**
 * What an attribute of a resource is, as data. The same table validates requests, writes the OpenAPI
 * document and feeds documentation and forms, so that none of them can say something else than another.
 */
export type AttributeType =
  | { kind: 'string'; min?: number; max?: number; pattern?: string }
  /** Free text that is only type-checked. */
  | { kind: 'text' }
  | { kind: 'uuid' }
  | { kind: 'integer'; min?: number; max?: number }
  | { kind: 'boolean' }
  | { kind: 'choice'; of: readonly string[] }
  /** String keys; `scalar` values are kept as text, `text` values must be text already. */
  | { kind: 'map'; of: 'scalar' | 'text' | 'anything' }
  | { kind: 'list'; of: AttributeType; max?: number }
  /** Named members, each an attribute of its own. A member that is null counts as absent unless nulls are kept. */
  | { kind: 'object'; members: readonly Attribute[]; keepsNull?: boolean }
  | { kind: 'timestamp' }
  | { kind: 'links' };

/**
 * What a later change of an attribute does: nothing to the nodes that run, or replaces them (or updates them in place,
 * as the group's strategy says), or cannot be.
 */
export const mutabilities = ['free', 'rolls', 'immutable'] as const;
export type Mutability = (typeof mutabilities)[number];

export interface Attribute {
  name: string;
  type: AttributeType;
  description: string;
  /** Absent from a request: refused. */
  mandatory?: boolean;
  /** Set by the service; a request that carries it is refused. */
  readOnly?: boolean;
  /** What an absent attribute becomes, for documentation; rules that need other attributes are said in words. */
  default?: string | number | boolean | null;
  /** An example for the API document. */
  example?: unknown;
  /** Magnum does not have it. */
  extension?: boolean;
  /** Only read from requests; what it led to is answered in other attributes. */
  input?: boolean;
  /** Set for what makes up the resource, as opposed to what is seen of it or said about it. */
  mutability?: Mutability;
  /** Of an immutable attribute: what to do instead. */
  instead?: string;
  /** What it is when neither the request nor any source says. Unlike `default`, a source comes first. */
  fallback?: unknown;
}

/** The attributes of one kind of request body. `argument` is the name Magnum's error texts use for the body. */
export interface AttributeTable {
  argument: string;
  title: string;
  attributes: readonly Attribute[];
}

/** The largest integer the store keeps; Magnum's columns end there too, with a 500. */
export const maxInteger = 2_147_483_647;
