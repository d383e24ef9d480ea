// A process that keeps an embedded PostgreSQL, made to be killed: `keeper-process.ts <directory>`. It tells what it
// does in JSON lines, writes rows without end and tells of each only after the commit was acknowledged.

import { startEmbeddedPostgres } from '@jeroboam/sandbox';
import { Client } from 'pg';

const tell = (event: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(event)}\n`);

const postgres = await startEmbeddedPostgres({
  directory: process.argv[2] ?? '',
  log: (line) => tell({ event: 'log', line }),
});
// Before anyone is told that it is up and may say stop.
process.on('SIGTERM', () => {
  void postgres.stop().then(() => process.exit(0));
});
tell({
  event: 'up',
  pid: postgres.pid,
  adopted: postgres.adopted,
  directory: postgres.directory,
  connectionString: postgres.connectionString(),
});

const client = new Client({ connectionString: postgres.connectionString() });
// The server may be killed as well; then this process has nothing more to write, but goes on keeping.
client.on('error', () => {});
try {
  await client.connect();
  await client.query('create table if not exists acknowledged (id bigserial primary key)');
  for (;;) {
    const written = await client.query<{ id: string }>(
      'insert into acknowledged default values returning id',
    );
    tell({ event: 'acknowledged', id: Number(written.rows[0]?.id) });
  }
} catch {
  setInterval(() => {}, 60_000);
}
