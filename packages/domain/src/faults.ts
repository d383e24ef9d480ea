/**
 * The error catalogue: every refusal the service can give, with the HTTP status it maps to.
 * API, command lines and logs share it, so that one mistake has one name everywhere.
 */
export const faultKinds = {
  invalid_input: { status: 400, meaning: 'A field of the request has a value that is not allowed.' },
  malformed_request: { status: 400, meaning: 'The request as a whole cannot be understood.' },
  not_supported: { status: 400, meaning: 'The driver, the API version or the service cannot do this.' },
  cloud_resource_missing: {
    status: 400,
    meaning: 'A flavor, image or network named in the request does not exist.',
  },
  operation_refused: { status: 400, meaning: 'The present state of the resource does not allow this.' },
  unauthenticated: { status: 401, meaning: 'The token is missing, expired or unknown.' },
  forbidden: { status: 403, meaning: 'Policy or quota does not allow this.' },
  not_found: { status: 404, meaning: 'There is no such resource for this caller.' },
  method_not_allowed: { status: 405, meaning: 'The resource exists, the method does not.' },
  not_acceptable: { status: 406, meaning: 'The API version or media type asked for cannot be served.' },
  conflict: { status: 409, meaning: 'The request contradicts what exists.' },
  too_large: { status: 413, meaning: 'The request body is larger than the service takes.' },
  unsupported_media_type: { status: 415, meaning: 'The request body is not JSON.' },
  internal: {
    status: 500,
    meaning: 'A defect of the service; the log has the details under the request id.',
  },
  busy: { status: 503, meaning: 'The service has too much of this to do at the moment; try again later.' },
  cloud_unavailable: { status: 503, meaning: 'A service of the cloud did not answer; try again later.' },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type FaultKind = keyof typeof faultKinds;

/** A refusal with words for the user. `field` names the attribute at fault where there is one. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly kind: FaultKind;
  readonly status: number;
  readonly field: string | undefined;

  constructor(
    kind: FaultKind,
    message: string,
    options: { field?: string; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status ?? faultKinds[kind].status;
    this.field = options.field;
  }
}

export const isFault = (error: unknown): error is Fault => error instanceof Fault;

/** Several refusals told as one, each in its own words; `mixed` is its status where theirs differ. */
export function combinedFault(faults: readonly [Fault, ...Fault[]], mixed = 400): Fault {
  const [first, ...others] = faults;
  if (others.length === 0) return first;
  const statuses = new Set(faults.map((fault) => fault.status));
  const status = statuses.size === 1 ? first.status : mixed;
  const list = faults.map((fault, index) => `(${index + 1}) ${fault.message}`).join(' ');
  const message = `${faults.length} things stand in the way: ${list}`;
  const field = faults.map((fault) => fault.field ?? '').find((name) => name !== '');
  return new Fault(first.kind, message, { status, ...(field === undefined ? {} : { field }) });
}
