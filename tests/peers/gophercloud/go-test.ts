import { run, type ProgramOptions } from '../support/program.ts';
import type { Report } from '../support/report.ts';

/** A line of `go test -json`. */
interface Event {
  Action: 'pass' | 'fail' | 'skip' | 'output' | 'run' | 'start' | 'pause' | 'cont';
  Package: string;
  Test?: string;
  Output?: string;
}

function eventsIn(stdout: string): Event[] {
  return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Event] : []));
}

/** Runs the Go tests that the arguments select and reports each, subtests included. */
export async function reportGoTests(
  report: Report,
  args: readonly string[],
  options: ProgramOptions,
): Promise<void> {
  const { code, stdout, stderr } = await run('go', ['test', '-json', '-count=1', ...args], options);
  const events = eventsIn(stdout);
  const before = report.passed + report.failed;
  for (const { Action, Test, Package } of events) {
    if (Test === undefined) continue;
    const title = `${Package.replace(/^.*\/v2\//, '')} ${Test}`;
    if (Action === 'pass') report.pass(title);
    // A test that was not run has proved nothing.
    if (Action === 'skip') report.fail(title, 'It was skipped.');
    if (Action === 'fail') {
      const told = events.filter((event) => event.Test === Test && event.Action === 'output');
      report.fail(title, told.map(({ Output }) => Output).join(''));
    }
  }
  const nothing = report.passed + report.failed === before;
  if (nothing || (code !== 0 && report.failed === 0)) {
    throw new Error(`go test ended with ${code}:\n${stdout.slice(-4_000)}\n${stderr}`);
  }
}
