import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

import { run } from '../support/program.ts';
import { jsonIn, objectIn, tableIn, type Answer, type Known, type Step } from './step.ts';

const commandLimitMs = 60_000;
const waitLimitMs = 90_000;

/** Where commands are typed: the client, its environment, and what earlier steps learnt. */
export interface Shell {
  readonly openstack: string;
  readonly env: NodeJS.ProcessEnv;
  /** The file with the person's cloud. */
  cloudsFile(person: Step['as']): string;
  readonly cwd: string;
  readonly known: Known;
}

function fill(text: string, known: Known): string {
  return text.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => {
    const value = known[name];
    if (value === undefined) throw new Error(`No step before this one has found out "${name}".`);
    return value;
  });
}

function wordsOf(step: Step, known: Known): string[] {
  const asksForJson = step.shows !== undefined || step.lists !== undefined || step.until !== undefined;
  const words = step.types.split(/\s+/).map((word) => fill(word, known));
  return ['--os-cloud', step.as, ...words, ...(asksForJson ? ['-f', 'json'] : [])];
}

/** Types the command, again and again where the step waits for something. */
async function type(step: Step, shell: Shell): Promise<Answer> {
  const words = wordsOf(step, shell.known);
  const env = { ...shell.env, OS_CLIENT_CONFIG_FILE: shell.cloudsFile(step.as) };
  const deadline = Date.now() + waitLimitMs;
  for (let delay = 250; ; delay = Math.min(delay * 2, 2_000)) {
    const answer = await run(shell.openstack, words, { env, cwd: shell.cwd, timeoutMs: commandLimitMs });
    const done =
      step.untilExit === undefined
        ? step.until === undefined || (answer.code === 0 && step.until(objectIn(answer)))
        : answer.code === step.untilExit;
    if (done || Date.now() > deadline) return answer;
    await pause(delay);
  }
}

async function judge(step: Step, answer: Answer, known: Known): Promise<void> {
  assert.equal(answer.code, step.untilExit ?? step.exit ?? 0, 'The exit code is another one.');
  if (step.says !== undefined) {
    const wanted = fill(step.says, known);
    const printed = answer.stdout + answer.stderr;
    assert.ok(printed.includes(wanted), `What was printed does not say “${wanted}”.`);
  }
  if (step.shows !== undefined) assert.partialDeepStrictEqual(jsonIn(answer), step.shows);
  if (step.until !== undefined) assert.ok(step.until(objectIn(answer)), 'It did not come to pass in time.');
  if (step.lists !== undefined) {
    const rows = jsonIn(answer) as unknown[];
    assert.equal(rows.length, step.lists.length, 'The list has another length.');
    for (const [index, row] of step.lists.entries()) assert.partialDeepStrictEqual(rows[index], row);
  }
  if (step.table !== undefined) assert.partialDeepStrictEqual(tableIn(answer), step.table);
  await step.check?.(answer, known);
}

/** Carries out one step; null when all is as it should be, else what to tell. */
export async function runStep(step: Step, shell: Shell): Promise<string | null> {
  let answer: Answer | undefined;
  try {
    answer = await type(step, shell);
    await judge(step, answer, shell.known);
    Object.assign(shell.known, step.keep?.(answer));
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const printed = answer ? `exit ${answer.code}\n${answer.stdout}\n${answer.stderr}` : '';
    return `$ openstack --os-cloud ${step.as} ${step.types}\n${reason}\n${printed}`;
  }
}
