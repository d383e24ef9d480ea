import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { memoryObjectStore, postgresObjectStore } from '../../src/cloud/index.ts';
import type { ObjectStore } from '../../src/cloud/index.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { passwordAuth, startTestCloud } from './support/test-cloud.ts';
import type { TestCloud } from './support/test-cloud.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.connectionString, connectionTimeoutMillis: 10_000 });
  // The pool ends before its connections do, and the one that is still closing hears of the drop by force.
  pool.on('connect', (client) => client.on('error', () => undefined));
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const KEYS = '/compute/v2.1/os-keypairs';
const TOKENS = '/identity/v3/auth/tokens';

/** Everything a client can list, as one text. */
async function inventory({ call, token }: TestCloud): Promise<string> {
  const admin = await token('admin');
  const lists = [
    '/identity/v3/users',
    '/identity/v3/projects',
    '/identity/v3/roles',
    '/identity/v3/services',
    '/compute/v2.1/flavors/detail',
    KEYS,
    '/image/v2/images',
    '/network/v2.0/networks',
    '/network/v2.0/subnets',
    '/volume/v3/types',
  ];
  const answers = await Promise.all(lists.map((path) => call('GET', path, { token: admin })));
  const text = JSON.stringify(answers.map((answer) => answer.body));
  return text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
}

describe.each([
  ['in memory', async (): Promise<ObjectStore> => memoryObjectStore()],
  ['in PostgreSQL', async (): Promise<ObjectStore> => postgresObjectStore(pool)],
])('a cloud whose store is kept %s', (_where, makeStore) => {
  it('has after a kill what it had before, under the same ids', async () => {
    const store = await makeStore();
    const first = await startTestCloud({ store });
    const demo = await first.token('demo');
    const revoked = await first.token('demo');
    await first.call('DELETE', TOKENS, { token: revoked, subject: revoked });
    expect(
      (await first.call('POST', KEYS, { token: demo, body: { keypair: { name: 'kept' } } })).status,
    ).toBe(200);
    expect((await first.call('DELETE', `${KEYS}/otherkey`, { token: demo })).status).toBe(202);
    const before = await inventory(first);

    // The first cloud is not closed: whatever it would do at its end must not be needed.
    const second = await startTestCloud({ store });
    expect(second.cloud.users).toEqual(first.cloud.users);
    expect(second.cloud.projects).toEqual(first.cloud.projects);
    expect(await inventory(second)).toBe(before);
    expect((await second.call('GET', `${KEYS}/kept`, { token: demo })).status).toBe(200);
    expect((await second.call('GET', `${KEYS}/otherkey`, { token: demo })).status).toBe(404);
    expect((await second.call('GET', KEYS, { token: revoked })).status).toBe(401);

    await Promise.all([first.cloud.close(), second.cloud.close()]);
  });
});

describe('starting again', () => {
  it('sets the passwords that are given, and leaves tokens alone when they are the same', async () => {
    const first = await startTestCloud();
    const token = await first.token('bob');
    await first.cloud.close();

    const second = await startTestCloud({ store: first.store });
    expect((await second.call('GET', KEYS, { token })).status).toBe(200);
    await second.cloud.close();

    const passwords = { ...first.passwords, bob: 'a new one' };
    const third = await startTestCloud({ store: first.store, passwords });
    expect((await third.call('POST', TOKENS, { body: passwordAuth('bob', 'a new one') })).status).toBe(201);
    const old = passwordAuth('bob', first.passwords.bob);
    expect((await third.call('POST', TOKENS, { body: old })).status).toBe(401);
    await third.cloud.close();
  });

  it('after a start that was killed half-way completes the seed without doubling anything', async () => {
    const whole = await startTestCloud();
    const expected = (await inventory(whole)).length;
    await whole.cloud.close();

    for (const writes of [1, 7, 20, 40, 60]) {
      const kept = memoryObjectStore();
      await expect(startTestCloud({ store: failingAfter(writes, kept) })).rejects.toThrow('killed');
      const again = await startTestCloud({ store: kept });
      expect((await inventory(again)).length).toBe(expected);
      await again.cloud.close();
    }
  });

  it('can be done twice at once on one empty database', async () => {
    await pool.query('drop schema if exists sandbox cascade');
    await expect(Promise.all([postgresObjectStore(pool), postgresObjectStore(pool)])).resolves.toHaveLength(
      2,
    );
  });
});

describe('a store that refuses', () => {
  it('makes the request fail and leaves nothing behind', async () => {
    const kept = memoryObjectStore();
    let broken = false;
    const store: ObjectStore = {
      ...kept,
      put: (...change) => (broken ? Promise.reject(new Error('disk full')) : kept.put(...change)),
      delete: (...change) => (broken ? Promise.reject(new Error('disk full')) : kept.delete(...change)),
    };
    const { cloud, call, token } = await startTestCloud({ store });
    const demo = await token('demo');
    const body = { network: { name: 'unlucky' } };
    broken = true;
    const refused = await call('POST', '/network/v2.0/networks', { token: demo, body });
    expect(refused.status).toBe(500);
    expect(JSON.stringify(refused.body)).not.toContain('disk full');
    expect((await call('DELETE', `${KEYS}/mykey`, { token: demo })).status).toBe(500);
    broken = false;
    const list = await call('GET', '/network/v2.0/networks?name=unlucky', { token: demo });
    expect(list.body).toEqual({ networks: [] });
    expect((await call('GET', `${KEYS}/mykey`, { token: demo })).status).toBe(200);
    await cloud.close();
  });
});

/** A store that takes so many changes and then dies with its process. */
function failingAfter(writes: number, kept: ObjectStore): ObjectStore {
  let left = writes;
  return {
    ...kept,
    put: (...change) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : kept.put(...change);
    },
  };
}
