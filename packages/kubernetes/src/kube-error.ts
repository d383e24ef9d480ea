/** An answer of an API server other than success, or none at all (`status` 0). */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly status: number;
  /** Kubernetes' own word for it, such as NotFound or Conflict. */
  readonly reason: string;

  constructor(status: number, reason: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.status = status;
    this.reason = reason;
  }

  /** The server could not be reached, or is overloaded or restarting: the same may work a moment later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  get notFound(): boolean {
    return this.status === 404;
  }

  get conflict(): boolean {
    return this.status === 409;
  }

  /** A resource version that the server has forgotten. */
  get expired(): boolean {
    return this.status === 410;
  }
}

interface Status {
  message?: unknown;
  reason?: unknown;
}

/** The error that a body of kind Status tells of. */
export function errorOf(status: number, body: string): KubeError {
  let told: Status = {};
  try {
    told = (JSON.parse(body) as Status | null) ?? {};
  } catch {
    // Proxies and overloaded servers answer in plain text.
    told = { message: body.slice(0, 300) };
  }
  const message =
    typeof told.message === 'string' && told.message !== '' ? told.message : `HTTP status ${status}`;
  return new KubeError(status, typeof told.reason === 'string' ? told.reason : '', message);
}
