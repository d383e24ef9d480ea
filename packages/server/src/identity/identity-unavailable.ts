/** Keystone cannot say who somebody is at the moment; it says nothing about the token. */
export class IdentityUnavailable extends Error {
  override readonly name = 'IdentityUnavailable';

  constructor(reason: string, cause?: unknown) {
    super(`Tokens cannot be checked at the moment: ${reason}`, cause === undefined ? undefined : { cause });
  }
}
