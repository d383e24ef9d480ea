import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settled } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { curlRequest } from './support/curl-command.ts';
import { examplesOf } from './support/examples.ts';
import { writtenLike } from './support/likeness.ts';
import { shellWords } from './support/shell-words.ts';

const page = readFileSync(new URL('../../../../docs/resources.md', import.meta.url), 'utf8');
const examples = examplesOf(page);
/** What the page lets `ask` stand for. */
const [, options = ''] = /^\$ ask\(\) \{ curl -sS (.*) "\$@"; \}$/m.exec(page) ?? [];

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function run(command: string): Promise<{ status: number; body: unknown }> {
  const words = shellWords(command.replace(/^ask /, `${options} `), {
    URL: service.url,
    TOKEN: service.tokens.demo,
  });
  const { url, ...request } = curlRequest(words);
  const answer = await fetch(url, request);
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** Examples are read one after the other, each when the one before has been carried out. */
async function allSettled(): Promise<void> {
  const list = await service.request('demo', 'GET', '/v1/clusters');
  for (const { uuid } of list.body.clusters as { uuid: string }[]) await settled(service, 'demo', uuid);
}

test('there are examples for every way to make and change a resource', () => {
  expect(options).toContain('X-Auth-Token');
  expect(examples.length).toBeGreaterThan(20);
  // None of them slips through for being written in another way.
  expect(examples).toHaveLength(page.split('\n$ ask ').length - 1);
});

// In their order, since later ones use what earlier ones made.
test.each(examples)('$heading: $command', async ({ command, status, answer }) => {
  const real = await run(command);
  const shown = { status: real.status, body: writtenLike(real.body, answer) };
  expect(shown).toEqual({ status, body: answer });
  await allSettled();
});
