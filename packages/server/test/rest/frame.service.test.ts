import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCluster, makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let proxied: TestService;
let cluster: string;

beforeAll(async () => {
  service = await startTestService({
    change: (options) => ({ ...options, api: { ...options.api, bodyLimit: 20_000 } }),
  });
  proxied = await startTestService({
    change: (options) => ({ ...options, api: { ...options.api, trustProxyHeaders: true } }),
  });
  cluster = await makeCluster(service, 'demo', await makeTemplate(service, 'demo'), { name: 'framed' });
});
afterAll(async () => {
  await service.close();
  await proxied.close();
});

const get = (path: string) => service.request('demo', 'GET', path);

describe('paths', () => {
  test.each([
    '/clusters',
    '/clustertemplates',
    '/quotas?all_tenants=True',
    '/mservices',
    '/stats',
    '/federations',
  ])('work with and without the version: %s', async (path) => {
    const [with1, without] = [
      await service.request('admin', 'GET', `/v1${path}`),
      await service.request('admin', 'GET', path),
    ];
    expect([with1.status, without.status]).toEqual([200, 200]);
    expect(without.body).toEqual(with1.body);
  });

  test('work with a slash at the end, as clients send it', async () => {
    for (const path of ['/v1/clusters/', `/v1/clusters/${cluster}/`, `/v1/clusters/${cluster}/nodegroups/`]) {
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    }
    const patch = [{ op: 'replace', path: '/health_status', value: 'HEALTHY' }];
    const answer = await service.request('demo', 'PATCH', `/v1/clusters/${cluster}/?rollback=True`, patch);
    expect(answer.status).toBe(202);
  });

  test('of bookmark links lead to the same resource', async () => {
    const { body } = await get(`/v1/clusters/${cluster}`);
    for (const { href } of body.links) {
      expect((await get(new URL(href).pathname)).body.uuid).toBe(cluster);
    }
  });

  test.each(['/v1/clusters/%zz', '/v1/clusters/%00', `/v1/clusters/${'x'.repeat(3000)}`])(
    'that cannot be read are refused: %.30s',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body.errors).toHaveLength(1);
    },
  );
});

describe('bodies', () => {
  const post = (body: string, type: string) =>
    service.request('demo', 'POST', '/v1/clusters', body, { 'content-type': type });

  test('are taken up to the limit and refused with 413 beyond it', async () => {
    const sized = (length: number): string => JSON.stringify({ cluster_template_id: 'x'.repeat(length) });
    expect((await post(sized(15_000), 'application/json')).status).toBe(404);
    const answer = await post(sized(30_000), 'application/json');
    expect(answer.status).toBe(413);
    expect(answer.body.errors[0]).toMatchObject({ status: 413, code: 'client' });
    expect(answer.headers.get('x-openstack-request-id')).toMatch(/^req-/);
  });

  test.each(['text/plain', 'application/json-patch+json', 'application/xml'])(
    'of type %s are refused with 415',
    async (type) => {
      const answer = await post('{}', type);
      expect([answer.status, answer.body.errors[0].detail]).toEqual([415, `Unknown mimetype: ${type}`]);
    },
  );

  test('that are empty may have any type, as clients send with DELETE', async () => {
    const answer = await service.request('demo', 'DELETE', '/v1/clusters/nope', undefined, {
      'content-type': 'application/octet-stream',
    });
    expect(answer.status).toBe(404);
  });

  test.each(['{', '[1,', 'nul', '\u0000', '{"a":1}x'])('that are no JSON are refused: %j', async (body) => {
    const answer = await post(body, 'application/json');
    expect([answer.status, answer.body.errors[0].detail]).toEqual([
      400,
      'Request is not in valid JSON format',
    ]);
  });
});

/** A link of the discovery document as it is answered to a request with these headers, whatever they are. */
function linkFor(target: TestService, headers: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ hostname, port, path: '/', headers, setHost: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve(JSON.parse(text).versions[0].links[0].href as string));
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('links', () => {
  test('name the host that the client asked for', async () => {
    expect(await linkFor(service, { host: 'magnum.example.org:9511' })).toBe(
      'http://magnum.example.org:9511/v1/',
    );
    expect(await linkFor(service, { host: '[::1]:9511' })).toBe('http://[::1]:9511/v1/');
  });

  test.each([
    'evil.example/path',
    'a b',
    'user@evil.example',
    'x"onload=alert(1)',
    '<script>',
    'a:b:c',
    'host:999999',
    '',
  ])('never name the host %j, which is none', async (host) => {
    expect(await linkFor(service, { host })).toBe(`${service.url}/v1/`);
  });

  const forwarded = {
    host: 'inside:9511',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'magnum.example.org',
  };

  test('follow a proxy where it is trusted, and nowhere else', async () => {
    expect(await linkFor(service, forwarded)).toBe('http://inside:9511/v1/');
    expect(await linkFor(proxied, forwarded)).toBe('https://magnum.example.org/v1/');
  });

  test('do not follow even a trusted proxy to what is no host or scheme', async () => {
    expect(await linkFor(proxied, { ...forwarded, 'x-forwarded-host': 'evil/x' })).toBe(
      `https://${new URL(proxied.url).host}/v1/`,
    );
    expect(await linkFor(proxied, { ...forwarded, 'x-forwarded-proto': 'javascript' })).toBe(
      'http://magnum.example.org/v1/',
    );
  });

  test('are what the operator says, whatever the client does', async () => {
    const configured = await startTestService({
      change: (options) => ({
        ...options,
        api: { ...options.api, publicUrl: 'https://coe.example.org/magnum' },
      }),
    });
    try {
      expect(await linkFor(configured, { ...forwarded, host: 'other' })).toBe(
        'https://coe.example.org/magnum/v1/',
      );
    } finally {
      await configured.close();
    }
  });
});
