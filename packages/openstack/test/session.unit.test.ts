import { describe, expect, test } from 'vitest';
import {
  EndpointNotFound,
  createKeystone,
  createSession,
  renewingToken,
  sessionForToken,
} from '@jeroboam/openstack';
import type { Credentials } from '@jeroboam/openstack';
import { fakeCloud } from './support/fake-cloud.ts';
import type { FakeAnswer, FakeRequest } from './support/fake-cloud.ts';
import { recordedAnswers, recordedError } from './support/recorded.ts';

const password: Credentials = {
  kind: 'password',
  username: 'demo',
  password: 'very-secret',
  userDomainName: 'Default',
  projectName: 'demo',
  projectDomainName: 'Default',
};

/** A Keystone that gives out token-1, token-2, … and a Nova that knows only some of them. */
function cloudWithTokens(accepts: (token: string | null) => boolean) {
  let issued = 0;
  const answer = ({ url, headers }: FakeRequest): FakeAnswer => {
    if (url.pathname === '/v3/auth/tokens') {
      issued += 1;
      return {
        status: 201,
        headers: { 'x-subject-token': `token-${issued}` },
        body: recordedAnswers.token,
      };
    }
    return accepts(headers.get('x-auth-token')) ? { body: { servers: [] } } : recordedError('compute', 401);
  };
  return fakeCloud(answer);
}

const tokensUsed = (requests: readonly FakeRequest[]) =>
  requests
    .filter(({ url }) => url.pathname === '/v2.1/servers')
    .map(({ headers }) => headers.get('x-auth-token'));

const listServers = { service: 'compute', path: '/servers' } as const;

/** Before the end of the recorded token. */
const during = Date.parse('2026-11-16T12:00:00Z');

describe('a session with a password', () => {
  function open(cloud: ReturnType<typeof fakeCloud>, now: () => number) {
    const keystone = createKeystone('http://keystone.test', cloud.http);
    return createSession({
      http: cloud.http,
      tokens: renewingToken({ keystone, credentials: password, now }),
    });
  }

  test('authenticates once for many requests, also when they come at once', async () => {
    const cloud = cloudWithTokens(() => true);
    const session = open(cloud, () => during);
    expect(cloud.requests).toEqual([]);
    await Promise.all([session.request(listServers), session.request(listServers)]);
    await session.request(listServers);
    expect(tokensUsed(cloud.requests)).toEqual(['token-1', 'token-1', 'token-1']);
    expect(cloud.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('renews its token before it ends', async () => {
    const cloud = cloudWithTokens(() => true);
    let now = during;
    const session = open(cloud, () => now);
    await session.request(listServers);
    now = Date.parse('2026-11-16T18:50:00Z');
    await session.request(listServers);
    expect(tokensUsed(cloud.requests)).toEqual(['token-1', 'token-2']);
  });

  test('gets another token when a service refuses the one it has', async () => {
    const cloud = cloudWithTokens((token) => token === 'token-2');
    await open(cloud, () => during).request(listServers);
    expect(tokensUsed(cloud.requests)).toEqual(['token-1', 'token-2']);
  });

  test('gives up when the new token is refused as well', async () => {
    const cloud = cloudWithTokens(() => false);
    await expect(open(cloud, () => during).request(listServers)).rejects.toMatchObject({ status: 401 });
    expect(tokensUsed(cloud.requests)).toEqual(['token-1', 'token-2']);
  });
});

describe("a session with somebody's token", () => {
  test('never replaces it', async () => {
    const cloud = cloudWithTokens(() => false);
    await expect(cloud.session.request(listServers)).rejects.toMatchObject({ status: 401 });
    expect(tokensUsed(cloud.requests)).toEqual(['callers-token']);
  });

  test('says which service the catalogue lacks, and where', async () => {
    const session = sessionForToken({ token: 't', catalog: [] }, { region: 'North' });
    const failure = session.request(listServers);
    await expect(failure).rejects.toBeInstanceOf(EndpointNotFound);
    await expect(failure).rejects.toThrow('no public endpoint for "compute" in region North');
  });

  test('sends the microversion, the query and the body it is given', async () => {
    const cloud = fakeCloud(() => ({ status: 202, body: {} }));
    const reply = await cloud.session.request({
      ...listServers,
      method: 'POST',
      query: new URLSearchParams({ name: 'a b' }),
      microversion: 'compute 2.90',
      json: { server: {} },
    });
    expect(reply.status).toBe(202);
    const [request] = cloud.requests;
    expect(request?.url.search).toBe('?name=a+b');
    expect(request?.headers.get('openstack-api-version')).toBe('compute 2.90');
    expect(request?.body).toEqual({ server: {} });
  });
});

describe('Keystone', () => {
  test('is asked with a password as it expects to be', async () => {
    const cloud = cloudWithTokens(() => true);
    const token = await createKeystone('http://keystone.test/v3/', cloud.http).authenticate(password);
    expect(token).toMatchObject({ id: 'token-1', user: { name: 'demo' } });
    expect(cloud.requests[0]?.body).toEqual({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: 'demo', domain: { name: 'Default' }, password: 'very-secret' } },
        },
        scope: { project: { name: 'demo', domain: { name: 'Default' } } },
      },
    });
  });

  test('is asked with an application credential without a scope', async () => {
    const cloud = fakeCloud(() => ({
      status: 201,
      headers: { 'x-subject-token': 'app-token' },
      body: recordedAnswers.applicationCredentialToken,
    }));
    const credential: Credentials = { kind: 'application-credential', id: 'id', secret: 'very-secret' };
    const token = await createKeystone('http://keystone.test', cloud.http).authenticate(credential);
    expect(token).toMatchObject({ id: 'app-token', project: { name: 'demo' } });
    expect(cloud.requests[0]?.body).toEqual({
      auth: {
        identity: {
          methods: ['application_credential'],
          application_credential: { id: 'id', secret: 'very-secret' },
        },
      },
    });
  });

  test('refuses without giving the password away', async () => {
    const echo = { error: { code: 401, message: 'no user demo with very-secret', title: 'Unauthorized' } };
    const cloud = fakeCloud(() => ({
      status: 401,
      headers: { 'x-openstack-request-id': 'req-1' },
      body: echo,
    }));
    const failure = createKeystone('http://keystone.test', cloud.http).authenticate(password);
    await expect(failure).rejects.toMatchObject({
      service: 'identity',
      status: 401,
      requestId: 'req-1',
      message: 'no user demo with ***',
    });
  });

  test('that answers without a token is not believed', async () => {
    const cloud = fakeCloud(() => ({ status: 200, body: { versions: [] } }));
    const failure = createKeystone('http://keystone.test', cloud.http).authenticate(password);
    await expect(failure).rejects.toThrow('answered 200 without a token; is its URL right?');
  });

  test('knows a token, or does not, or cannot say', async () => {
    const answers: FakeAnswer[] = [{ body: recordedAnswers.token }, { status: 404 }, { status: 500 }];
    const cloud = fakeCloud(() => answers.shift() ?? {});
    const keystone = createKeystone('http://keystone.test', cloud.http);
    expect(await keystone.validateToken('own', 'subject')).toMatchObject({ id: 'subject', system: false });
    expect(await keystone.validateToken('own', 'subject')).toBeNull();
    await expect(keystone.validateToken('own', 'subject')).rejects.toMatchObject({ status: 500 });
    expect(cloud.requests[0]?.headers.get('x-auth-token')).toBe('own');
    expect(cloud.requests[0]?.headers.get('x-subject-token')).toBe('subject');
  });

  test('revokes a token, and one that is gone already', async () => {
    const answers: FakeAnswer[] = [{ status: 204 }, { status: 404 }, recordedError('identity', 403)];
    const cloud = fakeCloud(() => answers.shift() ?? {});
    const keystone = createKeystone('http://keystone.test', cloud.http);
    await keystone.revokeToken('own', 'subject');
    await keystone.revokeToken('own', 'subject');
    await expect(keystone.revokeToken('own', 'subject')).rejects.toMatchObject({ status: 403 });
    expect(cloud.requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'DELETE']);
  });
});
