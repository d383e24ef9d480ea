import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestCloud, tokenFrom } from '../support/test-cloud.ts';
import type { Answer, TestCloud } from '../support/test-cloud.ts';

interface Made {
  id: string;
  secret: string;
}

let now = Date.parse('2026-01-01T00:00:00Z');
let test: TestCloud;
let path: string;

beforeAll(async () => {
  test = await startTestCloud({ now: () => now });
  path = `/identity/v3/users/${test.cloud.users.demo}/application_credentials`;
});
afterAll(() => test.cloud.close());

const create = async (fields: object, token?: string): Promise<Answer> =>
  test.call('POST', path, {
    token: token ?? (await test.token('demo')),
    body: { application_credential: fields },
  });

const made = (answer: Answer): Made => {
  expect(answer.status).toBe(201);
  return (answer.body as { application_credential: Made }).application_credential;
};

const login = (credential: object, scope?: unknown): Promise<Answer> =>
  test.call('POST', '/identity/v3/auth/tokens', {
    body: {
      auth: {
        identity: { methods: ['application_credential'], application_credential: credential },
        ...(scope !== undefined && { scope }),
      },
    },
  });

describe('an application credential', () => {
  it('shows its secret once, when it is made', async () => {
    const { id, secret } = made(await create({ name: 'once' }));
    expect(secret.length).toBeGreaterThan(60);
    const token = await test.token('demo');
    const shown = await test.call('GET', `${path}/${id}`, { token });
    expect(shown.body).not.toHaveProperty('application_credential.secret');
    const stored = JSON.stringify(await test.store.load());
    expect(stored).toContain(id);
    expect(stored).not.toContain(secret);
  });

  it('logs in by id, and by name with its user', async () => {
    const { id, secret } = made(await create({ name: 'twofold' }));
    expect((await login({ id, secret })).status).toBe(201);
    const user = { name: 'demo', domain: { name: 'Default' } };
    const answer = await login({ name: 'twofold', user, secret });
    expect(answer.body).toMatchObject({
      token: {
        methods: ['application_credential'],
        project: { name: 'demo' },
        application_credential: { id, name: 'twofold', restricted: true },
      },
    });
  });

  it('gives no more roles than it was given', async () => {
    const { id, secret } = made(await create({ name: 'less', roles: [{ name: 'reader' }] }));
    const answer = await login({ id, secret });
    expect(
      (answer.body as { token: { roles: { name: string }[] } }).token.roles.map((role) => role.name),
    ).toEqual(['reader']);
    const network = { network: { name: 'n' } };
    const refused = await test.call('POST', '/network/v2.0/networks', {
      token: tokenFrom(answer),
      body: network,
    });
    expect(refused.status).toBe(403);
  });

  it('cannot be given roles that its owner does not have', async () => {
    expect((await create({ name: 'more', roles: [{ name: 'admin' }] })).status).toBe(400);
  });

  it('belongs to one project and cannot ask for another place', async () => {
    const { id, secret } = made(await create({ name: 'fixed' }));
    expect((await login({ id, secret }, { project: { id: test.cloud.projects.demo } })).status).toBe(401);
  });

  it('cannot make or delete others unless it is unrestricted', async () => {
    const restricted = made(await create({ name: 'restricted' }));
    const token = tokenFrom(await login(restricted));
    expect((await create({ name: 'child' }, token)).status).toBe(403);
    expect((await test.call('DELETE', `${path}/${restricted.id}`, { token })).status).toBe(403);
    const free = made(await create({ name: 'free', unrestricted: true }));
    expect((await create({ name: 'child' }, tokenFrom(await login(free)))).status).toBe(201);
  });

  it('cannot be exchanged for a token of another scope', async () => {
    const token = tokenFrom(await login(made(await create({ name: 'exchange' }))));
    const identity = { methods: ['token'], token: { id: token } };
    const answer = await test.call('POST', '/identity/v3/auth/tokens', {
      body: { auth: { identity, scope: 'unscoped' } },
    });
    expect(answer.status).toBe(403);
  });

  it('ends when it says, and its tokens with it', async () => {
    const credential = made(await create({ name: 'short', expires_at: '2026-01-01T00:10:00.000000' }));
    const token = await login(credential);
    expect(token.body).toMatchObject({ token: { expires_at: '2026-01-01T00:10:00.000000Z' } });
    now += 11 * 60 * 1000;
    expect((await login(credential)).status).toBe(401);
    expect((await test.call('GET', '/image/v2/images', { token: tokenFrom(token) })).status).toBe(401);
    expect((await create({ name: 'past', expires_at: '2026-01-01T00:00:00' })).status).toBe(400);
  });

  it('takes its tokens with it when it is deleted', async () => {
    const credential = made(await create({ name: 'deleted' }));
    const token = tokenFrom(await login(credential));
    expect(
      (await test.call('DELETE', `${path}/${credential.id}`, { token: await test.token('demo') })).status,
    ).toBe(204);
    expect((await test.call('GET', '/image/v2/images', { token })).status).toBe(401);
    expect((await login(credential)).status).toBe(401);
  });

  it('has a name that its owner uses once', async () => {
    const answers = await Promise.all([
      create({ name: 'same' }),
      create({ name: 'same' }),
      create({ name: 'same' }),
    ]);
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  it('is nobody else’s to see, make or delete', async () => {
    const { id } = made(await create({ name: 'mine' }));
    const bob = await test.token('bob');
    expect((await test.call('GET', path, { token: bob })).status).toBe(403);
    expect((await test.call('GET', `${path}/${id}`, { token: bob })).status).toBe(403);
    expect((await create({ name: 'forged' }, bob)).status).toBe(403);
    expect((await create({ name: 'forged' }, await test.token('admin'))).status).toBe(403);
    expect((await test.call('DELETE', `${path}/${id}`, { token: bob })).status).toBe(403);
    const bobs = `/identity/v3/users/${test.cloud.users.bob}/application_credentials/${id}`;
    expect((await test.call('GET', bobs, { token: bob })).status).toBe(404);
  });
});
