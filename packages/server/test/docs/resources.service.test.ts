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

/** What a reader must find done at least once, as it stands in a command. */
const ways = [
  /clusters" --json [^]*"image_id"/,
  /clusters" --json [^]*"cluster_template_id"/,
  /clusters" --json [^]*"source_cluster"/,
  /clusters" --json [^]*"source_cluster"[^]*"merge_nodegroups"/,
  /clusters" --json [^]*"nodegroups": \[\]/,
  /clusters" --json [^]*"nodegroup_template_id"[^]*"source_nodegroup"/,
  /clustertemplates" [^]*"coe"/,
  /clustertemplates" [^]*"source_template"/,
  /clustertemplates" [^]*"source_cluster"/,
  /\/nodegroups" [^]*"flavor_id"/,
  /\/nodegroups" [^]*"source_nodegroup"/,
  /\/nodegroups" [^]*"nodegroup_template_id"/,
  /nodegrouptemplates" [^]*"flavor_id"/,
  /nodegrouptemplates" [^]*"source_nodegroup_template"/,
  /nodegrouptemplates" [^]*"source_nodegroup"/,
  /PATCH "\$URL\/v1\/clusters\/\w+" /,
  /PATCH "\$URL\/v1\/clusters\/\w+\/nodegroups\/\w+" /,
  /PATCH "\$URL\/v1\/clustertemplates\/[\w-]+" /,
  /PATCH "\$URL\/v1\/nodegrouptemplates\/\w+" /,
  /dry_run=true" --json/,
  /PATCH [^]*dry_run=true/,
];

test('there is an example of every way to make and change a resource', () => {
  const commands = examples.map(({ command }) => command);
  expect(ways.filter((way) => !commands.some((command) => way.test(command)))).toEqual([]);
});

test('no command of the page is written so that it is not run', () => {
  expect(options).toContain('X-Auth-Token');
  expect(examples).toHaveLength(page.split('\n$ ask ').length - 1);
});

// In their order, since later ones use what earlier ones made.
test.each(examples)('$heading: $command', async ({ command, status, answer }) => {
  const real = await run(command);
  const shown = { status: real.status, body: writtenLike(real.body, answer) };
  expect(shown).toEqual({ status, body: answer });
  await allSettled();
});
