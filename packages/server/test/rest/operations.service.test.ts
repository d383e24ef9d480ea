import { request as httpRequest } from 'node:http';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createServer, type Server } from '../../src/server.ts';
import { templateBody } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Another server on the same store, whose end the test decides. */
async function another(options: Partial<TestService['options']> = {}): Promise<{
  server: Server;
  url: string;
  metricsUrl: string | null;
}> {
  const server = await createServer({ ...service.options, hostname: 'another', ...options });
  return { server, ...(await server.listen()) };
}

const headers = () => ({ 'x-auth-token': service.tokens.demo, 'content-type': 'application/json' });

const untilAsked = async (path: RegExp): Promise<void> => {
  const deadline = Date.now() + 10_000;
  while (service.cloud.requests.count('GET', path) === 0) {
    if (Date.now() > deadline) throw new Error(`the cloud was never asked ${String(path)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

describe('metrics', () => {
  test('count requests by method, route and status, on an address of their own', async () => {
    const { server, url, metricsUrl } = await another({ metrics: { host: '127.0.0.1', port: 0 } });
    try {
      for (const path of ['/v1/clusters/a', '/v1/clusters/b', '/v1/clusters/c', '/v1/nope/1', '/v1/nope/2']) {
        await (await fetch(url + path, { headers: headers() })).text();
      }
      await (await fetch(`${url}/v1/clusters/a`)).text();
      const answer = await fetch(metricsUrl ?? '');
      expect(answer.headers.get('content-type')).toContain('text/plain');
      const text = await answer.text();
      const count = (method: string, route: string, status: number): string | undefined =>
        new RegExp(
          `^jeroboam_http_requests_total\\{method="${method}",route="${route}",status="${status}"\\} (\\d+)$`,
          'm',
        ).exec(text)?.[1];
      expect(count('GET', '/v1/clusters/:cluster', 404)).toBe('3');
      expect(count('GET', '/v1/clusters/:cluster', 401)).toBe('1');
      // What clients make up is one row, or anyone could fill the memory of Prometheus.
      expect(count('GET', 'none', 404)).toBe('2');
      expect(text).not.toContain('/v1/nope');
      expect(text).toContain('jeroboam_http_request_seconds_bucket');
      expect(text).toMatch(/^jeroboam_database_connections\{state="total"\} \d+$/m);
    } finally {
      await server.close();
    }
  });

  test('are served beside the API to this machine only, and not on behalf of another', async () => {
    const own = await service.request(null, 'GET', '/metrics');
    expect(own.text).toContain('jeroboam_http_requests_total');
    for (const header of ['x-forwarded-for', 'forwarded']) {
      const answer = await service.request('admin', 'GET', '/metrics', undefined, {
        [header]: '203.0.113.9',
      });
      expect([answer.status, answer.text.includes('jeroboam_')]).toEqual([404, false]);
    }
  });

  test('count clusters by status', async () => {
    const { server, metricsUrl } = await another({ metrics: { host: '127.0.0.1', port: 0 } });
    try {
      expect(await (await fetch(metricsUrl ?? '')).text()).toContain('# TYPE jeroboam_clusters gauge');
      expect((await fetch((metricsUrl ?? '').replace('/metrics', '/other'))).status).toBe(404);
    } finally {
      await server.close();
    }
  });
});

describe('the health check', () => {
  const health = () => service.request(null, 'GET', '/healthcheck');

  test('says 503 while the database is gone, and 200 when it is back', async () => {
    expect((await health()).status).toBe(200);
    const name = new URL(service.connectionString).pathname.slice(1);
    const client = new Client({ connectionString: inject('postgres') });
    await client.connect();
    try {
      await client.query(`alter database ${name} with allow_connections false`);
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const gone = await health();
      expect([gone.status, gone.body]).toEqual([
        503,
        { detailed: false, reasons: ['The database does not answer'] },
      ]);
      // Whoever has a token learns no more than that it failed.
      const answer = await service.request('demo', 'GET', '/v1/clusters');
      expect(answer.status).toBe(500);
      expect(answer.text).not.toContain(name);
    } finally {
      await client.query(`alter database ${name} with allow_connections true`);
      await client.end();
    }
    expect((await health()).status).toBe(200);
    expect((await service.request('demo', 'GET', '/v1/clusters')).status).toBe(200);
  });

  test('answers in plain text who does not ask for JSON', async () => {
    const answer = await service.request(null, 'GET', '/healthcheck', undefined, { accept: '*/*' });
    expect([answer.status, answer.text]).toEqual([200, 'OK']);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
  });
});

describe('a shutdown', () => {
  test('finishes the request that runs and takes no new ones', async () => {
    const { server, url } = await another();
    service.cloud.faults.inject({ path: /\/flavors/, hang: true });
    service.cloud.requests.clear();
    const running = fetch(`${url}/v1/clustertemplates`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ ...templateBody, name: 'finished' }),
    });
    await untilAsked(/\/flavors/);
    const closed = server.close();
    await untilRefused(`${url}/v1`);
    service.cloud.faults.clear();
    const answer = await running;
    expect(answer.status).toBe(201);
    await closed;
    expect((await service.request('demo', 'GET', '/v1/clustertemplates/finished')).status).toBe(200);
  });

  test('does not wait for clients that keep an idle connection', async () => {
    const { server, url } = await another();
    await (await fetch(`${url}/v1`, { headers: { connection: 'keep-alive' } })).text();
    const ended = await Promise.race([
      server.close().then(() => 'closed'),
      new Promise((resolve) => setTimeout(() => resolve('still open'), 10_000)),
    ]);
    expect(ended).toBe('closed');
  });
});

/** Whether a connection of its own is refused; one that is kept alive might be served to its end. */
const isRefused = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = httpRequest(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(false);
    });
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
    asked.end();
  });

async function untilRefused(url: string): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!(await isRefused(url)))
    if (Date.now() > deadline) throw new Error(`${url} still takes connections`);
}
