import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionType } from '../../src/rest/extension.ts';
import { operations } from '../../src/rest/operations.ts';
import { makeCluster, makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { document } from './support/document.ts';
import { problems } from './support/validator.ts';

let service: TestService;
let ids: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  const template = await makeTemplate(service, 'demo', { nodegroups: [{ name: 'gpu' }] });
  const cluster = await makeCluster(service, 'demo', template, { name: 'prod' });
  ids = { cluster, template, nodegroup: 'gpu' };
});
afterAll(() => service.close());

const told = (path: string, method: string) =>
  document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];

const schemaOf = (path: string, method: string, status: number, type: string) => {
  const response = told(path, method)?.responses[status];
  if (response === undefined || '$ref' in response) throw new Error(`${method} ${path} tells no ${status}`);
  return response.content?.[type]?.schema ?? {};
};

const ask = (method: string, path: string, body?: unknown, headers = {}): Promise<TestAnswer> =>
  service.request(
    'demo',
    method,
    path.replaceAll(/:(\w+)/g, (_all, name: string) => ids[name] ?? name),
    body,
    headers,
  );

describe('what is described of the extensions is what is answered', () => {
  const reading = operations.filter(
    ({ method, extended }) => method === 'GET' && extended?.includes('answer'),
  );

  test.each(reading)(
    '$method $path shows resources whole to those who accept the media type',
    async ({ path }) => {
      const answer = await ask('GET', path, undefined, { accept: extensionType });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain(extensionType);
      expect(problems(schemaOf(path, 'GET', 200, extensionType), answer.body)).toEqual([]);
    },
  );

  test.each(operations.filter(({ method }) => method === 'GET'))(
    '$method $path shows the media type to nobody else',
    async ({ path }) => {
      const answer = await ask('GET', path);
      expect(answer.headers.get('content-type') ?? '').not.toContain(extensionType);
    },
  );

  const dry = [
    { method: 'POST', path: '/v1/clusters', body: { source_cluster: 'prod', flavor_id: 'huge' } },
    { method: 'POST', path: '/v1/clustertemplates', body: { source_cluster: 'prod' } },
    { method: 'POST', path: '/v1/clusters/:cluster/nodegroups', body: { source_nodegroup: 'prod/gpu' } },
    { method: 'POST', path: '/v1/nodegrouptemplates', body: { source_nodegroup: 'prod/gpu' } },
    {
      method: 'PATCH',
      path: '/v1/clusters/:cluster',
      body: [{ op: 'replace', path: '/node_count', value: 2 }],
    },
    {
      method: 'PATCH',
      path: '/v1/clusters/:cluster/nodegroups/:nodegroup',
      body: [{ op: 'replace', path: '/max_node_count', value: 2 }],
    },
    {
      method: 'PATCH',
      path: '/v1/clustertemplates/:template',
      body: [{ op: 'replace', path: '/name', value: 'x' }],
    },
  ];

  test.each(dry)('$method $path?dry_run=true answers a DryRun', async ({ method, path, body }) => {
    const types = method === 'PATCH' ? ['application/json', extensionType] : ['application/json'];
    for (const type of types) {
      const answer = await ask(method, `${path}?dry_run=true`, body, { 'content-type': type });
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
      expect(Object.keys(answer.body)).toEqual(['resource', 'origins', 'refusals']);
      const schema = document.components.schemas['DryRun'] ?? {};
      expect(problems(schema, answer.body)).toEqual([]);
      expect(problems(schemaOf(path, method, 200, 'application/json'), answer.body)).toEqual([]);
    }
  });
});
