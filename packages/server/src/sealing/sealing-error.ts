/**
 * A value could not be sealed or opened, or a key file is not fit for use. The message names key ids, paths and line
 * numbers, never key material and never what was sealed, so it may be logged as it stands.
 */
export class SealingError extends Error {
  override readonly name = 'SealingError';
}

/** A value was sealed with a key that the ring does not have: perhaps one that was added since it was read. */
export class MissingKeyError extends SealingError {}
