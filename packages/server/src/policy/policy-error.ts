export interface PolicyProblem {
  /** 1 is the first line of the file. */
  readonly line: number;
  /** Says which rule and what is wrong with it. */
  readonly reason: string;
}

/** A policy file that cannot be used. It names every problem found, so that one round of repairs is enough. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly file: string;
  readonly problems: readonly PolicyProblem[];

  constructor(file: string, problems: readonly PolicyProblem[]) {
    super(problems.map(({ line, reason }) => `${file}:${line}: ${reason}`).join('\n'));
    this.file = file;
    this.problems = problems;
  }

  get line(): number {
    return this.problems[0]?.line ?? 1;
  }

  get reason(): string {
    return this.problems[0]?.reason ?? '';
  }
}
