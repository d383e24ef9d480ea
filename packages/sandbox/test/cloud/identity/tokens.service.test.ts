import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { passwordAuth, startTestCloud, tokenFrom } from '../support/test-cloud.ts';
import type { Answer, TestCloud } from '../support/test-cloud.ts';

const TOKENS = '/identity/v3/auth/tokens';
const HOUR = 60 * 60 * 1000;

let now = Date.parse('2026-01-01T00:00:00Z');
let test: TestCloud;

beforeAll(async () => {
  test = await startTestCloud({ now: () => now, tokenLifetimeSeconds: 3600 });
});
afterAll(() => test.cloud.close());

const auth = (body: unknown): Promise<Answer> => test.call('POST', TOKENS, { body });
const validate = (token: string, subject: string): Promise<Answer> =>
  test.call('GET', TOKENS, { token, subject });

describe('a token by password', () => {
  it('holds user, project, implied roles, catalogue and lifetime', async () => {
    const answer = await auth(
      passwordAuth('demo', 'demo-password', { project: { name: 'demo', domain: { name: 'Default' } } }),
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      token: {
        methods: ['password'],
        user: { id: test.cloud.users.demo, name: 'demo', domain: { id: 'default', name: 'Default' } },
        project: { id: test.cloud.projects.demo, name: 'demo' },
        roles: [{ name: 'member' }, { name: 'reader' }],
        issued_at: '2026-01-01T00:00:00.000000Z',
        expires_at: '2026-01-01T01:00:00.000000Z',
      },
    });
  });

  it('can be asked for by user id', async () => {
    const user = { id: test.cloud.users.bob, password: 'bob-password' };
    const answer = await auth({ auth: { identity: { methods: ['password'], password: { user } } } });
    expect(answer.status).toBe(201);
  });

  it('has neither roles nor catalogue when it is not scoped', async () => {
    const { body } = await auth(passwordAuth('demo', 'demo-password', 'unscoped'));
    expect(body).not.toHaveProperty('token.roles');
    expect(body).not.toHaveProperty('token.catalog');
    expect(body).not.toHaveProperty('token.project');
  });

  it('counts for the whole system where its owner has a role there', async () => {
    const system = { system: { all: true } };
    const { body } = await auth(passwordAuth('admin', 'admin-password', system));
    expect(body).toMatchObject({ token: { system: { all: true } } });
    expect((await auth(passwordAuth('demo', 'demo-password', system))).status).toBe(401);
  });

  it('leaves the catalogue out when asked to', async () => {
    const answer = await test.call('POST', `${TOKENS}?nocatalog`, {
      body: passwordAuth('demo', 'demo-password', { project: { id: test.cloud.projects.demo } }),
    });
    expect(answer.body).toHaveProperty('token.roles');
    expect(answer.body).not.toHaveProperty('token.catalog');
  });

  it.each([
    ['a wrong password', passwordAuth('demo', 'nope')],
    ['an unknown user', passwordAuth('nobody', 'nope')],
    ['an unknown project', passwordAuth('demo', 'demo-password', { project: { id: 'nope' } })],
    ['an unknown domain', passwordAuth('demo', 'demo-password', { domain: { id: 'nope' } })],
    ['an unknown method', { auth: { identity: { methods: ['totp'], totp: {} } } }],
  ])('is refused for %s without saying what was wrong', async (_what, body) => {
    const answer = await auth(body);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: {
        code: 401,
        message: 'The request you have made requires authentication.',
        title: 'Unauthorized',
      },
    });
  });

  it('is refused for a project in which the user has no role', async () => {
    const scope = { project: { id: test.cloud.projects.second } };
    expect((await auth(passwordAuth('demo', 'demo-password', scope))).status).toBe(401);
  });
});

describe('the catalogue', () => {
  it('shows Magnum once its address is known, with every interface', async () => {
    test.cloud.setContainerInfraUrl('http://127.0.0.1:9511/');
    const { body } = await test.call('GET', '/identity/v3/auth/catalog', { token: await test.token('demo') });
    const { catalog } = body as {
      catalog: { type: string; name: string; endpoints: { interface: string; url: string }[] }[];
    };
    const magnum = catalog.find((service) => service.type === 'container-infra');
    expect(magnum?.name).toBe('magnum');
    expect(magnum?.endpoints.map((endpoint) => endpoint.interface)).toEqual(['public', 'internal', 'admin']);
    expect(magnum?.endpoints[0]?.url).toBe('http://127.0.0.1:9511/v1');
    expect(catalog.map((service) => service.type)).toEqual([
      'identity',
      'compute',
      'image',
      'network',
      'volumev3',
      'block-storage',
      'container-infra',
    ]);
  });
});

describe('validation', () => {
  it('is open to the service user for any token', async () => {
    const answer = await validate(await test.token('jeroboam'), await test.token('bob'));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ token: { user: { name: 'bob' } } });
  });

  it('is open to everyone for their own token', async () => {
    const token = await test.token('reader');
    expect((await validate(token, token)).status).toBe(200);
    expect((await test.call('HEAD', TOKENS, { token, subject: token })).status).toBe(200);
  });

  it('is closed to others', async () => {
    const answer = await validate(await test.token('demo'), await test.token('bob'));
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ error: { code: 403, title: 'Forbidden' } });
  });

  it('finds no forged token, and none at all', async () => {
    const service = await test.token('jeroboam');
    expect((await validate(service, 'gAAAAABnotavalidtoken')).status).toBe(404);
    expect((await test.call('GET', TOKENS, { token: service })).status).toBe(404);
  });

  it('finds no expired token, unless the service asks for it on behalf of a long task', async () => {
    const old = await test.token('bob');
    now += HOUR;
    const service = await test.token('jeroboam');
    expect((await validate(service, old)).status).toBe(404);
    const allowed = await test.call('GET', `${TOKENS}?allow_expired=1`, { token: service, subject: old });
    expect(allowed.status).toBe(200);
    expect((await test.call('GET', '/compute/v2.1/flavors', { token: old })).status).toBe(401);
  });
});

describe('revocation', () => {
  it('ends a token everywhere at once and no other of the same user', async () => {
    const [gone, kept] = [await test.token('demo'), await test.token('demo')];
    expect((await test.call('DELETE', TOKENS, { token: gone, subject: gone })).status).toBe(204);
    expect((await validate(await test.token('jeroboam'), gone)).status).toBe(404);
    expect((await test.call('GET', '/network/v2.0/networks', { token: gone })).status).toBe(401);
    expect((await test.call('GET', '/network/v2.0/networks', { token: kept })).status).toBe(200);
  });

  it('of another user’s token is for administrators', async () => {
    const bobs = await test.token('bob');
    expect(
      (await test.call('DELETE', TOKENS, { token: await test.token('demo'), subject: bobs })).status,
    ).toBe(403);
    expect(
      (await test.call('DELETE', TOKENS, { token: await test.token('admin'), subject: bobs })).status,
    ).toBe(204);
  });
});

describe('a token for a token', () => {
  const exchange = (id: string, scope?: unknown): Promise<Answer> =>
    auth({
      auth: { identity: { methods: ['token'], token: { id } }, ...(scope !== undefined && { scope }) },
    });

  it('takes the new scope, the old end and a chain of audit ids', async () => {
    const unscoped = await auth(passwordAuth('demo', 'demo-password', 'unscoped'));
    now += HOUR / 2;
    const scoped = await exchange(tokenFrom(unscoped), { project: { id: test.cloud.projects.demo } });
    expect(scoped.status).toBe(201);
    const before = (unscoped.body as { token: { expires_at: string; audit_ids: string[] } }).token;
    const after = (scoped.body as { token: { expires_at: string; audit_ids: string[]; methods: string[] } })
      .token;
    expect(after.expires_at).toBe(before.expires_at);
    expect(after.audit_ids).toHaveLength(2);
    expect(after.audit_ids[1]).toBe(before.audit_ids[0]);
    expect(after.methods).toEqual(['token', 'password']);
  });

  it('is refused for a revoked one', async () => {
    const token = await test.token('demo');
    await test.call('DELETE', TOKENS, { token, subject: token });
    expect((await exchange(token)).status).toBe(401);
  });
});

describe('what ends a user’s tokens', () => {
  const makeUser = async (name: string): Promise<{ id: string; token: string; admin: string }> => {
    const admin = await test.token('admin');
    const made = await test.call('POST', '/identity/v3/users', {
      token: admin,
      body: { user: { name, password: 'first', default_project_id: test.cloud.projects.second } },
    });
    const { id } = (made.body as { user: { id: string } }).user;
    const roles = await test.call('GET', '/identity/v3/roles?name=member', { token: admin });
    const roleId = (roles.body as { roles: { id: string }[] }).roles[0]?.id;
    const grant = `/identity/v3/projects/${test.cloud.projects.second}/users/${id}/roles/${roleId}`;
    expect((await test.call('PUT', grant, { token: admin })).status).toBe(204);
    const login = await auth(passwordAuth(name, 'first'));
    expect(login.body).toMatchObject({ token: { project: { name: 'second' } } });
    now += 1;
    return { id, token: tokenFrom(login), admin };
  };

  const works = async (token: string): Promise<boolean> =>
    (await test.call('GET', '/image/v2/images', { token })).status === 200;

  it('a new password', async () => {
    const { id, token, admin } = await makeUser('changer');
    await test.call('PATCH', `/identity/v3/users/${id}`, {
      token: admin,
      body: { user: { password: 'second' } },
    });
    expect(await works(token)).toBe(false);
    expect((await auth(passwordAuth('changer', 'first'))).status).toBe(401);
    expect((await auth(passwordAuth('changer', 'second'))).status).toBe(201);
  });

  it('being disabled, also after being enabled again', async () => {
    const { id, token, admin } = await makeUser('sleeper');
    const path = `/identity/v3/users/${id}`;
    await test.call('PATCH', path, { token: admin, body: { user: { enabled: false } } });
    expect(await works(token)).toBe(false);
    await test.call('PATCH', path, { token: admin, body: { user: { enabled: true } } });
    expect(await works(token)).toBe(false);
  });

  it('losing the last role in the project', async () => {
    const { id, token, admin } = await makeUser('leaver');
    const place = `/identity/v3/projects/${test.cloud.projects.second}/users/${id}/roles`;
    const { roles } = (await test.call('GET', place, { token: admin })).body as { roles: { id: string }[] };
    expect((await test.call('DELETE', `${place}/${roles[0]?.id}`, { token: admin })).status).toBe(204);
    expect(await works(token)).toBe(false);
  });

  it('being deleted', async () => {
    const { id, token, admin } = await makeUser('goner');
    expect((await test.call('DELETE', `/identity/v3/users/${id}`, { token: admin })).status).toBe(204);
    expect(await works(token)).toBe(false);
  });
});
