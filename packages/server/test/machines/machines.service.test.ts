import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCluster, makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let cluster: string;

beforeAll(async () => {
  service = await startTestService();
  const template = await makeTemplate(service, 'demo');
  cluster = await makeCluster(service, 'demo', template, { name: 'prod', node_count: 2, master_count: 1 });
});
afterAll(() => service.close());

const machines = (path = '') => service.request('demo', 'GET', `/v1/clusters/${cluster}${path}/machines`);

describe('the machines of a cluster', () => {
  test('are listed by name with all that is known of them', async () => {
    const { status, body } = await machines();
    expect(status).toBe(200);
    const names = body.machines.map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(3);
    expect(names).toEqual(names.toSorted());
    expect(body.machines[0]).toEqual({
      name: names[0],
      nodegroup: 'default-master',
      role: 'master',
      phase: 'Running',
      deleting: false,
      addresses: [{ type: 'InternalIP', address: '10.0.0.10' }],
      kubernetes_version: '1.31.4',
      provider_id: `simulated:///${cluster}/default-master/0`,
      node_name: names[0],
      zone: null,
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Ready', message: null, changed_at: expect.any(String) },
      ],
      created_at: null,
      changed_at: expect.any(String),
    });
  });

  test('are listed by group, under its name or uuid', async () => {
    const { body: group } = await service.request(
      'demo',
      'GET',
      `/v1/clusters/${cluster}/nodegroups/default-worker`,
    );
    for (const ident of ['default-worker', group.uuid]) {
      const { body } = await machines(`/nodegroups/${ident}`);
      expect(body.machines.map(({ nodegroup }: { nodegroup: string }) => nodegroup)).toEqual([
        'default-worker',
        'default-worker',
      ]);
    }
    expect((await machines('/nodegroups/nothing')).status).toBe(404);
  });

  test('cannot be changed', async () => {
    for (const path of ['', '/nodegroups/default-worker']) {
      const answer = await service.request('demo', 'DELETE', `/v1/clusters/${cluster}${path}/machines`);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    }
  });
});
