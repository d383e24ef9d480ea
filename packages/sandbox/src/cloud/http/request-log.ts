/** One request the cloud received. Headers and bodies are left out: they hold tokens and passwords. */
export interface LoggedRequest {
  at: number;
  method: string;
  /** Without the query. */
  path: string;
  query: string;
  /** 0 while the answer is outstanding, and for requests that never got one. */
  status: number;
}

const DEFAULT_LENGTH = 2000;

/** The latest requests, oldest first, so that a test can count the calls that something makes. */
export class RequestLog {
  readonly #length: number;
  #entries: LoggedRequest[] = [];

  constructor(length = DEFAULT_LENGTH) {
    this.#length = length;
  }

  add(entry: LoggedRequest): LoggedRequest {
    this.#entries.push(entry);
    // Cut in large steps: shifting one entry per request would copy the whole list each time.
    if (this.#entries.length >= 2 * this.#length) this.#entries = this.#entries.slice(-this.#length);
    return entry;
  }

  entries(): readonly LoggedRequest[] {
    return this.#entries.slice(-this.#length);
  }

  count(method: string, path: string | RegExp): number {
    return this.entries().filter((entry) => entry.method === method && pathMatches(path, entry.path)).length;
  }

  clear(): void {
    this.#entries = [];
  }
}

export function pathMatches(pattern: string | RegExp, path: string): boolean {
  // search() and not test(): it ignores the position that a global expression carries from call to call.
  return typeof pattern === 'string' ? path === pattern : path.search(pattern) !== -1;
}
