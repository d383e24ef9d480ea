import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { cleanEnvironment, refuseWhenStopped } from '../support/program.ts';
import { say } from '../support/report.ts';
import type { PythonSurroundings } from '../support/suite.ts';
import { applicationCredentials } from './application-credentials.ts';
import { certificates, writeSigningRequest } from './certificates.ts';
import { clusters } from './clusters.ts';
import { cloud } from './cloud.ts';
import { errors } from './errors.ts';
import { nodeGroups } from './node-groups.ts';
import { operators } from './operators.ts';
import { runStep, type Shell } from './run-step.ts';
import type { Answer, Step } from './step.ts';
import { cleaningUp, templates } from './templates.ts';

/** In the order in which a person would get to know the service; later chapters use what earlier ones made. */
const chapters: Record<string, readonly Step[]> = {
  'the cloud around it': cloud,
  templates,
  clusters,
  'node groups': nodeGroups,
  certificates,
  'errors and other people': errors,
  'what operators do': operators,
  'application credentials': applicationCredentials,
  'cleaning up': cleaningUp,
};

/** Commands that the client has and that no step types. */
const untyped = (answer: Answer): string[] =>
  Array.from(answer.stdout.matchAll(/^ {2}(coe .+)$/gm), ([, command = '']) => command).filter(
    (command) =>
      !Object.values(chapters)
        .flat()
        .some(({ types }) => `${types} `.includes(`${command} `)),
  );

const completeness: Step = {
  title: 'every command that the client has for clusters is typed in these chapters',
  as: 'jeroboam',
  types: 'help coe',
  says: 'coe cluster create',
  check: (answer) => assert.deepEqual(untyped(answer), []),
};

/** Every `openstack coe` command, typed as a user types it: one process each, with the clouds file of the service. */
export async function osc({ service, python, directory, report }: PythonSurroundings): Promise<void> {
  const env = cleanEnvironment(directory);
  const configs = path.join(directory, 'configs');
  const robotClouds = path.join(directory, 'robot-clouds.yaml');
  await mkdir(configs);
  const shell: Shell = {
    openstack: python.program('openstack'),
    env,
    cwd: directory,
    cloudsFile: (person) => (person === 'application-credential' ? robotClouds : service.cloudsFile),
    known: {
      configs,
      'auth-url': service.clouds.jeroboam.auth.auth_url,
      'robot-clouds': robotClouds,
      csr: await writeSigningRequest(directory, python.program('python'), env),
    },
  };
  for (const [title, steps] of Object.entries({ ...chapters, completeness: [completeness] })) {
    say(`  ${title}`);
    for (const step of steps) {
      refuseWhenStopped();
      const problem = await runStep(step, shell);
      if (problem === null) report.pass(step.title);
      else report.fail(step.title, problem);
    }
  }
}
