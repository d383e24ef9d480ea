// `npm run bench`: how fast the service is, what it costs, and how that stands to Magnum.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseOptions, usage, UsageError, type Options } from './options.ts';
import { comparisonReport } from './report/comparison.ts';
import { figuresReport } from './report/figures.ts';
import { targetsReport } from './report/targets.ts';
import type { Result } from './result.ts';
import { runBenchmark } from './run.ts';
import { startParties } from './service/parties.ts';

const results = fileURLToPath(new URL('results/', import.meta.url));
const progress = (line: string): void => console.error(line);

async function main(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if (options === null) {
    console.log(usage);
    return 0;
  }
  if (!existsSync('/proc/self/stat'))
    throw new UsageError('the benchmark reads CPU and memory from /proc, which only Linux has');
  const earlier = options.compare === null ? null : readResult(options.compare);
  const sections: string[] = [];
  const result = await measureAll(options, sections);
  console.log(figuresReport(result));
  console.log(targetsReport(result));
  if (earlier !== null) console.log(comparisonReport(result, earlier));
  for (const section of sections) console.log(section);
  progress(`written to ${writeResult(result, options)}`);
  for (const failure of result.failures) progress(`failed: ${failure}`);
  return result.failures.length === 0 ? 0 : 1;
}

/** Whatever happens meanwhile, Ctrl-C included, nothing that was started stays behind. */
async function measureAll(options: Options, sections: string[]): Promise<Result> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop.abort(new Error(`interrupted by ${signal}`)));
  const parties = await startParties(options.directory);
  // Without the generator a measurement fails at once; everything else ends between two steps.
  stop.signal.addEventListener('abort', () => parties.generator.disconnect());
  const report = (text: string): void => {
    sections.push(text);
  };
  try {
    return await runBenchmark({ options, parties, progress, report, stop: stop.signal });
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    await parties.end();
    parties.clear();
  }
}

function readResult(file: string): Result {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Result;
  } catch (error) {
    throw new UsageError(`--compare: ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** A profiled run is no measurement, so it is kept beside its profiles and not among the results. */
function writeResult(result: Result, options: Options): string {
  const directory = options.profile === null ? results : path.resolve(options.profile);
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, `${result.takenAt.slice(0, 19).replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  return file;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
