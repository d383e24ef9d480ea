/**
 * The caller sent a signing request that cannot be signed; REST answers 400 with the message. It may quote what the
 * caller sent, so it is made only where that cannot be a private key.
 */
export class CertificateRequestError extends Error {
  override readonly name = 'CertificateRequestError';
}

/** Our own certificate authority is not fit to sign. Not the caller's fault, and never says what the key looks like. */
export class CertificateAuthorityError extends Error {
  override readonly name = 'CertificateAuthorityError';
}
