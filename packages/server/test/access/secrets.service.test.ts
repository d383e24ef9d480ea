import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { certificateOwner } from '../../src/certificates/key-pair.ts';
import { operations } from '../../src/rest/operations.ts';
import { generateKeyFileLine, KeyRing } from '../../src/sealing/index.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { openDatabase, type Dump } from './support/database.ts';
import { enrol, logIn } from './support/people.ts';
import { askFor, nameOf, send, type Ask } from './support/requests.ts';
import { makeScene, type Scene } from './support/scene.ts';

const keyLine = generateKeyFileLine();
const log: string[] = [];
const answers: string[] = [];
const tokens: string[] = [];
let service: TestService;
let dump: Dump;

/** Keeps all that came back, headers included. */
async function ask(token: string, request: Ask): Promise<void> {
  const answer = await send(service, token, request);
  answers.push(`${answer.text}\n${JSON.stringify([...answer.headers])}`);
}

async function walk(scene: Scene): Promise<void> {
  // What deletes comes last, so that there is something to be asked for until then.
  const order = operations.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
  for (const operation of order) {
    for (const token of tokens) await ask(token, askFor(operation, scene));
    const { method, path } = askFor(operation, scene);
    for (const body of ['{"broken":', '[]', '{"name": {"password": []}}'])
      await ask(service.tokens.demo, { method, path, ...(method === 'GET' ? {} : { body }) });
  }
}

/** Each service of the cloud fails once while it is needed; the errors that come of it are logged. */
async function walkWithFailures(scene: Scene): Promise<void> {
  const create = operations.filter((operation) => nameOf(operation).startsWith('POST /v1/cluster'));
  for (const path of [/\/images/, /\/flavors/, /\/networks/, /\/auth\/tokens/, /\/os-keypairs/]) {
    for (const fault of [{ status: 401 }, { status: 403 }, { status: 500 }, { status: 200, body: 'no' }]) {
      const disarm = service.cloud.faults.inject({ path, times: 50, ...fault });
      for (const operation of create) await ask(service.tokens.demo, askFor(operation, scene));
      await ask('gAAAAAB-a-token-nobody-has-seen-yet', { method: 'GET', path: '/v1/clusters' });
      disarm();
    }
  }
}

beforeAll(async () => {
  const logger = pino(
    { level: 'trace' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        log.push(chunk.toString('utf8'));
        done();
      },
    }),
  );
  service = await startTestService({
    logger,
    change: (options) => ({ ...options, keyRing: KeyRing.parse(keyLine) }),
  });
  const database = await openDatabase(service.connectionString);
  tokens.push(...Object.values(service.tokens));
  tokens.push(await enrol(service, 'dana', 'admin', { project: 'demo' }));
  tokens.push(await logIn(service, 'demo', 'pw-demo', 'unscoped'));
  const scene = await makeScene(service, 'demo');
  await walkWithFailures(scene);
  const failing = { cluster_template_id: scene.template, name: 'failhelm-secret' };
  await ask(service.tokens.demo, { method: 'POST', path: '/v1/clusters', body: failing });
  dump = await database.dump();
  await walk(scene);
  await database.allWorkDone();
  await database.close();
}, 300_000);
afterAll(() => service.close());

const pemBody = (pem: string): string[] =>
  pem.split('\n').filter((line) => line.length > 30 && !line.startsWith('-'));

/** Each secret with the words for it. */
function secrets(): [what: string, text: string][] {
  const certificates = (dump['certificate'] ?? []) as { ref: string; sealed_private_key: string }[];
  const keys = certificates.flatMap(({ ref, sealed_private_key: sealed }) =>
    pemBody(service.options.keyRing.open(sealed, certificateOwner(ref)).toString('utf8')),
  );
  const { password } = new URL(service.connectionString);
  return [
    ...keys.map((line): [string, string] => ['a line of a private key', line]),
    ...certificates.map((row): [string, string] => ['a sealed key', row.sealed_private_key]),
    ...tokens.map((token): [string, string] => ['a token', token]),
    ...['pw-admin', 'pw-demo', 'pw-reader', 'pw-bob', 'pw-service', 'pw-dana'].map(
      (word): [string, string] => ['a password', word],
    ),
    ['the key that seals', keyLine.split(':')[1] ?? keyLine],
    ...(password === '' ? [] : [['the password of the database', password] as [string, string]]),
  ];
}

describe('after every route was asked by everybody, rightly and wrongly, with the cloud failing in between,', () => {
  it('there is something to look through', () => {
    expect(answers.length).toBeGreaterThan(operations.length * 5);
    expect(log.length).toBeGreaterThan(operations.length * 5);
    expect(log.some((line) => line.includes('"err":'))).toBe(true);
    expect(secrets().filter(([what]) => what === 'a line of a private key').length).toBeGreaterThan(20);
  });

  it('no private key, sealed value, token, password or key of the service is in any answer', () => {
    const all = answers.join('\n');
    for (const [what, text] of secrets()) expect([what, all.includes(text)]).toEqual([what, false]);
    expect(all).not.toContain('PRIVATE KEY');
  });

  it('none of them is in any line of the log', () => {
    const all = log.join('');
    for (const [what, text] of secrets()) expect([what, all.includes(text)]).toEqual([what, false]);
    expect(all).not.toContain('PRIVATE KEY');
  });

  it('no answer shows where the program lies or which statement failed', () => {
    const all = answers.join('\n');
    expect(all).not.toMatch(/node_modules|\.ts:\d+|\bat \w+ \(|select t\.|insert into|postgres/i);
  });
});
