import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../sandbox/test/support/database.ts';
import { createServer, generateKeyFileLine, KeyRing, type Server } from '../../src/index.ts';
import { templateBody } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { KilledServer } from './support/killed-server.ts';

let beside: TestService;
let database: TestDatabase;
let doomed: KilledServer;
let survivor: Server;
let url: string;

beforeAll(async () => {
  // For its cloud and tokens; its own server works on another database.
  beside = await startTestService();
  database = await createTestDatabase();
  const keyLine = generateKeyFileLine();
  const { connectionString } = database;
  const settings = { connectionString, keystone: beside.options.keystone, keyLine, delayMs: 10, stuck: true };
  doomed = new KilledServer(settings, beside.tokens.demo);
  await doomed.start();
  survivor = await createServer({
    ...beside.options,
    database: { connectionString },
    keyRing: KeyRing.parse(keyLine),
    hostname: 'survivor',
  });
});
afterAll(async () => {
  await doomed.end();
  await survivor.close();
  await database.drop();
  await beside.close();
});

test('what a killed conductor was at is carried on by another, without waiting for any lease to end', async () => {
  const { body: template } = await doomed.send('POST', '/v1/clustertemplates', templateBody);
  const { body: cluster } = await doomed.send('POST', '/v1/clusters', { cluster_template_id: template.uuid });
  await doomed.hasTold('stuck');
  ({ url } = await survivor.listen());
  await doomed.kill();
  const settled = await until(
    async () => {
      const headers = { 'x-auth-token': beside.tokens.demo };
      const answer = await fetch(`${url}/v1/clusters/${cluster.uuid}`, { headers });
      return (await answer.json()) as { status: string };
    },
    ({ status }) => status === 'CREATE_COMPLETE',
    // Less than the shortest lease of the queue.
    8_000,
  );
  expect(settled.status).toBe('CREATE_COMPLETE');
});
