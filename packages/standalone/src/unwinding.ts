import { messageOf } from './start-error.ts';

/** Takes down what was put up, the last first; one part that fails does not keep the others from going down. */
export class Unwinding {
  readonly #steps: { what: string; undo: () => Promise<void> | void }[] = [];

  add(what: string, undo: () => Promise<void> | void): void {
    this.#steps.push({ what, undo });
  }

  /** Answers what went wrong on the way, as sentences. */
  async run(): Promise<string[]> {
    const failures: string[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.undo();
      } catch (error) {
        failures.push(`${step.what} did not go down in order: ${messageOf(error)}`);
      }
    }
    return failures;
  }
}

/** Waits for the work, but not longer than the limit; answers whether it was finished. */
export async function within(limitMs: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}
