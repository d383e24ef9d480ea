export { startEmbeddedPostgres } from './embedded.ts';
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded.ts';
export { PostgresError } from './errors.ts';
