import type { Difference, Expectation, ExpectedStep } from '../differences.ts';
import { compare } from './compare.ts';
import type { Comparison, Verdict } from './compare.ts';
import type { Answer, Scenario } from './fixture.ts';
import { brief, dig, isObject, textOf } from './json.ts';
import type { Json } from './json.ts';
import type { PlayedStep } from './play.ts';

/** `listed`: differs from Magnum as the list of differences says; `stale`: listed, but no longer different. */
export type Result = Verdict | 'timeout' | 'listed' | 'wrong' | 'stale';

export interface Entry {
  scenario: string;
  index: number;
  title: string;
  result: Result;
  difference?: string;
  notes: string[];
}

/** Other values under the same keys are reported and do not fail: texts, addresses and counters are not the contract. */
const HARMLESS: ReadonlySet<Result> = new Set(['ok', 'value', 'listed']);

export function isFailure(entry: Entry): boolean {
  return !HARMLESS.has(entry.result);
}

/** Holds what was played against the recording and the list of differences. Pure: it asks nobody anything. */
export function account(
  scenario: Scenario,
  played: PlayedStep[],
  differences: readonly Difference[],
): Entry[] {
  return played.flatMap(({ index, step, answer, timedOut }): Entry[] => {
    const place = { scenario: scenario.name, index, title: step.title };
    if (timedOut)
      return [{ ...place, result: 'timeout', notes: [`last seen: ${brief(bodyOf(answer), 240)}`] }];
    if (!step.normalised || !answer) return [];
    const comparison = compare(step.normalised, answer);
    const found = findExpected(differences, scenario.name, step.title);
    if (!found) return [{ ...place, result: comparison.verdict, notes: comparison.notes }];
    const difference = found.difference.id;
    return [{ ...place, difference, ...holdAgainst(found.expected.expect, comparison, answer) }];
  });
}

export function findExpected(
  differences: readonly Difference[],
  scenario: string,
  title: string,
): { difference: Difference; expected: ExpectedStep } | undefined {
  for (const difference of differences) {
    const expected = difference.steps.find(
      (step) => step.scenario === scenario && step.titles.includes(title),
    );
    if (expected) return { difference, expected };
  }
  return undefined;
}

function holdAgainst(
  expectation: Expectation,
  comparison: Comparison,
  answer: Answer,
): Pick<Entry, 'result' | 'notes'> {
  if (comparison.verdict === 'ok') {
    return { result: 'stale', notes: ['the answer is Magnum’s own: strike the step from the list'] };
  }
  const notes = unmet(expectation, answer);
  return notes.length > 0 ? { result: 'wrong', notes } : { result: 'listed', notes: comparison.notes };
}

/** What an answer lacks of what the list promises in place of Magnum's answer. */
export function unmet(expectation: Expectation, answer: Answer): string[] {
  const body = bodyOf(answer);
  const notes: string[] = [];
  if (answer.status !== expectation.status)
    notes.push(`status ${answer.status} instead of ${expectation.status}`);
  if (expectation.error) notes.push(...unmetError(expectation.error, answer));
  for (const [path, value] of Object.entries(expectation.body ?? {})) {
    const actual = dig(body, path);
    if (actual !== value) notes.push(`${path} is ${brief(actual)} instead of ${brief(value)}`);
  }
  for (const path of expectation.without ?? []) {
    if (dig(body, path) !== undefined) notes.push(`${path} is there and should not be`);
  }
  return notes.length > 0 ? [...notes, `answer ${brief(body, 240)}`] : [];
}

const ENVELOPE = ['code', 'detail', 'links', 'request_id', 'status', 'title'];

function unmetError(expected: NonNullable<Expectation['error']>, answer: Answer): string[] {
  const error = dig(answer.body, 'errors.0');
  if (!isObject(error)) return ['no error envelope'];
  const notes: string[] = [];
  const members = Object.keys(error).toSorted().join(', ');
  if (members !== ENVELOPE.join(', ')) notes.push(`the error has the members ${members}`);
  if (error['code'] !== 'client') notes.push(`the error code is ${brief(error['code'])}`);
  if (error['status'] !== answer.status) notes.push(`the error's own status is ${brief(error['status'])}`);
  const detail = textOf(error['detail']);
  if ('says' in expected && !detail.includes(expected.says))
    notes.push(`the detail does not say "${expected.says}"`);
  if ('names' in expected && !new RegExp(`\\b${expected.names}\\b`).test(detail)) {
    notes.push(`the detail does not name ${expected.names}`);
  }
  return notes;
}

function bodyOf(answer: Answer | undefined): Json {
  return answer?.body ?? answer?.text ?? null;
}
