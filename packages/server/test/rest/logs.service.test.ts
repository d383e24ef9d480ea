import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requests } from '../certificates-api/support.ts';
import { makeCluster, makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const written: string[] = [];
let service: TestService;

beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  service = await startTestService({ logger: pino({ level: 'debug' }, stream) });
});
afterAll(() => service.close());

type Line = Record<string, unknown>;

const lines = (): Line[] =>
  written
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** The lines that tell of one request; the last is written after its answer was sent. */
async function linesOf(requestId: string | null): Promise<Line[]> {
  const deadline = Date.now() + 5000;
  for (;;) {
    const found = lines().filter((line) => line['reqId'] === requestId);
    if (found.length > 0) return found;
    if (Date.now() > deadline) throw new Error(`nothing was logged of ${requestId}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const idOf = (answer: { headers: Headers }): string | null => answer.headers.get('x-openstack-request-id');

describe('the log', () => {
  test('has one line of JSON for each request, with what was asked, by whom, and the outcome', async () => {
    const answer = await service.request('demo', 'GET', '/v1/clusters?limit=1');
    expect(await linesOf(idOf(answer))).toMatchObject([
      {
        msg: 'request',
        level: 30,
        method: 'GET',
        path: '/v1/clusters',
        status: 200,
        project: service.vars['project.demo'],
        user: service.vars['user.demo'],
        ms: expect.any(Number),
      },
    ]);
    const refused = await service.request(null, 'GET', '/clusters/x');
    expect(await linesOf(idOf(refused))).toMatchObject([
      { method: 'GET', path: '/v1/clusters/x', status: 401 },
    ]);
  });

  test('tells requests apart: no id comes twice, and none is taken from the client', async () => {
    const theirs = 'req-00000000-0000-4000-8000-000000000000';
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        service.request('demo', 'GET', '/v1/stats', undefined, {
          'x-openstack-request-id': theirs,
          'request-id': theirs,
        }),
      ),
    );
    const ids = answers.map(idOf);
    expect(new Set(ids).size).toBe(50);
    expect(ids).not.toContain(theirs);
    for (const id of ids) {
      expect(id).toMatch(/^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(await linesOf(id)).toHaveLength(1);
    }
  });

  test('cannot be forged by what a client sends', async () => {
    const answer = await service.request('demo', 'GET', '/v1/clusters/%0A%7B%22msg%22%3A%22forged%22%7D');
    expect(answer.status).toBe(404);
    await linesOf(idOf(answer));
    expect(lines().filter(({ msg }) => msg === 'forged')).toEqual([]);
  });

  test('has the reason of a failure inside, of which the client gets only the id', async () => {
    const failing = service.request('demo', 'GET', '/v1/certificates/x', undefined, {});
    expect((await failing).status).toBe(404);
    const keyRing = service.options.keyRing;
    const cluster = await makeCluster(service, 'demo', await makeTemplate(service, 'demo'));
    const { KeyRing, generateKeyFileLine } = await import('../../src/index.ts');
    service.options.keyRing = KeyRing.parse(generateKeyFileLine());
    await service.restart();
    const answer = await service.request('demo', 'GET', `/v1/certificates/${cluster}`);
    service.options.keyRing = keyRing;
    await service.restart();
    expect(answer.status).toBe(500);
    const id = idOf(answer);
    expect(answer.body.errors[0].detail).toBe(
      `The service failed to answer. Its log has the reason under ${id}.`,
    );
    const [failure] = (await linesOf(id)).filter(({ level }) => level === 50);
    expect(failure).toMatchObject({
      msg: 'a request failed inside the service',
      err: { message: expect.any(String) },
    });
  });

  test('never has a token, a password, a key or a certificate request in it', async () => {
    const cluster = await makeCluster(service, 'demo', await makeTemplate(service, 'demo'));
    const csr = requests.RSA;
    await service.request('demo', 'POST', '/v1/certificates', { cluster_uuid: cluster, csr });
    await service.request('demo', 'POST', '/v1/certificates', {
      cluster_uuid: cluster,
      csr: 'garbage-of-the-test',
    });
    const text = written.join('');
    for (const token of Object.values(service.tokens)) expect(text).not.toContain(token);
    for (const secret of ['pw-service', 'pw-demo', 'PRIVATE KEY', 'BEGIN CERTIFICATE', 'garbage-of-the-test'])
      expect(text).not.toContain(secret);
  });
});
