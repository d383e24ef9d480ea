import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startTestCloud } from './support/test-cloud.ts';
import type { TestCloud } from './support/test-cloud.ts';

const FLAVORS = '/compute/v2.1/flavors';

let test: TestCloud;
let token: string;

beforeEach(async () => {
  test = await startTestCloud();
  token = await test.token('demo');
  test.cloud.requests.clear();
});
afterEach(() => test.cloud.close());

const flavors = async (): Promise<number> => (await test.call('GET', FLAVORS, { token })).status;

describe('an injected fault', () => {
  it('answers a status as often as it was told, in the words of the service', async () => {
    test.cloud.faults.inject({ method: 'GET', path: FLAVORS, times: 2, status: 503 });
    const first = await test.call('GET', FLAVORS, { token });
    expect(first.status).toBe(503);
    expect(first.body).toHaveProperty('serviceUnavailable.code', 503);
    expect([await flavors(), await flavors()]).toEqual([503, 200]);
  });

  it('hits only requests of its method and path', async () => {
    test.cloud.faults.inject({ method: 'DELETE', path: /flavors/, status: 500 });
    test.cloud.faults.inject({ path: /^\/network\//, status: 500, body: { down: true } });
    expect(await flavors()).toBe(200);
    const answer = await test.call('GET', '/network/v2.0/networks', { token });
    expect([answer.status, answer.body]).toEqual([500, { down: true }]);
    expect(test.cloud.faults.pending).toBe(1);
  });

  it('can be taken back', async () => {
    const takeBack = test.cloud.faults.inject({ path: FLAVORS, times: 99, status: 500 });
    expect(await flavors()).toBe(500);
    takeBack();
    expect(await flavors()).toBe(200);
  });

  it('holds the real answer back for its time, or until the faults are cleared', async () => {
    test.cloud.faults.inject({ path: FLAVORS, delayMs: 60_000 });
    let answered = false;
    const answer = flavors().finally(() => {
      answered = true;
    });
    await expect.poll(() => test.cloud.requests.count('GET', FLAVORS)).toBe(1);
    expect(answered).toBe(false);
    test.cloud.faults.clear();
    expect(await answer).toBe(200);
    test.cloud.faults.inject({ path: FLAVORS, delayMs: 1 });
    expect(await flavors()).toBe(200);
  });

  it('hangs until the client gives up', async () => {
    test.cloud.faults.inject({ path: FLAVORS, hang: true });
    const signal = AbortSignal.timeout(50);
    await expect(fetch(`${test.cloud.url}${FLAVORS}`, { signal })).rejects.toThrow(/timeout/);
    expect(await flavors()).toBe(200);
  });

  it('hangs until the faults are cleared, and then breaks the connection', async () => {
    test.cloud.faults.inject({ path: FLAVORS, hang: true });
    const outcome = flavors().catch((error: unknown) => String(error));
    await expect.poll(() => test.cloud.requests.count('GET', FLAVORS)).toBe(1);
    test.cloud.faults.clear();
    expect(await outcome).toContain('fetch failed');
  });

  it('does not keep the cloud from closing', async () => {
    const other = await startTestCloud();
    other.cloud.faults.inject({ path: FLAVORS, hang: true });
    const outcome = other.call('GET', FLAVORS).catch((error: unknown) => String(error));
    await expect.poll(() => other.cloud.requests.count('GET', FLAVORS)).toBe(1);
    await other.cloud.close();
    expect(await outcome).toContain('fetch failed');
  });
});

describe('the request log', () => {
  it('holds method, path, query and status in the order of arrival', async () => {
    await test.call('GET', `${FLAVORS}?limit=1`, { token });
    await test.call('GET', `${FLAVORS}/nope`, { token });
    await test.call('GET', '/image/v2/images');
    expect(test.cloud.requests.entries()).toMatchObject([
      { method: 'GET', path: FLAVORS, query: 'limit=1', status: 200 },
      { method: 'GET', path: `${FLAVORS}/nope`, query: '', status: 404 },
      { method: 'GET', path: '/image/v2/images', query: '', status: 401 },
    ]);
    expect(test.cloud.requests.count('GET', /flavors/)).toBe(2);
  });

  it('holds no secret', async () => {
    await test.token('demo');
    const text = JSON.stringify(test.cloud.requests.entries());
    expect(text).toContain('/identity/v3/auth/tokens');
    expect(text).not.toContain(test.passwords.demo);
    expect(text).not.toContain(token);
  });
});
