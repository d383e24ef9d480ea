import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from './json.ts';

/** The users of the recordings; `bad` carries a token that no Keystone ever gave. */
export type UserName = 'admin' | 'demo' | 'reader' | 'bob' | 'bad';

export interface RecordedRequest {
  as: UserName | null;
  method: string;
  path: string;
  headers?: Record<string, string | null>;
  json?: Json;
  raw?: string;
  fill?: { char: string; count: number; prefix?: string; suffix?: string };
}

/** What Magnum answered, or (status 0) that it closed the connection without an answer. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body?: Json;
  text?: string;
  error?: string;
}

interface StepBase {
  title: string;
  /** Names to give to values of the answer, by their path in the body. */
  save?: Record<string, string>;
  /** A step that only prepares or cleans up: it is left out when the value it needs was never saved. */
  aux?: boolean;
  nocompare?: boolean;
  note?: string;
  normalised?: Answer;
}

export interface RequestStep extends StepBase {
  kind: 'request';
  request: RecordedRequest;
}

export interface WaitStep extends StepBase {
  kind: 'wait';
  request: RecordedRequest;
  until: { status: number } | { field: string; matches: string };
  timeout?: number;
}

export interface SleepStep extends StepBase {
  kind: 'sleep';
  seconds: number;
}

export interface CsrStep extends StepBase {
  kind: 'gencsr';
  var: string;
  subject?: string;
}

export type Step = RequestStep | WaitStep | SleepStep | CsrStep;

export interface Scenario {
  name: string;
  description: string;
  steps: Step[];
}

/** Every answer of a Magnum controller carries these; fixtures write them as `"api": "<version>"`. */
function apiHeaders(version: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'openstack-api-minimum-version': 'container-infrastructure-management 1.1',
    'openstack-api-maximum-version': 'container-infrastructure-management 1.14',
    'openstack-api-version': `container-infrastructure-management ${version}`,
    vary: 'OpenStack-API-Version',
    'x-openstack-request-id': '<reqid>',
  };
}

export function expandHeaders(written: Record<string, string | null>): Record<string, string> {
  const { api, ...own } = written;
  const expanded: Record<string, string> = typeof api === 'string' ? apiHeaders(api) : {};
  for (const [name, value] of Object.entries(own)) {
    if (value === null) delete expanded[name];
    else expanded[name] = value;
  }
  return expanded;
}

export function readScenario(text: string): Scenario {
  const scenario = JSON.parse(text) as Scenario;
  for (const step of scenario.steps) {
    if (step.normalised) step.normalised.headers = expandHeaders(step.normalised.headers);
  }
  return scenario;
}

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');

/** All scenarios, in the order of their file names, which is the order in which they were recorded. */
export function loadScenarios(): Scenario[] {
  return readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => readScenario(readFileSync(join(FIXTURES, name), 'utf8')));
}
