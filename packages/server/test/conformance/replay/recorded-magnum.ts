import type { Answer, Scenario, Step } from './fixture.ts';
import type { HttpRequest, Transport } from './http.ts';
import { dig } from './json.ts';
import type { Target } from './session.ts';
import { substituteText } from './substitute.ts';

const SOME_UUID = '0a1b2c3d-0000-4000-8000-000000000000';
const SOME_PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

export const RECORDED_TARGET: Target = {
  baseUrl: 'http://magnum.test:9511',
  tokens: {
    admin: 'token-admin',
    demo: 'token-demo',
    reader: 'token-reader',
    bob: 'token-bob',
    bad: 'token-bad',
  },
  vars: Object.fromEntries(
    [
      'project.admin',
      'project.demo',
      'project.second',
      'user.admin',
      'user.demo',
      'user.reader',
      'user.bob',
    ].map((name, index) => [name, String(index + 1).repeat(32)]),
  ),
};

/** Values in the place of what the normalisation has taken out, so that it has something to take out again. */
const SPECIMENS: Readonly<Record<string, string>> = {
  '<base>': RECORDED_TARGET.baseUrl,
  '<uuid>': SOME_UUID,
  '<reqid>': `req-${SOME_UUID}`,
  '<date>': '2026-01-02T03:04:05.678901+00:00',
  '<pem>': SOME_PEM,
  '<rand12>': 'abcdef123456',
  '<hex32>': 'f'.repeat(32),
  '<keystone>': 'http://keystone.test/v3',
  '<generated>': 'omega-7',
};

/**
 * A transport that answers a scenario with its own recording: the Magnum of the recording, as far as it was recorded.
 * It finds the step that asks by going forward from the last one, as the player does.
 */
export function recordedMagnum(scenario: Scenario): Transport {
  const known = new Map(Object.entries(RECORDED_TARGET.vars));
  let next = 0;
  return async (request) => {
    if (isLookAtStock(request)) return { status: 200, headers: {}, body: { clusters: [] } };
    const index = scenario.steps.findIndex((step, at) => at >= next && asks(step, request, known));
    const step = scenario.steps[index];
    if (!step)
      return { status: 0, headers: {}, error: `no recorded step asks ${request.method} ${request.path}` };
    next = index + 1;
    for (const [name, path] of Object.entries(step.save ?? {})) {
      if (dig(step.normalised?.body, path) === `{{${name}}}`) known.set(name, uuidFor(known.size));
    }
    return answerOf(step, known);
  };
}

function isLookAtStock({ method, path, headers }: HttpRequest): boolean {
  return (
    method === 'GET' && path === '/v1/clusters' && headers['X-Auth-Token'] === RECORDED_TARGET.tokens.admin
  );
}

function asks(step: Step, request: HttpRequest, known: Map<string, string>): boolean {
  if (step.kind !== 'request' && step.kind !== 'wait') return false;
  const token = step.request.as ? RECORDED_TARGET.tokens[step.request.as] : undefined;
  return (
    step.request.method === request.method &&
    substituteText(step.request.path, known) === request.path &&
    (token === undefined || token === request.headers['X-Auth-Token'])
  );
}

function answerOf(step: Step, known: Map<string, string>): Answer {
  if (step.kind === 'wait') {
    if ('status' in step.until) return { status: step.until.status, headers: {} };
    return { status: 200, headers: {}, body: { [step.until.field]: step.until.matches.split('|')[0] ?? '' } };
  }
  if (!step.normalised) return { status: 204, headers: {}, body: null };
  const text = JSON.stringify(step.normalised).replace(/<[a-z0-9]+>/g, (mark) => {
    const specimen = SPECIMENS[mark];
    return specimen === undefined ? mark : JSON.stringify(specimen).slice(1, -1);
  });
  return JSON.parse(substituteText(text, known)) as Answer;
}

function uuidFor(number: number): string {
  return `${SOME_UUID.slice(0, -4)}${String(number).padStart(4, '0')}`;
}
