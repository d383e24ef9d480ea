import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestCloud } from './support/test-cloud.ts';
import type { TestCloud } from './support/test-cloud.ts';

let test: TestCloud;
let tokens: { admin: string; demo: string; reader: string; bob: string };

beforeAll(async () => {
  test = await startTestCloud();
  tokens = {
    admin: await test.token('admin'),
    demo: await test.token('demo'),
    reader: await test.token('reader'),
    bob: await test.token('bob'),
  };
});
afterAll(() => test.cloud.close());

const text = async (path: string, token: string): Promise<string> =>
  JSON.stringify((await test.call('GET', path, { token })).body);

describe('one project sees nothing of another', () => {
  it('neither private images', async () => {
    const made = await test.call('POST', '/image/v2/images', {
      token: tokens.demo,
      body: { name: 'demo-secret' },
    });
    const { id } = made.body as { id: string };
    const path = `/image/v2/images/${id}`;
    expect(await text('/image/v2/images', tokens.demo)).toContain(id);
    for (const query of ['', '?visibility=shared', '?visibility=all', '?name=demo-secret']) {
      expect(await text(`/image/v2/images${query}`, tokens.bob)).not.toContain(id);
    }
    expect((await test.call('GET', path, { token: tokens.bob })).status).toBe(404);
    expect((await test.call('DELETE', path, { token: tokens.bob })).status).toBe(404);
    expect((await test.call('PATCH', path, { token: tokens.bob, body: [] })).status).toBe(404);
    expect((await test.call('GET', path, { token: tokens.admin })).status).toBe(200);
  });

  it('nor networks and subnets', async () => {
    const made = await test.call('POST', '/network/v2.0/networks', {
      token: tokens.demo,
      body: { network: { name: 'demo-net' } },
    });
    const { id } = (made.body as { network: { id: string } }).network;
    const subnet = { subnet: { network_id: id, ip_version: 4, cidr: '10.77.0.0/24' } };
    const stolen = await test.call('POST', '/network/v2.0/subnets', { token: tokens.bob, body: subnet });
    expect(stolen.status).toBe(404);
    const own = await test.call('POST', '/network/v2.0/subnets', { token: tokens.demo, body: subnet });
    expect(own.status).toBe(201);
    for (const path of [`networks/${id}`, `networks/${id}/tags`]) {
      expect((await test.call('GET', `/network/v2.0/${path}`, { token: tokens.bob })).status).toBe(404);
      expect((await test.call('GET', `/network/v2.0/${path}`, { token: tokens.demo })).status).toBe(200);
    }
    expect(await text('/network/v2.0/networks', tokens.bob)).not.toContain(id);
    expect(await text('/network/v2.0/subnets', tokens.bob)).not.toContain(id);
    expect((await test.call('DELETE', `/network/v2.0/networks/${id}`, { token: tokens.bob })).status).toBe(
      404,
    );
  });

  it('nor what carries the networks that are shared', async () => {
    expect(await text('/network/v2.0/networks?name=private', tokens.bob)).not.toContain('provider:');
    expect(await text('/network/v2.0/networks?name=private', tokens.admin)).toContain(
      'provider:network_type',
    );
    expect(await text('/network/v2.0/subnets', tokens.bob)).not.toContain('203.0.113.0/24');
  });

  it('nor quotas, nor volumes by another project’s path', async () => {
    const { demo } = test.cloud.projects;
    expect(
      (await test.call('GET', `/compute/v2.1/os-quota-sets/${demo}`, { token: tokens.bob })).status,
    ).toBe(403);
    expect((await test.call('GET', `/network/v2.0/quotas/${demo}`, { token: tokens.bob })).status).toBe(403);
    expect((await test.call('GET', `/volume/v3/${demo}/types`, { token: tokens.bob })).status).toBe(400);
    expect((await test.call('GET', `/volume/v3/${demo}/types`, { token: tokens.demo })).status).toBe(200);
  });
});

describe('key pairs belong to users', () => {
  const KEYS = '/compute/v2.1/os-keypairs';
  const latest = { 'OpenStack-API-Version': 'compute latest' };

  it('two users of one project have different ones of the same name', async () => {
    const of = async (token: string): Promise<unknown> =>
      ((await test.call('GET', `${KEYS}/mykey`, { token })).body as { keypair: { fingerprint: string } })
        .keypair.fingerprint;
    expect(await of(tokens.demo)).not.toBe(await of(tokens.reader));
  });

  it('only an administrator looks at another’s', async () => {
    const path = `${KEYS}/mykey?user_id=${test.cloud.users.demo}`;
    expect((await test.call('GET', path, { token: tokens.bob, headers: latest })).status).toBe(403);
    expect((await test.call('GET', path, { token: tokens.admin, headers: latest })).status).toBe(200);
  });
});

describe('only administrators administer', () => {
  const refusedFor = async (method: string, path: string, body: unknown): Promise<number[]> => {
    const answers = await Promise.all(
      [tokens.demo, tokens.reader, tokens.bob].map((token) => test.call(method, path, { token, body })),
    );
    return answers.map((answer) => answer.status);
  };

  it.each([
    ['GET', '/identity/v3/users', undefined],
    ['GET', '/identity/v3/projects', undefined],
    ['GET', '/identity/v3/roles', undefined],
    ['GET', '/identity/v3/services', undefined],
    ['GET', '/identity/v3/endpoints', undefined],
    ['GET', '/identity/v3/domains', undefined],
    ['GET', '/identity/v3/role_assignments', undefined],
    ['POST', '/identity/v3/projects', { project: { name: 'x' } }],
    ['POST', '/identity/v3/users', { user: { name: 'x' } }],
    ['POST', '/identity/v3/roles', { role: { name: 'x' } }],
    ['POST', '/identity/v3/domains', { domain: { name: 'x' } }],
    ['POST', '/identity/v3/regions', { region: { id: 'x' } }],
    ['DELETE', '/identity/v3/users/unknown', undefined],
    ['PATCH', '/identity/v3/projects/unknown', { project: {} }],
    ['PUT', '/identity/v3/projects/a/users/b/roles/c', undefined],
    ['PUT', '/identity/v3/system/users/b/roles/c', undefined],
    ['POST', '/compute/v2.1/flavors', { flavor: { name: 'x', vcpus: 1, ram: 1, disk: 1 } }],
    ['POST', '/image/v2/images', { name: 'x', visibility: 'public' }],
    ['POST', '/network/v2.0/networks', { network: { shared: true } }],
    ['POST', '/network/v2.0/networks', { network: { 'router:external': true } }],
  ])('%s %s', async (method, path, body) => {
    expect(await refusedFor(method, path, body)).toEqual([403, 403, 403]);
  });

  it('readers make nothing', async () => {
    const image = await test.call('POST', '/image/v2/images', { token: tokens.reader, body: { name: 'x' } });
    const network = await test.call('POST', '/network/v2.0/networks', {
      token: tokens.reader,
      body: { network: {} },
    });
    expect([image.status, network.status]).toEqual([403, 403]);
  });

  it('members look at themselves', async () => {
    const { users, projects } = test.cloud;
    const own = [
      `/identity/v3/users/${users.demo}`,
      `/identity/v3/users/${users.demo}/projects`,
      `/identity/v3/projects/${projects.demo}`,
      '/identity/v3/domains/default',
      '/identity/v3/auth/projects',
      `/identity/v3/role_assignments?user.id=${users.demo}`,
      '/identity/v3/regions',
    ];
    for (const path of own)
      expect([path, (await test.call('GET', path, { token: tokens.demo })).status]).toEqual([path, 200]);
    const foreign = [`/identity/v3/users/${users.bob}`, `/identity/v3/projects/${projects.second}`];
    for (const path of foreign)
      expect((await test.call('GET', path, { token: tokens.demo })).status).toBe(403);
  });
});
