import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestCloud } from './support/test-cloud.ts';
import type { Answer, TestCloud } from './support/test-cloud.ts';

const KEYS = '/compute/v2.1/os-keypairs';
const FLAVORS = '/compute/v2.1/flavors';
const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMkoHHpO4WnbSzo4pES+lYjNlHf+OVALZ7JrDwZ6Jmxy t';

let test: TestCloud;
let token: string;

beforeAll(async () => {
  test = await startTestCloud();
  token = await test.token('demo');
});
afterAll(() => test.cloud.close());

const at = (version: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  test.call(method, path, { token, body, headers: { 'OpenStack-API-Version': `compute ${version}` } });

const keypair = (answer: Answer): Record<string, unknown> =>
  (answer.body as { keypair: Record<string, unknown> }).keypair;

describe('key pairs over the versions of the API', () => {
  it.each([
    ['2.1', 200, 202, false],
    ['2.2', 201, 204, true],
    ['latest', 201, 204, true],
  ])('at %s: made with %i, deleted with %i, with a type: %s', async (version, made, deleted, typed) => {
    const answer = await at(version, 'POST', KEYS, { keypair: { name: 'versions', public_key: ED25519 } });
    expect(answer.status).toBe(made);
    expect('type' in keypair(answer)).toBe(typed);
    expect('type' in keypair(await at(version, 'GET', `${KEYS}/versions`))).toBe(typed);
    expect((await at(version, 'DELETE', `${KEYS}/versions`)).status).toBe(deleted);
    expect((await at(version, 'GET', `${KEYS}/versions`)).status).toBe(404);
  });

  it('without a public key one is made, whose private half is shown once, until 2.92 forbids it', async () => {
    const made = keypair(await at('2.2', 'POST', KEYS, { keypair: { name: 'made' } }));
    const key = createPrivateKey(String(made['private_key']));
    const { n } = createPublicKey(key).export({ format: 'jwk' });
    const blob = Buffer.from(String(made['public_key']).split(' ')[1] ?? '', 'base64');
    expect(blob.includes(Buffer.from(n ?? '', 'base64url'))).toBe(true);
    const md5 = createHash('md5').update(blob).digest('hex');
    expect(String(made['fingerprint']).replaceAll(':', '')).toBe(md5);
    expect(keypair(await at('2.2', 'GET', `${KEYS}/made`))).not.toHaveProperty('private_key');
    expect((await at('2.92', 'POST', KEYS, { keypair: { name: 'none' } })).status).toBe(400);
  });

  it.each(['not a key', 'ssh-rsa AAAA', 'ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIMkoHHpO4WnbSzo4pES', ''])(
    '«%s» is not a public key',
    async (text) => {
      expect((await at('2.2', 'POST', KEYS, { keypair: { name: 'bad', public_key: text } })).status).toBe(
        400,
      );
    },
  );

  it('are listed by page from 2.35 on', async () => {
    const first = (await at('2.35', 'GET', `${KEYS}?limit=1`)).body as {
      keypairs: unknown[];
      keypairs_links: object[];
    };
    expect(first.keypairs).toHaveLength(1);
    expect(first.keypairs_links).toHaveLength(1);
    const all = (await at('2.1', 'GET', `${KEYS}?limit=1`)).body as { keypairs: unknown[] };
    expect(all.keypairs.length).toBeGreaterThan(2);
  });
});

describe('flavors', () => {
  it('show more of themselves in later versions', async () => {
    const fields = async (version: string): Promise<Record<string, unknown>> =>
      ((await at(version, 'GET', `${FLAVORS}/2`)).body as { flavor: Record<string, unknown> }).flavor;
    expect(await fields('2.1')).toMatchObject({ name: 'm1.small', swap: '' });
    expect(await fields('2.54')).not.toHaveProperty('description');
    expect(await fields('2.55')).toHaveProperty('description', null);
    expect(await fields('2.60')).not.toHaveProperty('extra_specs');
    expect(await fields('2.61')).toHaveProperty('extra_specs', {});
    expect(await fields('2.75')).toHaveProperty('swap', 0);
  });

  it('can be walked page by page with the links', async () => {
    const names: string[] = [];
    let next: string | undefined = `${FLAVORS}?limit=2`;
    while (next !== undefined) {
      const { body } = await at('2.1', 'GET', next);
      const page = body as { flavors: { name: string }[]; flavors_links?: { href: string }[] };
      names.push(...page.flavors.map((flavor) => flavor.name));
      next = page.flavors_links?.[0]?.href.slice(test.cloud.url.length);
    }
    expect(names).toEqual(['m1.tiny', 'm1.small', 'm1.medium', 'm1.large', 'm1.zerodisk']);
  });

  it('are narrowed by least memory and disk', async () => {
    const { body } = await at('2.1', 'GET', `${FLAVORS}?minRam=4096&minDisk=1`);
    const names = (body as { flavors: { name: string }[] }).flavors.map((flavor) => flavor.name);
    expect(names).toEqual(['m1.medium', 'm1.large']);
  });

  it('that are private are the administrators’ alone', async () => {
    const admin = await test.token('admin');
    const flavor = {
      name: 'hidden',
      id: 'h1',
      vcpus: 1,
      ram: 1,
      disk: 0,
      'os-flavor-access:is_public': false,
    };
    await test.call('POST', FLAVORS, { token: admin, body: { flavor } });
    expect((await at('2.1', 'GET', `${FLAVORS}/h1`)).status).toBe(404);
    expect((await test.call('GET', `${FLAVORS}/h1`, { token: admin })).status).toBe(200);
    const both = await test.call('GET', `${FLAVORS}?is_public=None`, { token: admin });
    expect(JSON.stringify(both.body)).toContain('h1');
  });
});
