import { Client } from 'pg';

export type Dump = Record<string, Record<string, unknown>[]>;

/** A look into the store from outside, past everything the service would show or hide. */
export interface Database {
  /** Every row of every table. */
  dump(): Promise<Dump>;
  /** A hash of each table: equal before and after when nothing changed. */
  fingerprint(): Promise<Record<string, string>>;
  /** Waits until everything that was accepted is carried out. */
  allWorkDone(): Promise<void>;
  close(): Promise<void>;
}

const limitMs = 20_000;

export async function openDatabase(connectionString: string): Promise<Database> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const tables = rows.map(({ name }) => name);
  const hashes = tables
    .map((table) => `(select md5(coalesce(string_agg(t::text, ';' order by t::text), '')) from "${table}" t)`)
    .map((hash, index) => `${hash} as "${tables[index]}"`);

  return {
    async dump() {
      const dump: Dump = {};
      for (const table of tables) {
        const { rows } = await client.query<{ row: Record<string, unknown> }>(
          `select to_jsonb(t) as row from "${table}" t`,
        );
        dump[table] = rows.map(({ row }) => row);
      }
      return dump;
    },
    async fingerprint() {
      const { rows } = await client.query<Record<string, string>>(`select ${hashes.join(', ')}`);
      return rows[0] ?? {};
    },
    async allWorkDone() {
      const deadline = Date.now() + limitMs;
      for (;;) {
        const { rows } = await client.query<{ left: number }>('select count(*)::int as left from operation');
        if (rows[0]?.left === 0) return;
        if (Date.now() > deadline) throw new Error(`${rows[0]?.left} operations are still not done`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    close: () => client.end(),
  };
}
