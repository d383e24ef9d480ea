#!/usr/bin/env node
/**
 * Turns a folder of recordings of the real Magnum into the fixtures beside this file:
 *
 *   node packages/server/test/conformance/make-fixtures.mjs FOLDER
 *
 * A recording holds, per step, the request, the raw response and the response with ids, dates and hosts
 * replaced. Only the last is kept, one step a line, so that a change of a fixture reads as a change of an answer.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const KEPT_STEP_FIELDS = [
  'kind',
  'title',
  'request',
  'save',
  'until',
  'timeout',
  'interval',
  'aux',
  'nocompare',
  'compare',
  'seconds',
  'subject',
  'var',
  'note',
];

/** The headers of every answer that a Magnum controller gave; a fixture names them by their version only. */
const API_HEADERS = {
  'content-type': 'application/json',
  'openstack-api-minimum-version': 'container-infrastructure-management 1.1',
  'openstack-api-maximum-version': 'container-infrastructure-management 1.14',
  vary: 'OpenStack-API-Version',
  'x-openstack-request-id': '<reqid>',
};

const LONGEST_REASON = 200;

function compactHeaders(headers) {
  const version = /^container-infrastructure-management (\S+)$/.exec(
    headers['openstack-api-version'] ?? '',
  )?.[1];
  if (version === undefined) return tidyHeaders(headers);
  const compact = { api: version };
  for (const name of Object.keys(API_HEADERS)) if (headers[name] === undefined) compact[name] = null;
  for (const [name, value] of Object.entries(tidyHeaders(headers))) {
    if (name !== 'openstack-api-version' && API_HEADERS[name] !== value) compact[name] = value;
  }
  return compact;
}

/** Where Keystone listened is an accident of the recording. */
function tidyHeaders(headers) {
  const tidy = { ...headers };
  const challenge = tidy['www-authenticate'];
  if (challenge) tidy['www-authenticate'] = challenge.replace(/uri="[^"]*"/, 'uri="<keystone>"');
  return tidy;
}

/** `raw` runs beside `value`, because a node group called ng-1 was once taken for a generated name. */
function tidyBody(value, raw, key) {
  if (Array.isArray(value)) return value.map((item, index) => tidyBody(item, raw?.[index], key));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, tidyBody(member, raw?.[name], name)]),
    );
  }
  if (value === '<generated>' && typeof raw === 'string') return raw;
  if (key === 'status_reason' && typeof value === 'string' && value.length > LONGEST_REASON) {
    return `${value.split('\n')[0]} <cut>`;
  }
  return value;
}

function compactAnswer(step) {
  const { status, headers, body, text, error } = step.normalised;
  return {
    status,
    headers: compactHeaders(headers),
    ...(body === undefined ? {} : { body: tidyBody(body, step.response?.body) }),
    ...(text === undefined ? {} : { text }),
    ...(error === undefined ? {} : { error }),
  };
}

/** A request without headers, or a flag that is false, says nothing: both are left out. */
function compactStep(step) {
  const compact = {};
  for (const field of KEPT_STEP_FIELDS) {
    const value = step[field];
    if (value === undefined || value === false) continue;
    if (field === 'request' && Object.keys(value.headers ?? {}).length === 0) {
      const { headers: _none, ...rest } = value;
      compact[field] = rest;
    } else compact[field] = value;
  }
  // What a wait saw last, and what a clean-up step was told, is never compared.
  const compared = step.kind === 'request' && !step.nocompare && step.normalised !== undefined;
  if (compared || step.compare) compact.normalised = compactAnswer(step);
  return compact;
}

function fixtureText(recording) {
  const head = {
    name: recording.name,
    description: recording.description,
    recorded_from: recording.recorded_from?.server,
  };
  const fields = Object.entries(head).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const steps = recording.steps.map((step) => JSON.stringify(compactStep(step)));
  return `{\n${fields.join('\n')}\n"steps": [\n${steps.join(',\n')}\n]\n}\n`;
}

const source = process.argv[2];
if (!source) {
  console.error(
    'usage: make-fixtures.mjs FOLDER   (the folder with the recordings, one JSON file a scenario)',
  );
  process.exit(2);
}
const target = join(import.meta.dirname, 'fixtures');
mkdirSync(target, { recursive: true });
for (const file of readdirSync(source)
  .filter((name) => name.endsWith('.json'))
  .toSorted()) {
  const text = fixtureText(JSON.parse(readFileSync(join(source, file), 'utf8')));
  writeFileSync(join(target, file), text);
  console.log(`${basename(file, '.json')}: ${Math.ceil(text.length / 1024)} KiB`);
}
