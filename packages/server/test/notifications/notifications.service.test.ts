import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notification } from '../../src/notifications/cadf.ts';
import { startRecordedService, type RecordedService } from '../conductor/support/recorded-service.ts';
import { settled } from '../support/clusters.ts';
import { until } from '../support/until.ts';

let recorded: RecordedService;
let hook: Server;
const received: Notification[] = [];

beforeAll(async () => {
  hook = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      received.push(JSON.parse(text) as Notification);
      response.end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const { port } = hook.address() as AddressInfo;
  recorded = await startRecordedService({
    change: (options) => ({ ...options, notifications: { webhookUrl: `http://127.0.0.1:${port}/` } }),
  });
});
afterAll(async () => {
  await recorded.service.close();
  hook.closeAllConnections();
  hook.close();
});

const told = (cluster: string): string[] =>
  received
    .filter(({ payload }) => (payload['target'] as { id: string }).id === cluster)
    .map(({ event_type: type, priority, payload }) => `${type} ${String(payload['outcome'])} ${priority}`);

test('every change of a cluster is told when it is accepted and when it ended, as Magnum tells it', async () => {
  const { service, driver, accept } = recorded;
  const cluster = await accept('noticed');
  await settled(service, 'demo', cluster);
  driver.fail('apply', 'Quota exceeded for cores.');
  const resize = () =>
    service.request('demo', 'POST', `/v1/clusters/${cluster}/actions/resize`, { node_count: 2 });
  await resize();
  await settled(service, 'demo', cluster);
  await resize();
  await settled(service, 'demo', cluster);
  await service.request('demo', 'DELETE', `/v1/clusters/${cluster}`);
  await settled(service, 'demo', cluster);
  await until(
    () => told(cluster),
    (list) => list.length >= 8,
  );
  expect(told(cluster)).toEqual([
    'magnum.cluster.create pending INFO',
    'magnum.cluster.create success INFO',
    'magnum.cluster.update pending INFO',
    'magnum.cluster.update failure ERROR',
    'magnum.cluster.update pending INFO',
    'magnum.cluster.update success INFO',
    'magnum.cluster.delete pending INFO',
    'magnum.cluster.delete success INFO',
  ]);
});

test('a notification is a CADF event that tells of the cluster, who asked and no secret', async () => {
  const { service, accept } = recorded;
  const cluster = await accept('described');
  await settled(service, 'demo', cluster);
  const [pending] = await until(
    () => received.filter(({ payload }) => (payload['target'] as { id: string }).id === cluster),
    (list) => list.length >= 2,
  );
  expect(pending).toMatchObject({
    publisher_id: 'container-infra.conductor-1',
    payload: {
      typeURI: 'http://schemas.dmtf.org/cloud/audit/1.0/event',
      eventType: 'activity',
      action: 'create',
      outcome: 'pending',
      observer: { typeURI: 'service/magnum/cluster' },
      initiator: {
        typeURI: 'service/security/account/user',
        user_id: service.vars['user.demo'],
        project_id: service.vars['project.demo'],
      },
      target: {
        id: cluster,
        name: 'described',
        typeURI: 'service/magnum/cluster',
        attachments: [
          {
            name: 'cluster_data',
            content: {
              status: 'CREATE_IN_PROGRESS',
              'docker_volume_size:': null,
              node_count: 1,
              master_count: 1,
            },
          },
        ],
      },
    },
  });
  const text = JSON.stringify(received);
  for (const secret of ['cert_ref', 'PRIVATE KEY', service.tokens.demo, 'password'])
    expect(text).not.toContain(secret);
});
