export interface IdentityReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// Byte for byte what the token middleware of OpenStack sends, spaces included.
const UNAUTHORIZED_BODY =
  '{"error": {"code": 401, "title": "Unauthorized", ' +
  '"message": "The request you have made requires authentication."}}';

const UNAVAILABLE_BODY =
  '{"error": {"code": 503, "title": "Service Unavailable", ' +
  '"message": "The Keystone service is temporarily unavailable."}}';

/** To a request without a token that Keystone knows. Clients read the header to learn where to get one. */
export function unauthorizedReply(authUri: string): IdentityReply {
  return {
    statusCode: 401,
    headers: { 'content-type': 'application/json', 'www-authenticate': `Keystone uri="${authUri}"` },
    body: UNAUTHORIZED_BODY,
  };
}

/** To a request whose token nobody can judge now. A 401 would make clients throw away a token that may be good. */
export function identityUnavailableReply(): IdentityReply {
  return {
    statusCode: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '5' },
    body: UNAVAILABLE_BODY,
  };
}
