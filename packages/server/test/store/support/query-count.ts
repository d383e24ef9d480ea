import { Client } from 'pg';

/** The conductor looks for work and tells that it lives whenever it is time; that belongs to no request. */
const ofConductor = /"operation"|"service"|advisory/;

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : String((query as { text?: unknown } | undefined)?.text);

/**
 * Counts what is sent to the database while something is done. Every statement of the service passes through
 * its client library, so that is where they are counted; what the test itself sends counts too.
 */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const prototype = Client.prototype as unknown as Record<'query', (...args: unknown[]) => unknown>;
  const { query } = prototype;
  let count = 0;
  prototype.query = function counting(this: Client, ...args) {
    if (!ofConductor.test(textOf(args[0]))) count += 1;
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return count;
}
