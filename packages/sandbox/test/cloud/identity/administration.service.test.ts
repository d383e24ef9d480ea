import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { passwordAuth, startTestCloud } from '../support/test-cloud.ts';
import type { Answer, TestCloud } from '../support/test-cloud.ts';

const V3 = '/identity/v3';

let test: TestCloud;
let token: string;

beforeAll(async () => {
  test = await startTestCloud();
  token = await test.token('admin');
});
afterAll(() => test.cloud.close());

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  test.call(method, `${V3}${path}`, { token, body });

const idOf = (answer: Answer, name: string): string => {
  expect(answer.status).toBe(201);
  return (answer.body as Record<string, { id: string }>)[name]?.id ?? '';
};

describe('what a test suite does to get users of its own', () => {
  it('makes a project, a user and a grant, logs in, and removes everything', async () => {
    const project = idOf(
      await call('POST', '/projects', { project: { name: 'suite', domain_id: 'default' } }),
      'project',
    );
    const user = idOf(
      await call('POST', '/users', {
        user: { name: 'suite-user', password: 'p', email: 'u@example.org', default_project_id: project },
      }),
      'user',
    );
    const roles = (await call('GET', '/roles')).body as { roles: { id: string; name: string }[] };
    const member = roles.roles.find((role) => role.name === 'member')?.id;
    const grant = `/projects/${project}/users/${user}/roles/${member}`;
    expect((await call('PUT', grant)).status).toBe(204);
    expect((await call('HEAD', grant)).status).toBe(204);
    expect((await call('GET', `/role_assignments?user.id=${user}&effective`)).body).toMatchObject({
      role_assignments: [{ user: { id: user } }, { user: { id: user } }],
    });

    const login = await test.call('POST', `${V3}/auth/tokens`, { body: passwordAuth('suite-user', 'p') });
    expect(login.body).toMatchObject({ token: { project: { id: project } } });

    expect((await call('DELETE', grant)).status).toBe(204);
    expect((await call('DELETE', grant)).status).toBe(404);
    expect((await call('DELETE', `/users/${user}`)).status).toBe(204);
    expect((await call('DELETE', `/projects/${project}`)).status).toBe(204);
    expect((await call('GET', `/projects/${project}`)).status).toBe(404);
  });

  it('finds a domain, a project and a user by name', async () => {
    expect((await call('GET', '/domains?name=Default')).body).toMatchObject({ domains: [{ id: 'default' }] });
    expect((await call('GET', '/projects?name=demo&domain_id=default')).body).toMatchObject({
      projects: [{ id: test.cloud.projects.demo }],
    });
    expect((await call('GET', '/users?name=nobody')).body).toMatchObject({ users: [] });
  });
});

describe('Keystone refuses', () => {
  it.each([
    ['/projects', { project: { name: 'demo' } }],
    ['/users', { user: { name: 'demo' } }],
    ['/roles', { role: { name: 'member' } }],
    ['/domains', { domain: { name: 'Default' } }],
    ['/regions', { region: { id: 'RegionOne' } }],
  ])('a second of the same name at %s', async (path, body) => {
    expect((await call('POST', path, body)).status).toBe(409);
  });

  it('two users of one name made at the same moment', async () => {
    const make = () => call('POST', '/users', { user: { name: 'twin', password: 'p' } });
    const statuses = (await Promise.all([make(), make(), make()])).map((answer) => answer.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  it('to delete a domain that is enabled, or a role every cloud has', async () => {
    expect((await call('DELETE', '/domains/default')).status).toBe(403);
    const roles = (await call('GET', '/roles?name=admin')).body as { roles: { id: string }[] };
    expect((await call('DELETE', `/roles/${roles.roles[0]?.id}`)).status).toBe(403);
  });
});

describe('a domain', () => {
  it('takes its users and projects with it', async () => {
    const domain = idOf(await call('POST', '/domains', { domain: { name: 'brief' } }), 'domain');
    const user = idOf(await call('POST', '/users', { user: { name: 'demo', domain_id: domain } }), 'user');
    const project = idOf(
      await call('POST', '/projects', { project: { name: 'demo', domain_id: domain } }),
      'project',
    );
    expect((await call('PATCH', `/domains/${domain}`, { domain: { enabled: false } })).status).toBe(200);
    expect((await call('DELETE', `/domains/${domain}`)).status).toBe(204);
    expect((await call('GET', `/users/${user}`)).status).toBe(404);
    expect((await call('GET', `/projects/${project}`)).status).toBe(404);
  });
});

describe('the catalogue in an administrator’s hands', () => {
  it('shows a service that was entered, and not one that was disabled', async () => {
    const service = idOf(
      await call('POST', '/services', { service: { type: 'dns', name: 'designate' } }),
      'service',
    );
    const endpoint = { service_id: service, interface: 'public', url: 'http://127.0.0.1/dns/$(project_id)s' };
    idOf(await call('POST', '/endpoints', { endpoint }), 'endpoint');
    const shown = await call('GET', '/auth/catalog');
    expect(JSON.stringify(shown.body)).toContain(`http://127.0.0.1/dns/${test.cloud.projects.admin}`);
    await call('PATCH', `/services/${service}`, { service: { enabled: false } });
    expect(JSON.stringify((await call('GET', '/auth/catalog')).body)).not.toContain('designate');
    expect((await call('DELETE', `/services/${service}`)).status).toBe(204);
    expect(JSON.stringify((await call('GET', '/endpoints')).body)).not.toContain('/dns/');
  });
});

describe('changing one’s own password', () => {
  it('needs the old one', async () => {
    const reader = await test.token('reader');
    const path = `${V3}/users/${test.cloud.users.reader}/password`;
    const change = (original: string) =>
      test.call('POST', path, {
        token: reader,
        body: { user: { password: 'new', original_password: original } },
      });
    expect((await change('wrong')).status).toBe(401);
    expect((await change(test.passwords.reader)).status).toBe(204);
    const login = await test.call('POST', `${V3}/auth/tokens`, { body: passwordAuth('reader', 'new') });
    expect(login.status).toBe(201);
  });
});
