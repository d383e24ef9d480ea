import { chmod, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { cleanEnvironment, run, type ProgramOptions } from '../support/program.ts';
import { say } from '../support/report.ts';
import type { Surroundings } from '../support/suite.ts';
import { reportGoTests } from './go-test.ts';

const library = 'github.com/gophercloud/gophercloud/v2';

/** The library's own tests, and the sentence that keeps those from running which need a cluster. */
const acceptance = 'internal/acceptance/openstack/containerinfra/v1';
const skip = 't.Skip("Failure to deploy cluster in CI")';

/** What the acceptance tests read. The cloud takes names wherever they say "id". */
function acceptanceEnvironment({ service }: Surroundings, cloud: 'jeroboam' | 'jeroboam-admin') {
  const { auth, region_name: region } = service.clouds[cloud];
  return {
    OS_AUTH_URL: auth.auth_url,
    OS_USERNAME: auth.username,
    OS_PASSWORD: auth.password,
    OS_PROJECT_NAME: auth.project_name,
    OS_DOMAIN_NAME: 'Default',
    OS_REGION_NAME: region,
    OS_IMAGE_ID: 'ubuntu-kube-v1.31',
    OS_MAGNUM_IMAGE_ID: 'ubuntu-kube-v1.31',
    OS_MAGNUM_KEYPAIR: 'default',
    OS_FLAVOR_ID: 'm1.small',
    OS_FLAVOR_ID_RESIZE: 'm1.medium',
    OS_POOL_NAME: 'public',
    OS_EXTGW_ID: 'public',
    OS_BRANCH: 'master',
  };
}

/** A copy of the library in which its cluster tests run; the module cache itself is not ours to change. */
async function copyLibrary(directory: string, options: ProgramOptions): Promise<string> {
  const asked = await run('go', ['mod', 'download', '-json', library], options);
  if (asked.code !== 0) throw new Error(`Go cannot get ${library}: ${asked.stdout}${asked.stderr}`);
  const { Dir: source } = JSON.parse(asked.stdout) as { Dir: string };
  const copy = path.join(directory, 'library');
  await cp(source, copy, { recursive: true });
  const tests = path.join(copy, acceptance);
  // Modules are kept read-only.
  await chmod(tests, 0o755);
  for (const name of await readdir(tests)) {
    const file = path.join(tests, name);
    const text = await readFile(file, 'utf8');
    await chmod(file, 0o644);
    await writeFile(file, text.replaceAll(skip, ''));
  }
  return copy;
}

/** Calls of our own through gophercloud, and the tests that the library brings itself. */
export async function gophercloud(surroundings: Surroundings): Promise<void> {
  const { service, directory, report } = surroundings;
  const env = {
    ...cleanEnvironment(directory),
    // Go's own caches are made once and outside the clone already.
    HOME: process.env['HOME'],
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'],
    OS_CLIENT_CONFIG_FILE: service.cloudsFile,
  };
  const options = { env, cwd: import.meta.dirname, timeoutMs: 600_000 };
  const go = await run('go', ['version'], options).catch(() => null);
  if (go?.code !== 0) {
    say('  Go is not installed here, so gophercloud is left out.');
    return;
  }
  await reportGoTests(report, ['.'], options);

  const cwd = await copyLibrary(directory, options);
  const theirs = ['-tags', 'fixtures acceptance', `./${acceptance}`];
  const member = { ...options, cwd, env: { ...env, ...acceptanceEnvironment(surroundings, 'jeroboam') } };
  await reportGoTests(
    report,
    ['-run', '^Test(ClusterTemplates|Clusters|NodeGroups)CRUD$', ...theirs],
    member,
  );
  // This one makes a project.
  const admin = {
    ...options,
    cwd,
    env: { ...env, ...acceptanceEnvironment(surroundings, 'jeroboam-admin') },
  };
  await reportGoTests(report, ['-run', '^TestQuotasCRUD$', ...theirs], admin);
}
