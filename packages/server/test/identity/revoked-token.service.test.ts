import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    change: (options) => ({ ...options, keystone: { ...options.keystone, cacheSeconds: 3600 } }),
  });
});
afterAll(() => service.close());

it('gives 401 as soon as the cloud refuses a token that is still remembered, and forgets it', async () => {
  const template = { name: 'late', coe: 'kubernetes', image_id: 'ubuntu-kube-v1.31', flavor_id: 'm1.small' };
  expect((await service.request('demo', 'GET', '/v1/clusters')).status).toBe(200);
  const revoked = await fetch(`${service.cloud.identityUrl}/auth/tokens`, {
    method: 'DELETE',
    headers: { 'x-auth-token': service.tokens.admin, 'x-subject-token': service.tokens.demo },
  });
  expect(revoked.status).toBe(204);

  const remembered = await service.request('demo', 'GET', '/v1/clusters');
  expect(remembered.status).toBe(200);
  const refused = await service.request('demo', 'POST', '/v1/clustertemplates', template);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toMatch(/^Keystone uri=/);
  expect(refused.body.error.code).toBe(401);
  const forgotten = await service.request('demo', 'GET', '/v1/clusters');
  expect(forgotten.status).toBe(401);
});
