import type { TestAnswer } from '../../support/test-service.ts';

/** The status of an answer; with its text where another status was expected, so that a failure says why. */
export const outcome = (answer: TestAnswer, ...expected: readonly number[]): number | string =>
  expected.includes(answer.status) ? answer.status : `${answer.status} ${answer.text}`;
