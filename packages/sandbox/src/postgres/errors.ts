/** PostgreSQL could not be brought up or taken down; the message is a sentence for the person who started us. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
}

/** The `code` of a system error (`ENOENT`, …), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
