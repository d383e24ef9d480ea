import type pg from 'pg';

export interface OwnConnection {
  client: pg.PoolClient;
  /** Ended rather than given back: what was done to its session must not meet the next user. */
  end(): void;
}

/** Takes a connection out of the pool for long; `onLost` is called once, should it break before it is ended. */
export async function takeConnection(pool: pg.Pool, onLost: (error: Error) => void): Promise<OwnConnection> {
  const client = await pool.connect();
  let over = false;
  function end(error: Error | true): boolean {
    if (over) return false;
    over = true;
    client.release(error);
    return true;
  }
  client.on('error', (error) => {
    if (end(error)) onLost(error);
  });
  return { client, end: () => void end(true) };
}
