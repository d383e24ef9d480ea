import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { operations } from '../../src/rest/operations.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { openDatabase, type Database } from './support/database.ts';
import { tokenEndingIn } from './support/expiry.ts';
import { outcome } from './support/outcome.ts';
import { logIn, revoke } from './support/people.ts';
import { askFor, nameOf, send } from './support/requests.ts';
import { makeScene, type Scene } from './support/scene.ts';

const unauthorized =
  '{"error": {"code": 401, "title": "Unauthorized", "message": "The request you have made requires authentication."}}';

let service: TestService;
let database: Database;
let scene: Scene;

beforeAll(async () => {
  service = await startTestService({ change: (options) => ({ ...options, heartbeatMs: 3_600_000 }) });
  scene = await makeScene(service, 'demo');
  database = await openDatabase(service.connectionString);
});
afterAll(async () => {
  await database.close();
  await service.close();
});

/** What an answer has in common with the middleware's: all that clients read of a 401. */
const seen = ({ status, text, headers }: TestAnswer): unknown => ({
  status,
  text,
  type: headers.get('content-type'),
  challenge: headers.get('www-authenticate'),
  requestId: /^req-[0-9a-f-]{36}$/.test(headers.get('x-openstack-request-id') ?? ''),
  version: headers.get('openstack-api-version'),
});

const refused = (): unknown => ({
  status: 401,
  text: unauthorized,
  type: 'application/json',
  challenge: `Keystone uri="${service.cloud.identityUrl}"`,
  requestId: true,
  version: null,
});

/** What every operation answers to these headers, and whether anything changed by it. */
async function askEverywhere(headers: Record<string, string>): Promise<Record<string, unknown>> {
  const before = await database.fingerprint();
  const answers: Record<string, unknown> = {};
  for (const operation of operations) {
    const { method, path, body } = askFor(operation, scene);
    answers[nameOf(operation)] = seen(await service.request(null, method, path, body, headers));
  }
  const after = await database.fingerprint();
  return { ...answers, unchanged: JSON.stringify(before) === JSON.stringify(after) };
}

const refusedEverywhere = (): Record<string, unknown> => ({
  ...Object.fromEntries(operations.map((operation) => [nameOf(operation), refused()])),
  unchanged: true,
});

describe('every operation answers 401, byte for byte as the token middleware of OpenStack,', () => {
  it('without a token', async () => {
    expect(await askEverywhere({})).toEqual(refusedEverywhere());
  });

  it('with an empty token', async () => {
    expect(await askEverywhere({ 'x-auth-token': '' })).toEqual(refusedEverywhere());
  });

  it('with a forged token', async () => {
    expect(await askEverywhere({ 'x-auth-token': service.tokens.bad })).toEqual(refusedEverywhere());
  });

  it('with a token of which one character was changed', async () => {
    const { demo } = service.tokens;
    const middle = Math.floor(demo.length / 2);
    const forged = demo.slice(0, middle) + (demo[middle] === 'A' ? 'B' : 'A') + demo.slice(middle + 1);
    expect(await askEverywhere({ 'x-auth-token': forged })).toEqual(refusedEverywhere());
  });

  it('with an expired token', async () => {
    expect(await askEverywhere({ 'x-auth-token': await tokenEndingIn(service, -1000) })).toEqual(
      refusedEverywhere(),
    );
  });

  it('with a revoked token', async () => {
    const scope = { project: { id: scene.project } };
    const token = await logIn(service, 'demo', 'pw-demo', scope);
    await revoke(service, token);
    expect(await askEverywhere({ 'x-auth-token': token })).toEqual(refusedEverywhere());
  });

  it('with a token in the wrong place', async () => {
    expect(await askEverywhere({ authorization: `Bearer ${service.tokens.demo}` })).toEqual(
      refusedEverywhere(),
    );
  });

  it.each([
    ['with blanks', 'a b c'],
    ['of nine thousand characters', 'x'.repeat(9000)],
    ['of two tokens', 'one, two'],
    ['of path parts', '../../users'],
    ['beyond ASCII', '\u00ff\u00fe'],
  ])('with a token %s', async (_what, token) => {
    expect(seen(await send(service, token, { method: 'GET', path: '/v1/clusters' }))).toEqual(refused());
  });

  it('also on paths and methods that do not exist, so that a stranger cannot map the service', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/clusters'],
      ['GET', '/v2'],
    ] as const)
      expect(seen(await service.request(null, method, path))).toEqual(refused());
  });
});

describe('tokens that end while they are known', () => {
  const list = { method: 'GET', path: '/v1/clusters' };
  const statusWith = async (token: string): Promise<number> => (await send(service, token, list)).status;
  const polled = { timeout: 10_000, interval: 50 };

  it('are refused once they expire', async () => {
    const token = await tokenEndingIn(service, 1500);
    expect(await statusWith(token)).toBe(200);
    await expect.poll(() => statusWith(token), polled).toBe(401);
  });

  it('are refused once the window after a revocation is over; other tokens of the user go on', async () => {
    const scope = { project: { id: scene.project } };
    const token = await logIn(service, 'demo', 'pw-demo', scope);
    expect(await statusWith(token)).toBe(200);
    await revoke(service, token);
    await expect.poll(() => statusWith(token), polled).toBe(401);
    expect(await statusWith(service.tokens.demo)).toBe(200);
  });
});

describe('while Keystone is down', () => {
  let remembering: TestService;

  beforeAll(async () => {
    remembering = await startTestService({
      change: (options) => ({ ...options, keystone: { ...options.keystone, cacheSeconds: 600 } }),
    });
  });
  beforeEach(() => remembering.cloud.faults.clear());
  afterAll(() => remembering.close());

  it.each([
    ['answers 503', { status: 503 }],
    ['answers 500', { status: 500 }],
    ['answers something that is no token', { status: 200, body: { token: 'nonsense' } }],
  ])('because it %s, callers it vouched for go on and others are told to come back', async (_how, fault) => {
    expect((await remembering.request('demo', 'GET', '/v1/clusters')).status).toBe(200);
    const scope = { project: { id: remembering.cloud.projects.demo } };
    const fresh = await logIn(remembering, 'demo', 'pw-demo', scope);
    remembering.cloud.faults.inject({ path: /\/auth\/tokens/, times: 1000, ...fault });

    expect((await remembering.request('demo', 'GET', '/v1/clusters')).status).toBe(200);
    const turnedAway = await send(remembering, fresh, { method: 'GET', path: '/v1/clusters' });
    expect(outcome(turnedAway, 503)).toBe(503);
    expect(turnedAway.body.error).toEqual({
      code: 503,
      title: 'Service Unavailable',
      message: 'The Keystone service is temporarily unavailable.',
    });
    expect(turnedAway.headers.get('retry-after')).toMatch(/^\d+$/);

    remembering.cloud.faults.clear();
    const later = await send(remembering, fresh, { method: 'GET', path: '/v1/clusters' });
    expect(later.status).toBe(200);
  });
});
