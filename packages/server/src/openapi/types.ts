import type { Mutability } from '@jeroboam/domain';

/** The parts of OpenAPI 3.1 that our document uses; its schemas are JSON Schema 2020-12. */
export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly (string | null)[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  readOnly?: boolean;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  maxItems?: number;
  anyOf?: readonly Schema[];
  examples?: readonly unknown[];
  /** Magnum does not have it. */
  'x-extension'?: true;
  /** What a later change of it does: nothing to running nodes, replaces them, or cannot be. */
  'x-mutability'?: Mutability;
  /** Of what cannot be changed: what to do instead. */
  'x-instead'?: string;
  /** What it is when neither the request nor what the resource is made from says. */
  'x-default'?: unknown;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
  /** The first microversion that knows it, where that is not the first of all. */
  'x-min-microversion'?: string;
  /** Magnum does not have it. */
  'x-extension'?: true;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
}

export interface Header {
  description: string;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

/** The refusals of the error catalogue that share a status. */
export interface ErrorResponse extends Response {
  'x-status': number;
  'x-faults': { kind: string; meaning: string }[];
}

export interface RequestBody {
  description?: string;
  required: boolean;
  content: Record<string, MediaType>;
}

export interface OperationObject {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody;
  responses: Record<string, Response | Reference>;
  /** Empty: no token needed. */
  security?: [];
  'x-policy-rule'?: string;
  'x-min-microversion'?: string;
}

export type PathItem = Record<string, OperationObject>;

export interface Components {
  schemas: Record<string, Schema>;
  parameters: Record<string, Parameter>;
  headers: Record<string, Header>;
  responses: Record<string, ErrorResponse>;
  securitySchemes: Record<string, { type: 'apiKey'; in: 'header'; name: string; description: string }>;
}

export interface ApiDocument {
  openapi: '3.1.0';
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  security: Record<string, []>[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: Components;
}

export const schemaRef = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` });
export const responseRef = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });
