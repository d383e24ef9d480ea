import { errorMessage } from './error-message.ts';
import { BodyTooLarge, readLimited } from './limited-body.ts';
import { OpenStackError } from './openstack-error.ts';
import { DEFAULT_RETRY_BUDGET, isPassing, nextDelayMs, retryAfterMs } from './retry.ts';
import type { RetryBudget } from './retry.ts';

export interface HttpRequest {
  readonly service: string;
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Says of a POST or PATCH that repeating it does no harm; other methods are judged by their name. */
  readonly idempotent?: boolean;
  /** What must never be repeated in an error message, besides the token. */
  readonly secrets?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; null when the answer had no body. */
  readonly body: unknown;
}

/** Answers with a 2xx reply or throws an {@link OpenStackError}. */
export type Http = (request: HttpRequest) => Promise<HttpReply>;

export interface HttpOptions {
  /** Limit of one attempt, from connecting to the last byte of the body. */
  readonly attemptTimeoutMs?: number;
  readonly retry?: Partial<RetryBudget>;
  readonly maxBytes?: number;
  readonly fetch?: typeof fetch;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly now?: () => number;
  readonly random?: () => number;
}

const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const EIGHT_MEBIBYTES = 8 * 1024 * 1024;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Why an attempt failed, and whether another one may be made. */
interface Failure {
  readonly error: OpenStackError;
  readonly passing: boolean;
  readonly askedMs: number | null;
}

function requestIdOf(headers: Headers): string | null {
  return headers.get('x-openstack-request-id') ?? headers.get('x-compute-request-id');
}

function parseJson(text: string): { value: unknown } | null {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** The text of the lowest cause is the one that names the host and the reason ("connect ECONNREFUSED …"). */
function rootReason(error: unknown): string {
  let deepest = error;
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause;
  // One error for each address that a name resolves to; they seldom differ.
  if (deepest instanceof AggregateError) deepest = deepest.errors[0];
  if (!(deepest instanceof Error)) return 'unknown reason';
  if (deepest.name === 'TimeoutError') return 'no complete answer in time';
  return deepest.message === '' ? deepest.name : deepest.message;
}

/** Makes the one function through which every request to the cloud goes. */
export function createHttp(options: HttpOptions = {}): Http {
  const budget: RetryBudget = { ...DEFAULT_RETRY_BUDGET, ...options.retry };
  const attemptTimeoutMs = options.attemptTimeoutMs ?? 10_000;
  const maxBytes = options.maxBytes ?? EIGHT_MEBIBYTES;
  const send = options.fetch ?? fetch;
  const sleep = options.sleep ?? pause;
  const now = options.now ?? Date.now;
  const random = options.random ?? Math.random;

  async function attempt(request: HttpRequest, remainingMs: number): Promise<HttpReply | Failure> {
    const { service } = request;
    const headers: Record<string, string> = { accept: 'application/json', ...request.headers };
    if (request.token !== undefined) headers['x-auth-token'] = request.token;
    if (request.json !== undefined) headers['content-type'] = 'application/json';
    const timeout = AbortSignal.timeout(Math.max(1, Math.min(attemptTimeoutMs, remainingMs)));
    let response: Response;
    let text: string;
    try {
      response = await send(request.url, {
        method: request.method ?? 'GET',
        headers,
        body: request.json === undefined ? undefined : JSON.stringify(request.json),
        signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
        // A followed redirect would carry X-Auth-Token to whatever host the answer names.
        redirect: 'manual',
      });
      text = await readLimited(response, maxBytes);
    } catch (cause) {
      const tooLarge = cause instanceof BodyTooLarge;
      const message = tooLarge
        ? `The ${service} service ${cause.message}, more than the ${maxBytes} that are accepted.`
        : `The ${service} service at ${new URL(request.url).origin} cannot be reached: ${rootReason(cause)}.`;
      const cancelled = request.signal?.aborted === true;
      const error = new OpenStackError({ service, status: null, message, cause });
      return { error, passing: !tooLarge && !cancelled, askedMs: null };
    }
    return judge(request, response, text);
  }

  function judge(request: HttpRequest, response: Response, text: string): HttpReply | Failure {
    const { service } = request;
    const { status, headers } = response;
    const requestId = requestIdOf(headers);
    const parsed = parseJson(text);
    if (response.ok && parsed !== null) return { status, headers, body: parsed.value };
    const secrets = [request.token ?? '', ...(request.secrets ?? [])];
    const message = response.ok
      ? `The ${service} service answered ${status} with something other than JSON; is its endpoint right?`
      : errorMessage(service, status, parsed?.value, secrets);
    return {
      error: new OpenStackError({ service, status, message, requestId }),
      passing: isPassing(status),
      askedMs: retryAfterMs(headers.get('retry-after'), now()),
    };
  }

  return async function request(request) {
    const repeatable = request.idempotent ?? REPEATABLE.has(request.method ?? 'GET');
    const started = now();
    for (let count = 1; ; count += 1) {
      const outcome = await attempt(request, budget.totalMs - (now() - started));
      if (!('error' in outcome)) return outcome;
      if (!repeatable || !outcome.passing) throw outcome.error;
      const elapsedMs = now() - started;
      const delay = nextDelayMs({
        attempt: count,
        elapsedMs,
        budget,
        askedMs: outcome.askedMs,
        random: random(),
      });
      if (delay === null) throw outcome.error;
      await sleep(delay);
    }
  };
}
