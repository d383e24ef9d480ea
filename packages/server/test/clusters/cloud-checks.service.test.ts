import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTemplate, templateBody } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ change: (options) => ({ ...options, maxClustersPerProject: 100 }) });
});
afterAll(() => service.close());
beforeEach(() => service.cloud.faults.clear());

const everything = {
  ...templateBody,
  flavor_id: 'm1.small',
  master_flavor_id: 'm1.medium',
  fixed_network: 'private',
  fixed_subnet: 'private-subnet',
};

/** What the cloud was asked with the caller's token: everything but the checking of tokens, before the driver. */
async function questionsOf(ask: () => Promise<unknown>): Promise<string[]> {
  const { requests } = service.cloud;
  requests.clear();
  await ask();
  return requests
    .entries()
    .filter(({ path }) => !path.includes('/identity/'))
    .map(
      ({ method, path, query }) => `${method} ${path}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`,
    );
}

describe('what a request names in the cloud', () => {
  test('is asked once each for a template, with one list for all flavors by name', async () => {
    const asked = await questionsOf(async () => {
      const answer = await service.request('demo', 'POST', '/v1/clustertemplates', everything);
      expect(answer.status).toBe(201);
    });
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((question) => question.includes('/flavors'))).toHaveLength(1);
    expect(asked.filter((question) => question.includes('/images'))).toHaveLength(1);
    expect(asked.filter((question) => question.includes('/subnets'))).toHaveLength(1);
    expect(asked.filter((question) => question.includes('/networks'))).toHaveLength(2);
  });

  test('is asked once each for a cluster', async () => {
    const template = await makeTemplate(service, 'demo', everything);
    const body = { cluster_template_id: template, keypair: 'mykey', flavor_id: 'm1.large' };
    // Refused by the last check of all, so that no driver comes to ask the cloud as well.
    const asked = await questionsOf(async () => {
      const answer = await service.request('demo', 'POST', '/v1/clusters', { ...body, master_count: 3 });
      expect(answer.body.errors[0].detail).toBe('master_count must be 1 when master_lb_enabled is False');
    });
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((question) => question.includes('/flavors'))).toHaveLength(1);
    expect(asked.filter((question) => question.includes('/os-keypairs'))).toHaveLength(1);
    expect(asked).toHaveLength(6);
  });

  test.each([
    [
      'a template',
      (): Promise<{ status: number }> => service.request('demo', 'POST', '/v1/clustertemplates', everything),
    ],
    [
      'a cluster',
      async (): Promise<{ status: number }> => {
        const { body } = await service.request('demo', 'GET', '/v1/clustertemplates?limit=1');
        return service.request('demo', 'POST', '/v1/clusters', {
          cluster_template_id: body.clustertemplates[0].uuid,
          keypair: 'mykey',
        });
      },
    ],
  ])('is asked side by side for %s', async (_name, ask) => {
    // None is answered before all are asked: were they asked one after the other, this would never end.
    const kinds = [/\/flavors/, /\/images/, /\/networks/, /\/subnets/];
    for (const path of kinds) service.cloud.faults.inject({ path, hang: true, times: 2 });
    service.cloud.requests.clear();
    const answer = ask();
    const deadline = Date.now() + 10_000;
    const asked = (path: RegExp): boolean => service.cloud.requests.count('GET', path) > 0;
    while (!kinds.every(asked)) {
      expect(Date.now()).toBeLessThan(deadline);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    service.cloud.faults.clear();
    expect((await answer).status).toBeLessThan(300);
  });

  test('is complained about in the order in which Magnum would, whichever answer comes first', async () => {
    service.cloud.faults.inject({ path: /\/flavors/, delayMs: 300 });
    const answer = await service.request('demo', 'POST', '/v1/clustertemplates', {
      ...everything,
      flavor_id: 'nope',
      fixed_network: 'nope',
    });
    expect([answer.status, answer.body.errors[0].detail]).toEqual([400, 'Unable to find flavor nope.']);
  });

  test('and cannot be asked is no fault of the caller', async () => {
    service.cloud.faults.inject({ path: /\/images/, status: 500, times: 20 });
    const answer = await service.request('demo', 'POST', '/v1/clustertemplates', everything);
    expect(answer.status).toBe(503);
    expect(answer.body.errors[0].detail).toContain('try again later');
  });
});
