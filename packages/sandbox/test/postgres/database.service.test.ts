import { Client } from 'pg';
import { expect, test } from 'vitest';

import { createTestDatabase } from '../support/database.ts';

test('every test file gets an empty database of its own in a real PostgreSQL', async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.connectionString });
  try {
    await client.connect();
    const tables = await client.query(
      "select table_name from information_schema.tables where table_schema = 'public'",
    );
    expect(tables.rows).toEqual([]);
    const encoding = await client.query<{ server_encoding: string }>('show server_encoding');
    expect(encoding.rows[0]?.server_encoding).toBe('UTF8');
  } finally {
    await client.end();
    await database.drop();
  }
});
