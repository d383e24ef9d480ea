import { DriverRegistry } from '@jeroboam/domain';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../../src/server.ts';
import { settled } from '../support/clusters.ts';
import { until } from '../support/until.ts';
import { startRecordedService, type RecordedService } from './support/recorded-service.ts';
import { RecordingDriver } from './support/recording-driver.ts';

let recorded: RecordedService;
let client: Client;

beforeAll(async () => {
  recorded = await startRecordedService({ change: (options) => ({ ...options, stepLimitMs: 150 }) });
  client = new Client({ connectionString: recorded.service.connectionString });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await recorded.service.close();
});

/** All that is stored of a cluster. */
async function stored(cluster: string): Promise<unknown> {
  const tables = {
    cluster: 'uuid',
    nodegroup: 'cluster_uuid',
    operation: 'cluster_uuid',
    event: 'cluster_uuid',
  };
  const rows: Record<string, unknown> = {};
  for (const [table, key] of Object.entries(tables)) {
    const result = await client.query(`select * from ${table} where ${key} = $1 order by id`, [cluster]);
    rows[table] = result.rows;
  }
  return rows;
}

/** How often something is asked of the database that only a claim that is checked asks. */
function countChecks(): { count: () => number; end: () => void } {
  const prototype = Client.prototype as unknown as Record<'query', (...args: unknown[]) => unknown>;
  const { query } = prototype;
  let count = 0;
  prototype.query = function counting(this: Client, ...args) {
    const text = String((args[0] as { text?: unknown } | undefined)?.text ?? args[0]);
    if (text.startsWith('select "id", "attempt" from "operation" where "cluster_uuid"')) count += 1;
    return query.apply(this, args);
  };
  return {
    count: () => count,
    end: () => {
      prototype.query = query;
    },
  };
}

test.each(['prepare', 'create'] as const)(
  'a conductor that was stalled in %s while another took over writes nothing when it comes back',
  async (method) => {
    const { service, driver, accept } = recorded;
    const release = driver.hold(method);
    const cluster = await accept(`stalled-in-${method}`);
    await driver.wasAsked(method, cluster);
    const other = new RecordingDriver(driver.clusters);
    const second = await createServer({
      ...service.options,
      drivers: new DriverRegistry([other]),
      hostname: 'conductor-2',
    });
    await second.listen();
    const checks = countChecks();
    try {
      await other.wasAsked('create', cluster);
      expect((await settled(service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
      const before = await stored(cluster);
      const checked = checks.count();
      release();
      await until(checks.count, (count) => count > checked);
      // Every attempt of the stalled one was refused in the same transaction in which it looked.
      await until(
        () => client.query(`select count(*)::int as n from pg_stat_activity where state like 'idle in%'`),
        ({ rows }) => rows[0].n === 0,
      );
      expect(await stored(cluster)).toEqual(before);
      expect(other.deeds(cluster).filter((deed) => deed.method === 'create')).toHaveLength(1);
    } finally {
      checks.end();
      release();
      await second.close();
    }
  },
);

test('a step that takes too long is tried again by the same conductor, if there is no other', async () => {
  const { service, driver, accept } = recorded;
  const release = driver.hold('create');
  const cluster = await accept('alone');
  await driver.wasAsked('create', cluster);
  release();
  expect((await settled(service, 'demo', cluster)).body.status).toBe('CREATE_COMPLETE');
});
