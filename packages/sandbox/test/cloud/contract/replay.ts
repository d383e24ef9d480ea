import type { TestCloud } from '../support/test-cloud.ts';
import { compareBodies, compareHeaders, fillIn } from './compare.ts';
import type { Bindings, Difference } from './compare.ts';
import type { Scenario, Step } from './fixtures.ts';

/** Plays a scenario and returns each difference under a name that stays the same from run to run. */
export async function replay(scenario: Scenario, cloud: TestCloud): Promise<Map<string, Difference>> {
  const bindings = knownValues(cloud);
  const tokens = new Map([
    ['stranger', 'gAAAAABnotavalidtoken'],
    ['demo', await cloud.token('demo')],
    ['admin', await cloud.token('admin')],
  ]);
  const differences = new Map<string, Difference>();
  for (const step of scenario.steps) {
    for (const difference of await play(step, cloud, bindings, tokens)) {
      differences.set(`${scenario.name}: ${step.title}: ${difference.kind} ${difference.path}`, difference);
    }
  }
  return differences;
}

function knownValues({ cloud, passwords }: TestCloud): Bindings {
  const values: Bindings = new Map();
  for (const service of ['identity', 'compute', 'network', 'image', 'volume']) {
    values.set(service, `${cloud.url}/${service}`);
  }
  for (const [name, id] of Object.entries(cloud.users)) values.set(`user.${name}`, id);
  for (const [name, id] of Object.entries(cloud.projects)) values.set(`project.${name}`, id);
  for (const [name, password] of Object.entries(passwords)) values.set(`password.${name}`, password);
  return values;
}

async function play(
  step: Step,
  { cloud }: TestCloud,
  bindings: Bindings,
  tokens: Map<string, string>,
): Promise<Difference[]> {
  const headers = new Headers(step.headers);
  if (step.as !== undefined) headers.set('x-auth-token', tokens.get(step.as) ?? '');
  if (step.subject !== undefined) headers.set('x-subject-token', tokens.get(step.subject) ?? '');
  if (step.octets !== undefined) headers.set('content-type', 'application/octet-stream');
  else if (step.body !== undefined) headers.set('content-type', 'application/json');
  const response = await fetch(`${cloud.url}/${step.service}${fillIn(step.path, bindings)}`, {
    method: step.method,
    headers,
    body: bodyOf(step, bindings),
    redirect: 'manual',
  });
  const text = await response.text();
  const token = response.headers.get('x-subject-token');
  if (step.remember !== undefined && token !== null) tokens.set(step.remember, token);

  const { status, headers: recorded, body } = step.answer;
  if (response.status !== status) {
    return [{ kind: 'status', path: 'status', recorded: status, answered: response.status }];
  }
  // The body first: ids that a header repeats become known there.
  const bodies = compareBodies(body, text === '' ? null : JSON.parse(text), bindings);
  return [...compareHeaders(recorded, response.headers, bindings), ...bodies];
}

function bodyOf(step: Step, bindings: Bindings): string | Uint8Array<ArrayBuffer> | undefined {
  if (step.octets !== undefined) return new Uint8Array(step.octets);
  return step.body === undefined ? undefined : fillIn(JSON.stringify(step.body), bindings);
}
