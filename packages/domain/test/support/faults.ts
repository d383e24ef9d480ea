import { expect } from 'vitest';
import { Fault } from '@jeroboam/domain';

/** The refusal an action gives; anything else than a Fault, or none, fails the test. */
export function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return error as Fault;
  }
  return expect.fail('nothing was refused');
}

/** What an action gives, or its refusal; any other error fails the test. */
export function outcomeOf<T>(action: () => T): { value: T } | { fault: Fault } {
  try {
    return { value: action() };
  } catch (error) {
    if (error instanceof Fault) return { fault: error };
    throw error;
  }
}

/** Whether an action gives what it should or refuses the request as the caller's mistake: all that is allowed. */
export function holds<T>(action: () => T, should: (value: T) => boolean = () => true): boolean {
  const outcome = outcomeOf(action);
  return 'value' in outcome ? should(outcome.value) : outcome.fault.status === 400;
}
