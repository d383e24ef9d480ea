import { afterEach, describe, expect, test } from 'vitest';
import { OpenStackError, createHttp } from '@jeroboam/openstack';
import type { HttpOptions } from '@jeroboam/openstack';
import { recordedError } from './support/recorded.ts';
import { startTestServer } from './support/test-server.ts';
import type { Answerer, TestServer } from './support/test-server.ts';

const service = 'compute';
let server: TestServer | undefined;

async function serve(answer: Answerer): Promise<TestServer> {
  server = await startTestServer(answer);
  return server;
}

/** Waits are noted and not waited for. */
function client(options: HttpOptions = {}) {
  const waits: number[] = [];
  const sleep = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  return { http: createHttp({ sleep, random: () => 0, ...options }), waits };
}

async function failureOf(promise: Promise<unknown>): Promise<OpenStackError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OpenStackError)) throw new Error('expected an OpenStackError', { cause: error });
  return error;
}

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('a request', () => {
  test('sends JSON with the token and brings JSON back', async () => {
    const { url, seen } = await serve(() => ({ status: 201, body: { ok: true } }));
    const { http } = client();
    const reply = await http({ service, method: 'POST', url: `${url}/x`, token: 't', json: { a: 1 } });
    expect(reply).toMatchObject({ status: 201, body: { ok: true } });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/x', body: '{"a":1}' });
    expect(seen[0]?.headers).toMatchObject({ 'x-auth-token': 't', 'content-type': 'application/json' });
  });

  test('brings null for an answer without a body', async () => {
    const { url } = await serve(() => ({ status: 204 }));
    expect(await client().http({ service, method: 'DELETE', url })).toMatchObject({
      status: 204,
      body: null,
    });
  });

  test('that is refused throws what the service said, with the id of its log', async () => {
    const recorded = recordedError('compute', 404);
    const { url } = await serve(() => recorded);
    expect(await failureOf(client().http({ service, url }))).toMatchObject({
      service,
      status: 404,
      message: 'Flavor nope could not be found.',
      requestId: recorded.headers['x-openstack-request-id'],
      unavailable: false,
    });
  });

  test('does not follow a redirect, which would carry the token away', async () => {
    const elsewhere = await startTestServer(() => ({ body: {} }));
    const { url } = await serve(() => ({ status: 302, headers: { location: elsewhere.url } }));
    expect(await failureOf(client().http({ service, url, token: 't' }))).toMatchObject({ status: 302 });
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.close();
  });

  test('gives up on an answer that is too long, announced or not', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, request.url === '/announced' ? { 'content-length': '5000' } : {});
      for (let part = 0; part < 5; part += 1) response.write('x'.repeat(1000));
      response.end();
      return 'handled';
    });
    const { http, waits } = client({ maxBytes: 3000 });
    for (const path of ['/announced', '/chunked']) {
      const error = await failureOf(http({ service, url: url + path }));
      expect(error.message).toMatch(/more than the 3000 that are accepted/);
    }
    expect(waits).toEqual([]);
  });

  test('does not take a page for an answer', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>login</html>');
      return 'handled';
    });
    expect((await failureOf(client().http({ service, url }))).message).toMatch(/something other than JSON/);
  });

  test('ends when the service does not', async () => {
    const { url } = await serve(() => 'handled');
    const { http } = client({ attemptTimeoutMs: 50, retry: { attempts: 2 } });
    const error = await failureOf(http({ service, url }));
    expect(error).toMatchObject({ status: null, unavailable: true });
    expect(error.message).toBe(
      `The compute service at ${url} cannot be reached: no complete answer in time.`,
    );
    expect(server?.seen).toHaveLength(2);
  });

  test('ends when the caller has lost interest, and is not repeated', async () => {
    const controller = new AbortController();
    const { url, seen } = await serve(() => {
      controller.abort();
      return 'handled';
    });
    await failureOf(client().http({ service, url, signal: controller.signal }));
    expect(seen).toHaveLength(1);
  });
});

describe('a passing failure', () => {
  test.for([429, 502, 503, 504])('%i is bridged with growing waits', async (status) => {
    let count = 0;
    const { url } = await serve(() => {
      count += 1;
      return count < 3 ? { status } : { body: { count } };
    });
    const { http, waits } = client();
    expect(await http({ service, url })).toMatchObject({ body: { count: 3 } });
    expect(waits).toEqual([100, 200]);
  });

  test('is bridged when the connection breaks', async () => {
    let count = 0;
    const { url } = await serve((_request, response) => {
      count += 1;
      if (count > 1) return { body: {} };
      response.destroy();
      return 'handled';
    });
    expect(await client().http({ service, url })).toMatchObject({ status: 200 });
  });

  test('is reported with host and reason when it lasts', async () => {
    const gone = await startTestServer(() => ({}));
    await gone.close();
    const { http, waits } = client();
    const error = await failureOf(http({ service, url: gone.url }));
    expect(error).toMatchObject({ status: null, unavailable: true });
    expect(error.message).toMatch(
      /The compute service at http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
    );
    expect(waits).toEqual([100, 200, 400]);
  });

  test('is reported with its reason when a name leads to several addresses', async () => {
    const gone = await startTestServer(() => ({}));
    await gone.close();
    const { http } = client({ retry: { attempts: 1 } });
    const error = await failureOf(http({ service, url: gone.url.replace('127.0.0.1', 'localhost') }));
    expect(error.message).toMatch(/cannot be reached: connect ECONNREFUSED/);
  });

  test('is waited out for as long as the service asks, within the budget', async () => {
    const { url, seen } = await serve(() => ({ status: 503, headers: { 'retry-after': '2' } }));
    const { http, waits } = client({ now: () => 0 });
    expect(await failureOf(http({ service, url }))).toMatchObject({ status: 503 });
    expect(waits).toEqual([2000, 2000, 2000]);
    expect(seen).toHaveLength(4);
  });

  test('is not waited out when the service asks for more than there is', async () => {
    const { url, seen } = await serve(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    const { http, waits } = client();
    await failureOf(http({ service, url }));
    expect(waits).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  test('does not repeat what may have been done already', async () => {
    const { url, seen } = await serve(() => ({ status: 503 }));
    const { http } = client();
    await failureOf(http({ service, method: 'POST', url, json: {} }));
    await failureOf(http({ service, method: 'PATCH', url, json: {} }));
    expect(seen).toHaveLength(2);
    await failureOf(http({ service, method: 'POST', url, json: {}, idempotent: true }));
    expect(seen).toHaveLength(6);
  });

  test('is the only kind that is repeated', async () => {
    const { url, seen } = await serve(() => ({ status: 500 }));
    expect(await failureOf(client().http({ service, url }))).toMatchObject({
      status: 500,
      unavailable: true,
    });
    expect(seen).toHaveLength(1);
  });
});

test('no error shows the token, not even when the service repeats it', async () => {
  const { url } = await serve(({ headers }) => ({
    status: 400,
    body: {
      error: {
        message: `bad header ${String(headers['x-auth-token'])} for ${String(headers['x-subject-token'])}`,
      },
    },
  }));
  const error = await failureOf(
    client().http({
      service,
      url,
      token: 'mine',
      headers: { 'x-subject-token': 'theirs' },
      secrets: ['theirs'],
    }),
  );
  expect(error.message).toBe('bad header *** for ***');
});
