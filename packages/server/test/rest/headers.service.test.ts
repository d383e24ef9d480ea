import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCluster, makeTemplate, templateBody } from '../support/clusters.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';

let service: TestService;
let template: string;
let cluster: string;

beforeAll(async () => {
  service = await startTestService();
  template = await makeTemplate(service, 'demo');
  cluster = await makeCluster(service, 'demo', template);
});
afterAll(() => service.close());

const watched = [
  'content-type',
  'openstack-api-version',
  'openstack-api-minimum-version',
  'openstack-api-maximum-version',
  'vary',
  'x-openstack-request-id',
  'allow',
  'location',
  'www-authenticate',
];

/** The headers that clients look at, of those an answer has. */
const headersOf = (answer: TestAnswer): string[] => watched.filter((name) => answer.headers.has(name));

const type = 'content-type';
const version = watched.slice(1, 5);
const requestId = 'x-openstack-request-id';

describe('the headers of an answer', () => {
  test.each(['/v1/clusters', '/clusters', '/v1', '/v1/'])(
    'to GET %s tell type, version and request',
    async (path) => {
      const answer = await service.request('demo', 'GET', path, undefined, {
        'openstack-api-version': 'container-infra 1.9',
      });
      expect(answer.status).toBe(200);
      expect(headersOf(answer)).toEqual([type, ...version, requestId]);
      expect(answer.headers.get(type)).toBe('application/json');
      expect(answer.headers.get('openstack-api-version')).toBe('container-infrastructure-management 1.9');
      expect(answer.headers.get('openstack-api-minimum-version')).toBe(
        'container-infrastructure-management 1.1',
      );
      expect(answer.headers.get('openstack-api-maximum-version')).toBe(
        'container-infrastructure-management 1.14',
      );
      expect(answer.headers.get('vary')).toBe('OpenStack-API-Version');
    },
  );

  test('that made a template tell where it is', async () => {
    const answer = await service.request('demo', 'POST', '/v1/clustertemplates', templateBody);
    expect(headersOf(answer)).toEqual([type, ...version, requestId, 'location']);
    expect(answer.headers.get('location')).toBe(`${service.url}/v1/clustertemplates/${answer.body.uuid}`);
    const removed = await service.request('demo', 'DELETE', `/v1/clustertemplates/${answer.body.uuid}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect(headersOf(removed)).toEqual([...version, requestId]);
  });

  test('that accepted work have no location', async () => {
    const answer = await service.request('demo', 'POST', `/v1/clusters/${cluster}/actions/resize`, {
      node_count: 1,
    });
    expect([answer.status, headersOf(answer)]).toEqual([202, [type, ...version, requestId]]);
  });

  test.each([
    [400, 'GET', '/v1/clusters?nope=1'],
    [404, 'GET', '/v1/clusters/nope'],
    [403, 'GET', '/v1/mservices'],
  ])('that refuse with %i from inside are as those of a success', async (status, method, path) => {
    const answer = await service.request('demo', method, path);
    expect([answer.status, headersOf(answer)]).toEqual([status, [type, ...version, requestId]]);
    expect(answer.body.errors[0]).toMatchObject({ code: 'client', status, request_id: '', links: [] });
  });

  test('to a stranger tell where a token is to be had, in the form of keystonemiddleware', async () => {
    for (const token of [
      {},
      { 'x-auth-token': '' },
      { 'x-auth-token': 'bad' },
      { authorization: 'Bearer x' },
    ]) {
      const answer = await service.request(
        null,
        'GET',
        '/v1/clusters',
        undefined,
        token as Record<string, string>,
      );
      expect([answer.status, headersOf(answer)]).toEqual([401, [type, requestId, 'www-authenticate']]);
      expect(answer.headers.get('www-authenticate')).toBe(`Keystone uri="${service.cloud.identityUrl}"`);
      expect(answer.body).toEqual({
        error: {
          code: 401,
          title: 'Unauthorized',
          message: 'The request you have made requires authentication.',
        },
      });
    }
  });

  test.each(['/v1/nope', '/v2', '/v1/bays', '/v1/clusters/a/b/c/d'])(
    'to the unknown path %s have no version',
    async (path) => {
      const answer = await service.request('demo', 'GET', path);
      expect([answer.status, headersOf(answer)]).toEqual([404, [type, requestId]]);
      expect(answer.body.errors[0]).toMatchObject({ code: '', title: 'Not Found', detail: '' });
    },
  );

  test.each([
    ['POST', '/', 'GET'],
    ['DELETE', '/v1', 'GET'],
    ['GET', '/v1/certificates', 'GET, PATCH, POST'],
    ['DELETE', '/v1/certificates/x', 'GET, PATCH, POST'],
    ['GET', '/v1/credentials/x', 'PATCH'],
    ['PUT', '/v1/clusters/x/nodegroups/y', 'DELETE, GET, PATCH, POST'],
    ['PUT', '/v1/clusters', 'DELETE, GET, PATCH, POST'],
    ['OPTIONS', '/v1/clusters', 'DELETE, GET, PATCH, POST'],
  ])('to %s %s, which is no method there, tell what is: %s', async (method, path, allow) => {
    const answer = await service.request('demo', method, path);
    expect([answer.status, headersOf(answer)]).toEqual([405, [type, requestId, 'allow']]);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.body.errors[0]).toMatchObject({ code: '', title: 'Method Not Allowed', detail: '' });
  });

  test('to HEAD are those of 405 with nothing after them', async () => {
    for (const path of ['/', '/v1', '/v1/clusters', `/v1/clusters/${cluster}`]) {
      const answer = await service.request('demo', 'HEAD', path);
      expect([path, answer.status, answer.text, headersOf(answer)]).toEqual([
        path,
        405,
        '',
        [type, requestId, 'allow'],
      ]);
    }
  });

  test('to a preflight without a token are none', async () => {
    const answer = await service.request(null, 'OPTIONS', '/v1');
    expect([answer.status, answer.text, headersOf(answer)]).toEqual([200, '', []]);
  });

  test('to a version out of range repeat it, to a malformed one and a missing method have none', async () => {
    const ask = (header: string, path = '/v1/clusters') =>
      service.request('demo', 'GET', path, undefined, { 'openstack-api-version': header });
    const range = await ask('container-infra 1.99');
    expect([range.status, headersOf(range)]).toEqual([406, [type, ...version, requestId]]);
    expect(range.headers.get('openstack-api-version')).toBe('container-infrastructure-management 1.99');
    expect(range.body.errors[0].code).toBe('magnum.microversion-unsupported');
    for (const answer of [
      await ask('nova 1.1'),
      await ask('container-infra x'),
      await ask('container-infra 1.8', `/v1/clusters/${cluster}/nodegroups`),
    ]) {
      expect([answer.status, headersOf(answer)]).toEqual([406, [type, requestId]]);
      expect(answer.body.errors[0].title).toBe('Not Acceptable');
    }
  });

  test.each(['text/html', 'application/xml'])(
    'to who reads only %s are those of an empty 406',
    async (accept) => {
      const answer = await service.request(null, 'GET', '/', undefined, { accept });
      expect([answer.status, headersOf(answer)]).toEqual([406, [type, requestId]]);
      expect(answer.body.errors[0]).toMatchObject({ title: '', detail: '' });
    },
  );

  test('of the discovery and the health check are few', async () => {
    expect(headersOf(await service.request(null, 'GET', '/'))).toEqual([type, requestId]);
    const health = await service.request(null, 'GET', '/healthcheck');
    expect([headersOf(health), health.body]).toEqual([[type], { detailed: false, reasons: ['OK'] }]);
  });
});
