/** A refusal that the client is to read. Each service wraps it in the body its real counterpart sends. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The word Neutron puts beside the message; other services have none. */
  readonly type: string | undefined;

  constructor(status: number, message: string, type?: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

export const badRequest = (message: string, type?: string): ApiError => new ApiError(400, message, type);
export const forbidden = (message: string, type?: string): ApiError => new ApiError(403, message, type);
export const notFound = (message: string, type?: string): ApiError => new ApiError(404, message, type);
export const conflict = (message: string, type?: string): ApiError => new ApiError(409, message, type);

/** Keystone and its middleware never say what was wrong with the credentials. */
export const unauthorized = (): ApiError =>
  new ApiError(401, 'The request you have made requires authentication.');

/** The words that go with a status, as Python's web frameworks spell them. */
export function reasonPhrase(status: number): string {
  return REASONS[status] ?? 'Error';
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  415: 'Unsupported Media Type',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
