import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operations } from '../../src/rest/operations.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { openDatabase, type Database } from './support/database.ts';
import { expectedStatus, expectedStatuses, type Asker } from './support/expected-statuses.ts';
import { outcome } from './support/outcome.ts';
import { askFor, nameOf, send } from './support/requests.ts';
import { makeScene, type Scene } from './support/scene.ts';

let service: TestService;
let database: Database;
let common: Scene;
const tokens = {} as Record<Asker, string>;

beforeAll(async () => {
  service = await startTestService({
    change: (options) => ({ ...options, maxClustersPerProject: 1000, heartbeatMs: 3_600_000 }),
  });
  tokens.reader = service.tokens.reader;
  tokens.member = service.tokens.demo;
  tokens.admin = service.tokens.admin;
  common = await makeScene(service, 'demo');
  database = await openDatabase(service.connectionString);
});
afterAll(async () => {
  await database.close();
  await service.close();
});

describe('the table of who may do what', () => {
  it('has a row for every operation, and none for others', () => {
    expect(Object.keys(expectedStatuses).toSorted()).toEqual(operations.map(nameOf).toSorted());
  });
});

describe.each(['reader', 'member', 'admin'] as const)('the %s', (asker) => {
  it.each(operations.map((operation) => [nameOf(operation), operation] as const))(
    'gets from %s what the table says',
    async (name, operation) => {
      const expected = expectedStatus(name, asker);
      const changes = operation.method !== 'GET' && expected < 300 && name !== 'POST /v1/certificates';
      // What is changed or deleted is made for the purpose; the rest is only looked at.
      const scene = changes && operation.path.includes(':') ? await makeScene(service, 'demo') : common;
      const before = await database.fingerprint();
      const ask = askFor(operation, scene);
      const answer = await send(service, tokens[asker], ask);
      expect(outcome(answer, expected)).toBe(expected);
      const refusal = expected === 403 ? /^Policy doesn't allow \S+ to be performed\.$/ : /^/;
      expect(String(answer.body?.errors?.[0].detail)).toMatch(refusal);
      await database.allWorkDone();
      const after = await database.fingerprint();
      expect(JSON.stringify(after) !== JSON.stringify(before)).toBe(changes);
    },
  );

  it('leaves no quota behind for the next', async () => {
    const answer = await service.request('admin', 'GET', '/v1/quotas?all_tenants=true');
    expect(answer.body.quotas).toEqual([]);
  });
});

describe('an administrator of another project', () => {
  it.each(['/v1/clusters', '/v1/clusters/detail'])(
    'sees the clusters of all projects in %s',
    async (path) => {
      const { body } = await service.request('admin', 'GET', path);
      expect(body.clusters.map((cluster: { uuid: string }) => cluster.uuid)).toContain(common.cluster);
    },
  );

  it.each(['/v1/clustertemplates', '/v1/clustertemplates/detail'])(
    'sees the templates of all projects in %s',
    async (path) => {
      const { body } = await service.request('admin', 'GET', path);
      expect(body.clustertemplates.map((template: { uuid: string }) => template.uuid)).toContain(
        common.template,
      );
    },
  );

  it('counts the clusters of all projects, or of the one asked for', async () => {
    const all = await service.request('admin', 'GET', '/v1/stats');
    expect(all.body.clusters).toBeGreaterThan(0);
    const own = await service.request(
      'admin',
      'GET',
      `/v1/stats?project_id=${service.vars['project.second']}`,
    );
    expect(own.body).toEqual({ clusters: 0, nodes: 0 });
  });

  it('may continue a list after a cluster of another project', async () => {
    const answer = await service.request('admin', 'GET', `/v1/clusters?marker=${common.cluster}`);
    expect(answer.status).toBe(200);
  });
});
