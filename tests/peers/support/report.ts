/** What came of the parts of one suite. */
export interface Tally {
  passed: number;
  failed: number;
}

export interface Report extends Tally {
  readonly name: string;
  pass(title: string): void;
  fail(title: string, reason: string): void;
}

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const indented = (text: string): string => text.trimEnd().replaceAll(/^/gm, '      ');

/** Tells each result as it comes, failures with everything that helps to understand them. */
export function openReport(name: string): Report {
  const report: Report = {
    name,
    passed: 0,
    failed: 0,
    pass(title) {
      report.passed += 1;
      say(`  ok    ${title}`);
    },
    fail(title, reason) {
      report.failed += 1;
      say(`  FAIL  ${title}\n${indented(reason)}`);
    },
  };
  return report;
}

/** The run cannot begin: one sentence that says what is missing. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart';
}
