import { combinedFault, Fault } from '@jeroboam/domain';

/**
 * The refusals met on the way to an answer. Magnum stops at the first; a request that uses extensions, and every dry run,
 * is told all of them at once.
 */
export class Refusals {
  readonly #all: boolean;
  readonly #found: Fault[] = [];

  constructor(options: { all: boolean }) {
    this.#all = options.all;
  }

  get found(): readonly Fault[] {
    return this.#found;
  }

  add(faults: readonly Fault[]): void {
    for (const fault of faults) {
      if (!this.#all) throw fault;
      // Two checks may mind the same thing: it is told once.
      if (!this.#found.some(({ message }) => message === fault.message)) this.#found.push(fault);
    }
  }

  /** Runs a check; its refusal is kept, or thrown when the first one counts. What is no refusal is thrown. */
  async check(rule: () => unknown): Promise<void> {
    try {
      await rule();
    } catch (error) {
      if (!(error instanceof Fault) || !isAboutTheRequest(error)) throw error;
      this.add([error]);
    }
  }

  /** Throws what was found, if anything was. */
  settle(): void {
    const [first, ...others] = this.#found;
    if (first !== undefined) throw combinedFault([first, ...others]);
  }

  /** The same for a change: what can never be changed decides, since mending the rest of the request would not help. */
  settleChange(): void {
    const [first, ...others] = this.#found;
    const conflicts = this.#found.some(({ status }) => status === 409);
    if (first !== undefined) throw combinedFault([first, ...others], conflicts ? 409 : 400);
  }
}

/** Who asks, and whether the cloud answers, is nothing that a list of mistakes should hold. */
const isAboutTheRequest = (fault: Fault): boolean => fault.status < 500 && fault.kind !== 'unauthenticated';
