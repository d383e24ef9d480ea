import type { Answer } from './fixture.ts';
import type { Json } from './json.ts';
import type { Variables } from './substitute.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const LONGEST_TEXT = 2000;
/** Shorter values are words of the language ("demo"): replacing them would maim ordinary text. */
const SHORTEST_NAMED_VALUE = 8;

const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]+-----.*?-----END [A-Z0-9 ]+-----\n?/gs, '<pem>'],
  [new RegExp(`req-${UUID}`, 'g'), '<reqid>'],
  [new RegExp(UUID, 'g'), '<uuid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?/g, '<date>'],
  [/\b[0-9a-f]{32}\b/g, '<hex32>'],
  [/(^Keystone uri=)"[^"]*"/, '$1"<keystone>"'],
];

export interface Naming {
  baseUrl: string;
  variables: Variables;
}

/** Replaces what differs between two runs of the same requests: hosts, ids, dates, keys, random names. */
export function normalise(value: Json, naming: Naming): Json {
  const named = [...naming.variables]
    .filter(([name, text]) => isNameable(name, text))
    .toSorted(([, a], [, b]) => b.length - a.length);

  const text = (original: string, key?: string): string => {
    let result = original.replaceAll(naming.baseUrl, '<base>');
    for (const [name, found] of named) result = result.replaceAll(found, `{{${name}}}`);
    for (const [pattern, replacement] of REPLACEMENTS) result = result.replace(pattern, replacement);
    if ((key === 'stack_id' || key === 'cluster_id') && result !== '<uuid>' && !result.startsWith('{{')) {
      result = result.replace(/-[a-z0-9]{12}$/, '-<rand12>');
    }
    if (result.length > LONGEST_TEXT) result = `${result.slice(0, LONGEST_TEXT)}<cut>`;
    if (key !== 'name') return result;
    return result.replace(/^[a-z]+-\d+-(cluster|node|template|clustertemplate)$/, '<generated>-$1');
  };
  const walk = (here: Json, key?: string): Json => {
    if (typeof here === 'string') return text(here, key);
    if (Array.isArray(here)) return here.map((item) => walk(item, key));
    if (here === null || typeof here !== 'object') return here;
    return Object.fromEntries(Object.entries(here).map(([name, member]) => [text(name), walk(member, name)]));
  };
  return walk(value);
}

function isNameable(name: string, value: string): boolean {
  return value.length >= SHORTEST_NAMED_VALUE && !value.includes('\n') && !name.startsWith('lit.');
}

export function normaliseAnswer(answer: Answer, naming: Naming): Answer {
  return normalise(answer as unknown as Json, naming) as unknown as Answer;
}

const VOLATILE = new Set(['health_status', 'health_status_reason', 'updated_at']);
const COUNTERS = new Set(['id', 'report_count']);

/** Evens out what depends on when Magnum polled, on row counters and on the order of a Python set. */
export function levelOut(value: Json, key = ''): Json {
  if (VOLATILE.has(key)) return '<volatile>';
  if (Array.isArray(value)) return value.map((item) => levelOut(item, key));
  if (typeof value === 'string') return value.replace(/one of: ([\w, -]+)/, sortChoices);
  if (typeof value === 'number' && COUNTERS.has(key)) return 0;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, levelOut(member, name)]));
}

function sortChoices(_whole: string, choices: string): string {
  return `one of: ${choices.split(', ').toSorted().join(', ')}`;
}
