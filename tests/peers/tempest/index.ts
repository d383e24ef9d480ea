import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { cleanEnvironment } from '../support/program.ts';
import type { PeerService } from '../support/service.ts';
import { listPythonTests, runPythonTests } from '../support/stestr.ts';
import type { PythonSurroundings } from '../support/suite.ts';

/**
 * Both need a cluster of real machines; the second also asks for zero nodes in an API version that has no such thing.
 * The job of the plugin's own project leaves them out too.
 */
const needMachines = ['test_create_list_sign_delete_clusters', 'test_create_cluster_with_zero_nodes'];

/**
 * This class deletes the user of all its tests after the first one and then counts on services that have not noticed
 * yet. Ours do: each of its tests gets a process, and with it a user, of its own.
 */
const sharesItsUser = 'magnum_tempest_plugin.tests.api.v1.test_cluster.ClusterTest';

/** Dynamic credentials: every class of tests makes its own projects and users in the sandbox cloud. */
function configuration(service: PeerService, directory: string): string {
  const { auth, region_name: region } = service.clouds['jeroboam-admin'];
  const sections: Record<string, Record<string, string>> = {
    DEFAULT: { log_dir: directory, log_file: 'tempest.log' },
    oslo_concurrency: { lock_path: path.join(directory, 'locks') },
    identity: { uri_v3: auth.auth_url, auth_version: 'v3', region },
    auth: {
      use_dynamic_credentials: 'true',
      create_isolated_networks: 'false',
      admin_username: auth.username,
      admin_password: auth.password,
      admin_project_name: auth.project_name,
      admin_domain_name: 'Default',
    },
    service_available: { magnum: 'true', cinder: 'false', swift: 'false' },
    // Without this the tests of readers, members and administrators are skipped.
    enforce_scope: { magnum: 'true' },
    magnum: {
      image_id: 'ubuntu-kube-v1.31',
      flavor_id: 'm1.small',
      master_flavor_id: 'm1.small',
      nic_id: 'public',
      copy_logs: 'false',
    },
  };
  return Object.entries(sections)
    .map(([name, options]) => {
      const lines = Object.entries(options).map(([option, value]) => `${option} = ${value}\n`);
      return `[${name}]\n${lines.join('')}`;
    })
    .join('\n');
}

/** The API tests of the Magnum plugin, with all their kinds of users. */
export async function tempest(surroundings: PythonSurroundings): Promise<void> {
  const { service, python, directory } = surroundings;
  await mkdir(path.join(directory, 'locks'));
  await writeFile(path.join(directory, 'tempest.conf'), configuration(service, directory), { mode: 0o600 });
  const common = {
    top: python.packages,
    path: path.join(python.packages, 'magnum_tempest_plugin', 'tests', 'api'),
    env: {
      ...cleanEnvironment(directory),
      TEMPEST_CONFIG_DIR: directory,
      TEMPEST_CONFIG: 'tempest.conf',
    },
    timeoutMs: 600_000,
  };
  const escaped = `${sharesItsUser}.`.replaceAll('.', String.raw`\.`);
  await runPythonTests(surroundings, { ...common, exclude: [`^${escaped}`, ...needMachines].join('|') });
  const lonely = { ...common, only: `^${escaped}`, exclude: needMachines.join('|') };
  for (const test of await listPythonTests(surroundings, lonely)) {
    await runPythonTests(surroundings, { ...common, only: `^${test}\\b` });
  }
}
