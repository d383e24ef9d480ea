import type { Answer, RecordedRequest, UserName } from './fixture.ts';
import { httpTransport } from './http.ts';
import type { HttpRequest, Transport } from './http.ts';
import { dig } from './json.ts';
import { normaliseAnswer } from './normalise.ts';
import { substitute, substituteText } from './substitute.ts';
import type { Variables } from './substitute.ts';

/** A running service, and who may use it. `vars` holds the ids that fixtures name (`project.demo`, `user.bob`, …). */
export interface Target {
  baseUrl: string;
  tokens: Record<UserName, string>;
  vars: Record<string, string>;
}

/** One scenario's conversation with the service: what it saved from answers, and how it writes requests. */
export class Session {
  readonly #target: Target;
  readonly #transport: Transport;
  readonly #saved = new Map<string, string>();

  constructor(target: Target, transport: Transport = httpTransport(target.baseUrl)) {
    this.#target = target;
    this.#transport = transport;
  }

  get variables(): Variables {
    return new Map([...Object.entries(this.#target.vars), ...this.#saved]);
  }

  keep(name: string, value: string): void {
    this.#saved.set(name, value);
  }

  /** A name that an earlier step saved must not outlive the step that is to save it anew. */
  forget(names: Iterable<string>): void {
    for (const name of names) this.#saved.delete(name);
  }

  save(paths: Record<string, string>, answer: Answer): void {
    for (const [name, path] of Object.entries(paths)) {
      const value = dig(answer.body, path);
      if (typeof value === 'string' || typeof value === 'number') this.keep(name, String(value));
    }
  }

  send(request: RecordedRequest): Promise<Answer> {
    return this.#transport(this.#write(request));
  }

  normalise(answer: Answer): Answer {
    return normaliseAnswer(answer, { baseUrl: this.#target.baseUrl, variables: this.variables });
  }

  #write(request: RecordedRequest): HttpRequest {
    const { variables } = this;
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (request.json !== undefined) headers['Content-Type'] = 'application/json';
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      // The recordings write "send no Accept header" as an empty one.
      if (value === null || (name === 'Accept' && value === '')) delete headers[name];
      else headers[name] = substituteText(value, variables);
    }
    if (request.as) headers['X-Auth-Token'] = this.#target.tokens[request.as];
    const path = substituteText(request.path, variables);
    return { method: request.method, path, headers, ...bodyOf(request, variables) };
  }
}

function bodyOf(request: RecordedRequest, variables: Variables): { body?: string } {
  if (request.json !== undefined) return { body: JSON.stringify(substitute(request.json, variables)) };
  if (request.raw !== undefined) return { body: substituteText(request.raw, variables) };
  if (!request.fill) return {};
  const { prefix = '', char, count, suffix = '' } = request.fill;
  return { body: prefix + char.repeat(count) + suffix };
}
