export interface OpenStackErrorDetails {
  /** Which service refused, as a person names it: "compute", "identity". */
  readonly service: string;
  /** HTTP status, or null when no answer came at all. */
  readonly status: number | null;
  readonly message: string;
  /** `req-…` of the service's own log, where it gave one. */
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

/** A service of the cloud refused a request, or did not answer it. */
export class OpenStackError extends Error {
  override readonly name = 'OpenStackError';
  readonly service: string;
  readonly status: number | null;
  readonly requestId: string | null;

  constructor(details: OpenStackErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.service = details.service;
    this.status = details.status;
    this.requestId = details.requestId ?? null;
  }

  /** No answer, or one that says the service cannot serve now: the same request may succeed later. */
  get unavailable(): boolean {
    return this.status === null || this.status === 429 || this.status >= 500;
  }
}

/** The catalogue of the token has no endpoint for a service that is needed. */
export class EndpointNotFound extends Error {
  override readonly name = 'EndpointNotFound';
  readonly serviceType: string;

  constructor(serviceType: string, region: string | null, endpointInterface: string) {
    const where = region === null ? '' : ` in region ${region}`;
    super(
      `The service catalogue has no ${endpointInterface} endpoint for "${serviceType}"${where}. ` +
        'Ask the operator of the cloud to register one, or choose another region or interface.',
    );
    this.serviceType = serviceType;
  }
}
