import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { run, type Ended } from './program.ts';
import type { PythonSurroundings } from './suite.ts';

export interface PythonTests {
  /** Where the tests are imported from. */
  readonly top: string;
  /** Where they are looked for. */
  readonly path: string;
  readonly only?: string;
  readonly exclude?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

async function stestr(
  { python, directory }: PythonSurroundings,
  tests: PythonTests,
  ...words: string[]
): Promise<Ended> {
  const config = path.join(directory, '.stestr.conf');
  await writeFile(config, `[DEFAULT]\ntest_path=${tests.path}\ntop_dir=${tests.top}\n`);
  const args = ['--config', config, ...words];
  if (tests.exclude !== undefined) args.push('--exclude-regex', tests.exclude);
  if (tests.only !== undefined) args.push(tests.only);
  return run(python.program('stestr'), args, { ...tests, cwd: directory });
}

/** The names of the tests, without the attributes that some carry in brackets. */
export async function listPythonTests(
  surroundings: PythonSurroundings,
  tests: PythonTests,
): Promise<string[]> {
  const { code, stdout, stderr } = await stestr(surroundings, tests, 'list');
  if (code !== 0) throw new Error(`The tests cannot be listed:\n${stdout}\n${stderr}`);
  return Array.from(stdout.matchAll(/^[\w.]+/gm), ([name]) => name);
}

const line = /^\{\d+\} (?<test>.+?) (?:\[[\d.]+s\] )?\.\.\. (?<result>ok|FAILED|SKIPPED)(?<why>.*)$/;

/** Runs the tests one after the other and reports each; tracebacks are printed as they come. */
export async function runPythonTests(surroundings: PythonSurroundings, tests: PythonTests): Promise<void> {
  const { report } = surroundings;
  const { code, stdout, stderr } = await stestr(surroundings, tests, 'run', '--serial');
  const [results = '', failures = ''] = stdout.split(/^Failed \d+ tests? - output below:$/m);
  const before = { ...report };
  for (const text of results.split('\n')) {
    const { test = '', result, why = '' } = line.exec(text)?.groups ?? {};
    if (result === 'ok') report.pass(test);
    if (result === 'FAILED') report.fail(test, 'Its traceback stands below.');
    // A test that was not run has proved nothing.
    if (result === 'SKIPPED') report.fail(test, `It was skipped${why}.`);
  }
  process.stdout.write(failures);
  const [passed, failed] = [report.passed - before.passed, report.failed - before.failed];
  if (passed + failed === 0 || (code === 0) !== (failed === 0)) {
    throw new Error(`The runner ended with ${code}, which its results do not explain:\n${stdout}\n${stderr}`);
  }
}
