import { readFileSync } from 'node:fs';
import path from 'node:path';

import { startService } from '@jeroboam/standalone';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestDatabase } from '../../sandbox/test/support/database.ts';
import type { TestDatabase } from '../../sandbox/test/support/database.ts';
import { repository, startProgram } from './support/program.ts';
import { makeDirectory, quietSettings, signIn } from './support/service.ts';

const program = path.join(repository, 'packages/standalone/src/rotate-keys.ts');

let database: TestDatabase;
const home = makeDirectory();
const { directory } = home;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  home.remove();
});

/** The ids of the keys that seal what is stored. */
async function sealingKeys(): Promise<string[]> {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      "select distinct split_part(sealed_private_key, '.', 2) as id from certificate",
    );
    return rows.map((row) => row.id);
  } finally {
    await client.end();
  }
}

const primaryKey = (): string =>
  readFileSync(path.join(directory, 'sealing.keys'), 'utf8')
    .split('\n')
    .find((line) => line !== '' && !line.startsWith('#'))
    ?.split(':')[0] ?? '';

describe('npm run rotate-keys', () => {
  test('seals everything under a new key while the service runs, which goes on to sign', async () => {
    const service = await startService(
      quietSettings({ dataDir: directory, databaseUrl: database.connectionString }),
    );
    try {
      const token = await signIn(service, 'jeroboam');
      const ask = async (method: string, place: string, body?: unknown) => {
        const answer = await fetch(service.url + place, {
          method,
          headers: { 'x-auth-token': token, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return (await answer.json()) as Record<string, string>;
      };
      const template = await ask('POST', '/v1/clustertemplates', {
        coe: 'kubernetes',
        image_id: 'ubuntu-kube-v1.31',
        flavor_id: 'm1.small',
        master_flavor_id: 'm1.small',
      });
      const cluster = await ask('POST', '/v1/clusters', { cluster_template_id: template.uuid });
      const before = await ask('GET', `/v1/certificates/${cluster.uuid}`);
      const oldKey = primaryKey();
      expect(await sealingKeys()).toEqual([oldKey]);

      const run = startProgram([
        '--conditions=jeroboam-source',
        program,
        '--data-dir',
        directory,
        '--database-url',
        database.connectionString,
      ]);
      expect({ ended: await run.ended, said: run.stderr() }).toEqual({ ended: 0, said: '' });
      expect(run.stdout()).toContain('4 private keys were sealed anew');
      expect(primaryKey()).not.toBe(oldKey);
      expect(await sealingKeys()).toEqual([primaryKey()]);
      // The service knows the new key only from the file, which it must read again to open the authority.
      expect((await ask('GET', `/v1/certificates/${cluster.uuid}`)).pem).toBe(before.pem);
    } finally {
      await service.close();
    }
  });

  test('says what is wrong with a setting, and changes nothing', async () => {
    const key = primaryKey();
    const run = startProgram(['--conditions=jeroboam-source', program, '--data-dri', directory]);
    expect(await run.ended).toBe(2);
    expect(run.stderr()).toContain('--data-dri');
    expect(primaryKey()).toBe(key);
  });
});
