import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../sandbox/test/support/database.ts';
import { migrate, openStore } from '../../src/store/index.ts';
import { fillClusters, withDatabase } from './support/rows.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const store = openStore({ connectionString: database.connectionString });
  await migrate(store.database);
  await store.close();
});
afterAll(() => database.drop());

const sums = async (client: Client) =>
  (
    await client.query<{ name: string; node_count: number; master_count: number }>(
      'select name, node_count, master_count from cluster order by id',
    )
  ).rows;

describe('the numbers of nodes that a cluster shows', () => {
  test('follow its groups, whoever writes them and how', () =>
    withDatabase(database.connectionString, async (client) => {
      await fillClusters(client, { projectId: 'p', userId: 'u', count: 2 });
      expect(await sums(client)).toEqual([
        { name: 'filled-1', node_count: 1, master_count: 1 },
        { name: 'filled-2', node_count: 1, master_count: 1 },
      ]);

      await client.query("update nodegroup set node_count = 5 where role = 'worker'");
      await client.query("update nodegroup set node_count = 3 where role = 'master' and id = 1");
      await client.query(
        `insert into nodegroup (uuid, name, cluster_uuid, project_id, labels, node_count, role, min_node_count, is_default, status)
         select gen_random_uuid(), 'gpu', uuid, 'p', '{}', 2147483647, 'gpu', 0, false, 'CREATE_COMPLETE' from cluster where name = 'filled-2'`,
      );
      expect(await sums(client)).toEqual([
        { name: 'filled-1', node_count: 5, master_count: 3 },
        { name: 'filled-2', node_count: 2147483652, master_count: 1 },
      ]);

      await client.query("delete from nodegroup where role <> 'master'");
      expect(await sums(client)).toEqual([
        { name: 'filled-1', node_count: 0, master_count: 3 },
        { name: 'filled-2', node_count: 0, master_count: 1 },
      ]);
    }));

  test('do not stand in the way of deleting a cluster with its groups', () =>
    withDatabase(database.connectionString, async (client) => {
      await client.query("delete from cluster where name = 'filled-1'");
      expect(await sums(client)).toHaveLength(1);
    }));

  test('leave a cluster untouched by changes of its groups that are not about numbers', () =>
    withDatabase(database.connectionString, async (client) => {
      const version = async () =>
        (await client.query<{ xmin: string }>('select xmin::text from cluster')).rows[0]?.xmin;
      const before = await version();
      await client.query("update nodegroup set status = 'UPDATE_COMPLETE'");
      expect(await version()).toBe(before);
    }));
});
