import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { operations } from '../../src/rest/operations.ts';
import { makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { openDatabase, type Database } from './support/database.ts';
import { outcome } from './support/outcome.ts';
import { leakIn, textsOnlyOf } from './support/leaks.ts';
import { enrol, logIn } from './support/people.ts';
import { askFor, nameOf, send, type Ask } from './support/requests.ts';
import { makeScene, type Scene } from './support/scene.ts';

let service: TestService;
let database: Database;
let scene: Scene;
let secrets: Set<string>;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  service = await startTestService({ change: (options) => ({ ...options, heartbeatMs: 3_600_000 }) });
  scene = await makeScene(service, 'demo');
  await makeScene(service, 'bob');
  tokens['unscoped'] = await logIn(service, 'demo', 'pw-demo', 'unscoped');
  tokens['domain member'] = await enrol(service, 'erin', 'member', { domain: 'default' });
  tokens['domain admin'] = await enrol(service, 'frank', 'admin', { domain: 'default' });
  tokens['system admin'] = await logIn(service, 'admin', 'pw-admin', { system: { all: true } });
  database = await openDatabase(service.connectionString);
  secrets = textsOnlyOf(await database.dump(), scene.project);
});
afterAll(async () => {
  await database.close();
  await service.close();
});

function requestOf(name: string): Ask {
  const operation = operations.find((known) => nameOf(known) === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return askFor(operation, scene);
}

const ask = (kind: string, name: string): Promise<TestAnswer> =>
  send(service, tokens[kind] ?? '', requestOf(name));

describe.each(['unscoped', 'domain member'])('a token for no project (%s)', (kind) => {
  it.each(operations.map(nameOf))('is refused by %s, without data and without a change', async (name) => {
    const before = await database.fingerprint();
    const answer = await ask(kind, name);
    expect([400, 403, 404]).toContain(outcome(answer, 400, 403, 404));
    expect(leakIn(answer.text, JSON.stringify(requestOf(name)), secrets)).toBeUndefined();
    expect(await database.fingerprint()).toEqual(before);
  });
});

/** What administrators may do without a project: what belongs to none. */
const forAdministrators = new Set(operations.map(nameOf).filter((name) => /quotas|mservices/.test(name)));

describe.each(['domain admin', 'system admin'])('a token for no project (%s)', (kind) => {
  it.each(operations.map(nameOf).filter((name) => !forAdministrators.has(name)))(
    'is refused by %s, without data and without a change',
    async (name) => {
      const before = await database.fingerprint();
      const answer = await ask(kind, name);
      expect([400, 403, 404]).toContain(outcome(answer, 400, 403, 404));
      expect(await database.fingerprint()).toEqual(before);
    },
  );

  it('sets, shows and removes quotas, and sees the conductors', async () => {
    const wanted = [
      ['POST /v1/quotas', 201],
      ['GET /v1/quotas', 200],
      ['PATCH /v1/quotas/:project/:resource', 202],
      ['DELETE /v1/quotas/:project/:resource', 204],
      ['GET /v1/mservices', 200],
    ] as const;
    for (const [name, status] of wanted)
      expect([name, (await ask(kind, name)).status]).toEqual([name, status]);
  });
});

it('a public template is for everybody, also without a project', async () => {
  const open = await makeTemplate(service, 'admin', { name: 'open-to-all', public: true });
  for (const token of Object.values(tokens)) {
    const answer = await send(service, token, { method: 'GET', path: `/v1/clustertemplates/${open}` });
    expect([answer.status, answer.body.name]).toEqual([200, 'open-to-all']);
  }
});
