import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVault, generateKeyFileLine, KeyRing, openStore, type Store } from '../../src/index.ts';
import { chainVerifies } from '../certificates/support/openssl.ts';
import { withDatabase } from '../store/support/rows.ts';
import { makeCluster, makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { requests, shownCa } from './support.ts';

const [oldKey, newKey] = [generateKeyFileLine(), generateKeyFileLine()];
let service: TestService;
let store: Store;
let cluster: string;

beforeAll(async () => {
  service = await startTestService({ change: (options) => ({ ...options, keyRing: KeyRing.parse(oldKey) }) });
  cluster = await makeCluster(service, 'demo', await makeTemplate(service, 'demo'));
  store = openStore({ connectionString: service.connectionString });
});
afterAll(async () => {
  await store.close();
  await service.close();
});

const reseal = (keys: string): Promise<number> =>
  createVault(store, KeyRing.parse(keys), { rsaKeySize: 1024 }).reseal();

const restartWith = (keys: string): Promise<void> => {
  service.options.keyRing = KeyRing.parse(keys);
  return service.restart();
};

async function signs(): Promise<boolean> {
  const answer = await service.request('demo', 'POST', '/v1/certificates', {
    cluster_uuid: cluster,
    csr: requests.EC,
  });
  return answer.status === 201 && chainVerifies(answer.body.pem, await shownCa(service, cluster));
}

const sealed = (): Promise<string[]> =>
  withDatabase(service.connectionString, async (client) => {
    const { rows } = await client.query<{ key: string }>('select sealed_private_key as key from certificate');
    return rows.map(({ key }) => key);
  });

describe('the keys that seal', () => {
  test('keep every private key from being read in the store', async () => {
    const rows = await sealed();
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).not.toContain('PRIVATE KEY');
  });

  test('can be changed while the service knows the old and the new one, and then without the old one', async () => {
    const ca = await shownCa(service, cluster);
    const before = await sealed();
    await restartWith(`${newKey}\n${oldKey}`);
    expect(await signs()).toBe(true);
    expect(await reseal(`${newKey}\n${oldKey}`)).toBe(4);
    expect(await reseal(`${newKey}\n${oldKey}`)).toBe(0);
    expect((await sealed()).filter((row) => before.includes(row))).toEqual([]);
    await restartWith(newKey);
    expect(await shownCa(service, cluster)).toBe(ca);
    expect(await signs()).toBe(true);
  });

  test('that are missing are told in the log and not to the client, and nothing is made anew', async () => {
    await restartWith(oldKey);
    const answer = await service.request('demo', 'GET', `/v1/certificates/${cluster}`);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/key ring|sealed/);
    await restartWith(newKey);
    expect(await signs()).toBe(true);
    expect(await sealed()).toHaveLength(4);
  });

  test('seal anew while clusters are made, and lose none of theirs', async () => {
    await restartWith(`${oldKey}\n${newKey}`);
    const template = await makeTemplate(service, 'demo');
    const [count] = await Promise.all([
      reseal(`${oldKey}\n${newKey}`),
      makeCluster(service, 'demo', template, { name: 'meanwhile' }),
    ]);
    expect(count).toBeGreaterThanOrEqual(4);
    await restartWith(oldKey);
    expect(await signs()).toBe(true);
    const { body } = await service.request('demo', 'GET', '/v1/clusters/meanwhile');
    expect(await shownCa(service, body.uuid)).toContain('BEGIN CERTIFICATE');
  });
});
