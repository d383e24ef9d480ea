import { makeCsr } from './csr.ts';
import type { Answer, Scenario, Step, WaitStep } from './fixture.ts';
import { dig, textOf } from './json.ts';
import { DEFAULT_PACE, poll } from './pace.ts';
import type { Pace } from './pace.ts';
import type { Session } from './session.ts';
import { settle } from './stock.ts';
import { hasPlaceholder, substituteText } from './substitute.ts';

/** A step that was carried out, with the normalised answer where it asked something. */
export interface PlayedStep {
  index: number;
  step: Step;
  answer?: Answer;
  timedOut?: boolean;
}

/** Plays all steps of a scenario in order; steps that have become pointless are left out of the result. */
export async function play(
  scenario: Scenario,
  session: Session,
  pace: Pace = DEFAULT_PACE,
): Promise<PlayedStep[]> {
  const played: PlayedStep[] = [];
  let lastWrite = 200;
  for (const [index, step] of scenario.steps.entries()) {
    if (isPointless(step, session, lastWrite)) continue;
    session.forget(Object.keys(step.save ?? {}));
    const outcome = await playStep(step, session, pace);
    if (outcome.answer) {
      session.save(step.save ?? {}, outcome.answer);
      if (step.kind === 'request' && !isRead(step.request.method)) lastWrite = outcome.answer.status;
      outcome.answer = session.normalise(outcome.answer);
    }
    played.push({ index, step, ...outcome });
  }
  return played;
}

/**
 * Nothing was created: there is nothing to wait for or to clean up. The last write was refused: nothing will change,
 * so there is no use in giving it time. The recordings were made by the same rule.
 */
function isPointless(step: Step, session: Session, lastWrite: number): boolean {
  if (step.kind === 'wait' || (step.kind === 'request' && step.aux)) {
    if (hasPlaceholder(substituteText(step.request.path, session.variables))) return true;
  }
  if (lastWrite < 400) return false;
  return (
    step.kind === 'sleep' || (step.kind === 'wait' && 'field' in step.until && step.until.field === 'status')
  );
}

async function playStep(
  step: Step,
  session: Session,
  pace: Pace,
): Promise<Pick<PlayedStep, 'answer' | 'timedOut'>> {
  switch (step.kind) {
    case 'request':
      return { answer: await session.send(step.request) };
    case 'wait': {
      const limit = Math.min(pace.waitLimitMs, (step.timeout ?? 60) * 1000);
      const look = (): Promise<Answer> => session.send(step.request);
      const { seen, timedOut } = await poll(look, (answer) => hasCome(step, answer), limit, pace.pollMs);
      return { answer: seen, timedOut };
    }
    case 'sleep':
      await settle(session, step.seconds * 1000 * pace.sleepFactor, pace);
      break;
    case 'gencsr':
      session.keep(step.var, makeCsr(step.subject));
      break;
  }
  return {};
}

function hasCome({ until }: WaitStep, answer: Answer): boolean {
  if ('status' in until) return answer.status === until.status;
  const value = answer.status === 200 ? dig(answer.body, until.field) : undefined;
  return value != null && new RegExp(until.matches).test(textOf(value));
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
