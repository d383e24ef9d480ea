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
  | { kind: 'list'; of: AttributeType }
  | { kind: 'timestamp' }
  | { kind: 'links' };

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
}

/** The attributes of one kind of request body. `argument` is the name Magnum's error texts use for the body. */
export interface AttributeTable {
  argument: string;
  title: string;
  attributes: readonly Attribute[];
}

/** The largest integer the store keeps; Magnum's columns end there too, with a 500. */
export const maxInteger = 2_147_483_647;
