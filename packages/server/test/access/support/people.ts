import type { TestService } from '../../support/test-service.ts';

type Scope = 'unscoped' | { project: object } | { domain: object } | { system: object };

/** A token by password, for whatever the scope says. */
export async function logIn(
  service: TestService,
  name: string,
  password: string,
  scope: Scope,
  identityUrl = service.cloud.identityUrl,
): Promise<string> {
  const user = { name, password, domain: { id: 'default' } };
  const answer = await fetch(`${identityUrl}/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: { identity: { methods: ['password'], password: { user } }, scope } }),
  });
  const token = answer.headers.get('x-subject-token');
  if (token === null) throw new Error(`no token for ${name}: ${await answer.text()}`);
  return token;
}

async function keystone(
  service: TestService,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(service.cloud.identityUrl + path, {
    method,
    headers: { 'x-auth-token': service.tokens.admin, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

export type Place = { project: 'demo' | 'second' } | { domain: 'default' };

/** Makes a user with one role in one place, and logs them in there. */
export async function enrol(
  service: TestService,
  name: string,
  role: 'reader' | 'member' | 'admin',
  place: Place,
): Promise<string> {
  const password = `pw-${name}`;
  const { user } = (await keystone(service, 'POST', '/users', { user: { name, password } })) as {
    user: { id: string };
  };
  const { roles } = (await keystone(service, 'GET', '/roles')) as { roles: { id: string; name: string }[] };
  const roleId = roles.find((known) => known.name === role)?.id ?? '';
  const [at, scope] =
    'project' in place
      ? [
          `/projects/${service.cloud.projects[place.project]}`,
          { project: { id: service.cloud.projects[place.project] } },
        ]
      : [`/domains/${place.domain}`, { domain: { id: place.domain } }];
  await keystone(service, 'PUT', `${at}/users/${user.id}/roles/${roleId}`);
  return logIn(service, name, password, scope);
}

/** Ends a token before its time. */
export async function revoke(service: TestService, token: string): Promise<void> {
  const answer = await fetch(`${service.cloud.identityUrl}/auth/tokens`, {
    method: 'DELETE',
    headers: { 'x-auth-token': token, 'x-subject-token': token },
  });
  if (answer.status !== 204) throw new Error(`not revoked: ${answer.status} ${await answer.text()}`);
}
