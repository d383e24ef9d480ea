import http from 'node:http';
import https from 'node:https';
import type { KubeAccess } from './access.ts';
import { agentFor } from './connection.ts';
import { apiVersionOf, collectionPath, objectPath, type Kind } from './kinds.ts';
import { errorOf, KubeError } from './kube-error.ts';
import type { KubeObject } from './objects.ts';

export interface KubeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
  contentType?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

export interface ApplyOptions {
  /** Who owns the fields that are applied. */
  fieldManager: string;
  /** Takes fields over that others own. */
  force?: boolean;
  /** The server checks, defaults and asks its webhooks, and keeps nothing. */
  dryRun?: boolean;
  signal?: AbortSignal;
}

export interface ListOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** So many objects an answer: a server with ten thousand must not make one answer of them. */
  pageSize?: number;
  signal?: AbortSignal;
}

export interface ListResult<T> {
  items: T[];
  resourceVersion: string;
}

interface ListBody {
  items?: KubeObject[];
  metadata: { resourceVersion: string; continue?: string };
}

const applyType = 'application/apply-patch+yaml';
const mergeType = 'application/merge-patch+json';

const defaultPageSize = 500;
/** How often a list is begun anew because the server has forgotten the version that its pages are of. */
const listAttempts = 3;
const defaultTimeoutMs = 30_000;

/** A client of one API server. Answers are parsed JSON; everything else than success is a {@link KubeError}. */
export class KubeClient {
  readonly #access: KubeAccess;
  readonly #agent: http.Agent;
  readonly #url: URL;

  constructor(access: KubeAccess) {
    this.#access = access;
    this.#agent = agentFor(access);
    this.#url = new URL(access.server);
  }

  /** Where the server is, for people to read. */
  get server(): string {
    return this.#access.server;
  }

  close(): void {
    this.#agent.destroy();
  }

  async request<T>(request: KubeRequest): Promise<T> {
    const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal]);
    const answer = await this.open({ ...request, signal });
    let body: string;
    try {
      body = await readAll(answer);
    } catch (error) {
      throw this.#broken(error);
    }
    const status = answer.statusCode ?? 0;
    if (status < 200 || status >= 300) throw errorOf(status, body);
    return (body === '' ? null : this.#parsed(status, body)) as T;
  }

  #parsed(status: number, body: string): unknown {
    try {
      return JSON.parse(body);
    } catch {
      // What the parser says quotes the text, which may hold secrets.
      throw new KubeError(0, 'Unreadable', `${this.server} answered ${status} with something else than JSON`);
    }
  }

  /** Sends a request and hands the answer over once its head is there. */
  open(request: KubeRequest): Promise<http.IncomingMessage> {
    const { method, body, contentType = 'application/json', signal } = request;
    const content = body === undefined ? undefined : JSON.stringify(body);
    const send = this.#url.protocol === 'http:' ? http.request : https.request;
    return new Promise((resolve, reject) => {
      const sent = send(
        {
          method,
          agent: this.#agent,
          protocol: this.#url.protocol,
          hostname: this.#url.hostname,
          port: this.#url.port,
          path: `${this.#url.pathname.replace(/\/$/, '')}${request.path}${queryText(request.query)}`,
          ...(signal === undefined ? {} : { signal }),
          headers: {
            accept: 'application/json',
            ...(this.#access.token === undefined ? {} : { authorization: `Bearer ${this.#access.token}` }),
            ...(content === undefined
              ? {}
              : { 'content-type': contentType, 'content-length': Buffer.byteLength(content) }),
          },
        },
        resolve,
      );
      sent.on('error', (error) => reject(this.#broken(error)));
      sent.end(content);
    });
  }

  #broken(error: unknown): KubeError {
    const { name, message, cause } = error as Error;
    // Node tells of an abort as such, whatever it was for.
    const late = cause instanceof Error && cause.name === 'TimeoutError';
    const reason = name === 'AbortError' && !late ? 'Aborted' : 'Unreachable';
    const why = late ? 'it took too long' : message;
    return new KubeError(0, reason, `${this.server} did not answer: ${why}`, { cause: error });
  }

  /** An object, or null when there is none of that name. */
  async get<T extends KubeObject>(kind: Kind, name: string, namespace?: string): Promise<T | null> {
    try {
      return await this.request<T>({ method: 'GET', path: objectPath(kind, name, namespace) });
    } catch (error) {
      if (error instanceof KubeError && error.notFound) return null;
      throw error;
    }
  }

  /** All objects of a kind, read page by page. `each` sees them as they come, so that not all need be kept. */
  async list<T extends KubeObject, Kept = T>(
    kind: Kind,
    options: ListOptions = {},
    each: (object: T) => Kept = (object) => object as unknown as Kept,
  ): Promise<ListResult<Kept>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#pages(kind, options, (object) => each(object as T));
      } catch (error) {
        if (!(error instanceof KubeError && error.expired) || attempt >= listAttempts) throw error;
      }
    }
  }

  async #pages<Kept>(
    kind: Kind,
    options: ListOptions,
    each: (object: KubeObject) => Kept,
  ): Promise<ListResult<Kept>> {
    const items: Kept[] = [];
    let from: string | undefined;
    for (;;) {
      const page = await this.request<ListBody>({
        method: 'GET',
        path: collectionPath(kind, options.namespace),
        query: {
          limit: options.pageSize ?? defaultPageSize,
          labelSelector: options.labelSelector,
          fieldSelector: options.fieldSelector,
          continue: from,
        },
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      });
      // The items of a list do not say what they are.
      for (const item of page.items ?? [])
        items.push(each({ ...item, apiVersion: apiVersionOf(kind), kind: kind.kind }));
      from = page.metadata.continue;
      if (from === undefined || from === '') return { items, resourceVersion: page.metadata.resourceVersion };
    }
  }

  /** Server-side apply: what is given is owned by the field manager, what is not given is left to others. */
  apply<T extends KubeObject>(kind: Kind, object: KubeObject, options: ApplyOptions): Promise<T> {
    const { name, namespace } = object.metadata;
    return this.request<T>({
      method: 'PATCH',
      path: objectPath(kind, name, namespace),
      contentType: applyType,
      body: object,
      query: {
        fieldManager: options.fieldManager,
        force: options.force,
        dryRun: options.dryRun === true ? 'All' : undefined,
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }

  create<T extends KubeObject>(kind: Kind, object: KubeObject): Promise<T> {
    return this.request<T>({
      method: 'POST',
      path: collectionPath(kind, object.metadata.namespace),
      body: object,
    });
  }

  mergePatch<T extends KubeObject>(
    kind: Kind,
    name: string,
    namespace: string | undefined,
    patch: unknown,
  ): Promise<T> {
    return this.request<T>({
      method: 'PATCH',
      path: objectPath(kind, name, namespace),
      contentType: mergeType,
      body: patch,
    });
  }

  /** Deletes an object; that there is none is as good. False when there was none. */
  async delete(
    kind: Kind,
    name: string,
    namespace?: string,
    options: { uid?: string; propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' } = {},
  ): Promise<boolean> {
    try {
      await this.request({
        method: 'DELETE',
        path: objectPath(kind, name, namespace),
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          propagationPolicy: options.propagationPolicy ?? 'Background',
          ...(options.uid === undefined ? {} : { preconditions: { uid: options.uid } }),
        },
      });
      return true;
    } catch (error) {
      if (error instanceof KubeError && error.notFound) return false;
      throw error;
    }
  }

  /** Whether the server says that it is ready. */
  async isReady(timeoutMs = 5_000): Promise<boolean> {
    try {
      const answer = await this.open({
        method: 'GET',
        path: '/readyz',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await readAll(answer);
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  }
}

function queryText(query: KubeRequest['query']): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}

async function readAll(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
