import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { stringify } from 'yaml';

import { cleanEnvironment, run } from '../support/program.ts';
import type { PeerService } from '../support/service.ts';
import { runPythonTests } from '../support/stestr.ts';
import type { PythonSurroundings } from '../support/suite.ts';

/** The image that the SDK's functional tests have written into them. */
const imageOfTheirs = 'ubuntu-24.04-v1.35.4';

/** The people of the service under the names that the SDK's functional tests expect. */
async function writeClouds({ clouds }: PeerService, file: string): Promise<void> {
  const theirs = {
    devstack: clouds.jeroboam,
    'devstack-alt': clouds['jeroboam-second'],
    'devstack-admin': clouds['jeroboam-admin'],
    'devstack-system-admin': clouds['jeroboam-admin'],
  };
  await writeFile(file, stringify({ clouds: { ...clouds, ...theirs } }), { mode: 0o600 });
}

async function makeImage({ python, directory }: PythonSurroundings, env: NodeJS.ProcessEnv): Promise<void> {
  const words = ['--os-cloud', 'devstack-admin', 'image', 'create', '--public'];
  const properties = ['--property', 'os_distro=ubuntu', '--property', 'kube_version=v1.35.4'];
  const options = { env, cwd: directory, timeoutMs: 60_000 };
  const ended = await run(python.program('openstack'), [...words, ...properties, imageOfTheirs], options);
  if (ended.code !== 0) throw new Error(`The image for the SDK's own tests was not made: ${ended.stderr}`);
}

/** Our calls through openstacksdk, and the functional tests that the SDK brings itself. */
export async function sdk(surroundings: PythonSurroundings): Promise<void> {
  const { service, python, directory } = surroundings;
  const cloudsFile = path.join(directory, 'clouds.yaml');
  await writeClouds(service, cloudsFile);
  const env = {
    ...cleanEnvironment(directory),
    OS_CLIENT_CONFIG_FILE: cloudsFile,
    OS_TEST_TIMEOUT: '120',
    OS_LOG_CAPTURE: '1',
    OPENSTACKSDK_FLAVOR: 'm1.small',
    OPENSTACKSDK_IMAGE: imageOfTheirs,
    // No compiled files beside the sources of the tests.
    PYTHONPYCACHEPREFIX: path.join(directory, 'bytecode'),
  };
  await makeImage(surroundings, env);
  await runPythonTests(surroundings, {
    top: import.meta.dirname,
    path: import.meta.dirname,
    env,
    timeoutMs: 300_000,
  });
  await runPythonTests(surroundings, {
    top: python.packages,
    path: path.join(python.packages, 'openstack', 'tests', 'functional', 'cloud'),
    only: 'test_coe',
    env,
    timeoutMs: 300_000,
  });
}
