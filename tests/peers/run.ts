// `npm run test:peers`: real OpenStack clients against the running service.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { gophercloud } from './gophercloud/index.ts';
import { osc } from './osc/index.ts';
import { sdk } from './sdk/index.ts';
import { refuseWhenStopped, stopAll } from './support/program.ts';
import { pythonEnvironment, type PythonEnvironment } from './support/python.ts';
import { MissingPart, openReport, say, type Tally } from './support/report.ts';
import { startService, type PeerService } from './support/service.ts';
import type { PythonSurroundings, Surroundings } from './support/suite.ts';
import { tempest } from './tempest/index.ts';

const pythonSuites: Record<string, (surroundings: PythonSurroundings) => Promise<void>> = {
  osc,
  sdk,
  tempest,
};
const names = [...Object.keys(pythonSuites), 'gophercloud'];

function wantedSuites(): string[] {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  const wanted = (values.only ?? names).flatMap((word) => word.split(','));
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new MissingPart(`There is no suite "${unknown}": --only takes ${names.join(', ')}.`);
  }
  return names.filter((name) => wanted.includes(name));
}

async function runSuite(
  name: string,
  service: PeerService,
  python: PythonEnvironment | null,
  root: string,
): Promise<Tally> {
  const began = Date.now();
  const report = openReport(name);
  const directory = path.join(root, name);
  await mkdir(directory);
  say(`\n${name}`);
  const surroundings: Surroundings = { service, directory, report };
  try {
    const suite = pythonSuites[name];
    if (suite === undefined || python === null) await gophercloud(surroundings);
    else await suite({ ...surroundings, python });
  } catch (error) {
    report.fail(`the suite ${name} runs to its end`, error instanceof Error ? error.message : String(error));
  }
  const seconds = Math.round((Date.now() - began) / 1000);
  say(`${name}: ${report.passed} passed, ${report.failed} failed in ${seconds} s`);
  return report;
}

async function main(): Promise<boolean> {
  const suites = wantedSuites();
  const needsPython = suites.some((name) => name in pythonSuites);
  const python = needsPython ? await pythonEnvironment() : null;
  const root = await mkdtemp(path.join(os.tmpdir(), 'jeroboam-peers-'));
  let service: PeerService | undefined;
  try {
    service = await startService(root);
    say(`The service answers at ${service.url}`);
    const total: Tally = { passed: 0, failed: 0 };
    for (const name of suites) {
      refuseWhenStopped();
      const { passed, failed } = await runSuite(name, service, python, root);
      total.passed += passed;
      total.failed += failed;
    }
    say(`\n${total.passed} passed, ${total.failed} failed`);
    return total.failed === 0;
  } finally {
    await service?.stop();
    stopAll();
    await rm(root, { recursive: true, force: true });
  }
}

// Nobody reads any more: what runs is ended, and the directories go as always.
process.stdout.on('error', stopAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopAll);

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`test:peers: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof MissingPart ? 2 : 1;
}
