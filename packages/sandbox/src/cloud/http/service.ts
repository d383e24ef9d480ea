import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ObjectSpace } from '../store/object-space.ts';
import type { SeedBook } from '../store/seed-book.ts';
import type { Caller } from './caller.ts';

export interface CloudLogger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** What every service of the cloud shares. */
export interface Cloud {
  /** Where the listener answers, without a slash at the end. Known once the cloud listens. */
  readonly url: string;
  readonly region: string;
  readonly objects: ObjectSpace;
  readonly seeds: SeedBook;
  readonly logger: CloudLogger;
  now(): number;
  /** Who holds this token; undefined when it is expired, revoked, forged or absent. */
  callerOf(token: string | undefined): Caller | undefined;
}

/** An entry of the service catalogue. */
export interface CatalogEntry {
  type: string;
  name: string;
  /** `$(sandbox_url)s` and `$(project_id)s` are filled in when the catalogue is shown. */
  url: string;
}

/** One service of the cloud: a folder beside this one, and everything below one path of the listener. */
export interface CloudService {
  readonly path: string;
  readonly catalog: readonly CatalogEntry[];
  /** Puts the first objects into a new cloud. */
  seed(): Promise<void>;
  /** Routes that need no token, such as version discovery. */
  publicRoutes(app: FastifyInstance): void;
  /** Routes behind a valid token. */
  routes(app: FastifyInstance): void;
  /** The body that the real service sends with a refusal. */
  errorBody(status: number, message: string, type?: string): unknown;
  /** What goes on every answer of this service, before anything else is decided. */
  onRequest?(request: FastifyRequest, reply: FastifyReply): void;
}
