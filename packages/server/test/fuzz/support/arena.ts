import { Writable } from 'node:stream';
import pino from 'pino';

import { openDatabase } from '../../access/support/database.ts';
import { leakIn, textsOnlyOf } from '../../access/support/leaks.ts';
import { makeScene, type Scene } from '../../access/support/scene.ts';
import {
  startTestService,
  type Person,
  type TestAnswer,
  type TestService,
} from '../../support/test-service.ts';

/** What came back, however it was asked for. */
export type Reply = Pick<TestAnswer, 'status' | 'text'>;

/** A service with bob's things, about which garbage is sent, and demo's, of which nothing may come back. */
export interface Arena {
  service: TestService;
  own: Scene;
  /** What an answer breaks of that which holds for all; null when nothing. */
  fault(reply: Reply, asked: string): string | null;
  /** Sends as it is; says what the answer breaks, with the request, or null. */
  attack(attack: Attack): Promise<string | null>;
  /** What is wrong with the service after all that: null, if it answers as ever and met no defect of its own. */
  damage(): Promise<string | null>;
  close(): Promise<void>;
}

export interface Attack {
  person?: Person;
  method: string;
  path: string;
  /** Text is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

const largestAnswer = 100_000;
const shownLength = 400;

const elementKeys = ['code', 'detail', 'links', 'request_id', 'status', 'title'];

/** The error body of the API, of the token middleware, or of an unsupported version. */
function isErrorBody(text: string, status: number): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  const { error, errors } = body as { error?: { code?: number }; errors?: Record<string, unknown>[] };
  if (status === 401 || status === 503) return error?.code === status;
  const [element, ...more] = errors ?? [];
  if (element === undefined || more.length > 0) return false;
  if (element['code'] === 'magnum.microversion-unsupported') return status === 406;
  return element['status'] === status && Object.keys(element).toSorted().join() === elementKeys.join();
}

export async function openArena(): Promise<Arena> {
  const defects: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      defects.push(chunk.toString('utf8'));
      done();
    },
  });
  const service = await startTestService({
    logger: pino({ level: 'error' }, stream),
    change: (options) => ({ ...options, maxClustersPerProject: 100_000 }),
  });
  const theirs = await makeScene(service, 'demo');
  const own = await makeScene(service, 'bob');
  const database = await openDatabase(service.connectionString);
  const secrets = textsOnlyOf(await database.dump(), theirs.project);
  await database.close();

  function fault({ status, text }: Reply, asked: string): string | null {
    const problems = [
      status >= 500 && `status ${status}`,
      status >= 400 && text !== '' && !isErrorBody(text, status) && 'not an error body',
      text.length > largestAnswer && `${text.length} characters`,
      leakIn(text, asked, secrets) !== undefined && `shows ${leakIn(text, asked, secrets)}`,
    ].filter((problem) => problem !== false);
    if (problems.length === 0) return null;
    return `${problems.join(', ')}\n→ ${asked.slice(0, shownLength)}\n← ${status} ${text.slice(0, shownLength)}`;
  }

  async function attack({ person = 'bob', method, path, body, headers }: Attack): Promise<string | null> {
    const answer = await service.request(person, method, path, body, headers);
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const asked = `${method} ${path} ${sent} ${JSON.stringify(headers)}`;
    // An administrator sees all projects: nothing of theirs is a leak there.
    return fault(answer, person === 'admin' ? `${asked}${[...secrets].join()}` : asked);
  }

  return {
    service,
    own,
    fault,
    attack,
    async damage() {
      const lists = [
        '/v1',
        '/v1/clusters',
        '/v1/clusters/detail',
        '/v1/clustertemplates',
        '/v1/nodegrouptemplates',
        '/healthcheck',
      ];
      const groups = `/v1/clusters/${own.cluster}/nodegroups`;
      for (const path of [...lists, groups]) {
        const answer = await service.request('bob', 'GET', path);
        if (answer.status !== 200) return `GET ${path}: ${answer.status} ${answer.text}`;
      }
      return defects[0]?.slice(0, 2000) ?? null;
    },
    close: () => service.close(),
  };
}

/** Runs all, some at a time, and gathers what went wrong. */
export async function gather(attacks: readonly (() => Promise<string | null>)[]): Promise<string[]> {
  const faults: string[] = [];
  const left = [...attacks];
  const worker = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const fault = await next();
      if (fault !== null) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return faults.slice(0, 5);
}
