import type { Readable } from 'node:stream';
import type { AttributeTable } from '@jeroboam/domain';
import type { CloudLookup } from '../cloud/lookup.ts';
import type { Caller } from '../identity/index.ts';
import type { Services } from '../services.ts';

/** A query argument an operation knows; every other one is refused. */
export interface QueryArgument {
  name: string;
  description: string;
  type: 'string' | 'integer' | 'boolean';
  /** The first microversion that knows it. */
  since?: number;
  /** Magnum does not have it. */
  extension?: boolean;
}

/** What a handler works with. */
export interface RequestContext {
  services: Services;
  caller: Caller;
  /** The minor part of the microversion. */
  minor: number;
  /** Scheme and host as the client sees them, for links. */
  base: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | string[]>>;
  /** The parsed JSON body; undefined when there is none. */
  body: unknown;
  /** The caller's cloud, asked once per request. */
  cloud: CloudLookup;
  /** Whether the answer may show what Magnum does not have. */
  showsExtensions: boolean;
  /** Whether the body is in the media type of the extensions. */
  sendsExtensions: boolean;
  /** Whether nothing is to be written. */
  dryRun: boolean;
  /** Set when server-sent events are wanted, with the number of the last one that was seen. */
  eventStream: { lastEventId: string | null } | null;
}

export interface Answer {
  status: number;
  body?: unknown;
  location?: string;
  /** It shows what Magnum does not have, and says so in its media type. */
  extended?: boolean;
  /** Server-sent events, instead of a body. */
  stream?: Readable;
}

export type BodyKind =
  | { kind: 'object'; table: AttributeTable }
  /** A JSON patch over a resource of this table; `json`: its values are any JSON, whatever the media type. */
  | { kind: 'patch'; table: AttributeTable; json?: boolean }
  /** A body that is read by nobody; clients send an empty one. */
  | { kind: 'ignored' };

/** One method of one path: the single description from which routing, checks and the API document are made. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters. */
  path: string;
  tag: string;
  summary: string;
  /** The name of one that shares its policy rule with another; else the rule gives the name. */
  id?: string;
  /** What a reader should know, where the rule says it of another. */
  note?: string;
  /** The policy rule that guards it. */
  rule: string;
  query?: readonly QueryArgument[];
  body?: BodyKind;
  /** The first microversion that has it, and the word Magnum uses for it in the refusal. */
  since?: { minor: number; word: string };
  answers: { status: number; description: string; schema: AnswerSchema };
  /** What the media type of the extensions reaches: the body may say more, the answer shows the resource whole. */
  extended?: readonly ('body' | 'answer')[];
  /** Who accepts server-sent events gets them. */
  eventStream?: boolean;
  handle(context: RequestContext): Promise<Answer>;
}

export type AnswerSchema =
  | { kind: 'resource'; table: AttributeTable }
  | { kind: 'list'; key: string; table: AttributeTable }
  | { kind: 'uuid' }
  | { kind: 'nothing' }
  | { kind: 'free'; schema: Record<string, unknown> };
