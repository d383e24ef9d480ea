import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { clientOf, template } from './support/client.ts';
import { startMain, type Program } from './support/program.ts';
import { makeDirectory } from './support/service.ts';

let place: ReturnType<typeof makeDirectory>;
let dataDir: string;
let program: Program;

beforeEach(() => {
  place = makeDirectory();
  dataDir = path.join(place.directory, 'data');
});

afterEach(async () => {
  program.process.kill('SIGTERM');
  await program.ended;
  place.remove();
});

const start = (args: string[], environment: Record<string, string> = {}) =>
  (program = startMain(['--data-dir', dataDir, '--port', '0', ...args], { environment }));

/** A machine with neither Go nor programs that were built before. */
const bare = () => ({ PATH: '/nowhere', XDG_CACHE_HOME: path.join(place.directory, 'cache') });

describe('without a management cluster', () => {
  test('that can be had, clusters are simulated and the summary says in one sentence what is missing', async () => {
    const { ready, stdout } = start(['--simulated-driver-delay', '0'], bare());
    const ask = await clientOf(await ready, dataDir);
    expect(stdout()).toMatch(
      /^ {2}management +none, clusters are simulated: .+: install Go, or give --kubeconfig$/m,
    );
    const { uuid, driver } = await ask('POST', '/v1/clustertemplates', template);
    expect(driver).toBe('k8s_capi_helm_v1');
    const cluster = await ask('POST', '/v1/clusters', { cluster_template_id: uuid, name: 'simulated' });
    const status = async () => (await ask('GET', `/v1/clusters/${String(cluster['uuid'])}`))['status'];
    await expect.poll(status, { timeout: 30_000 }).toBe('CREATE_COMPLETE');
  });

  test('that anybody asked for, nothing is said of one', async () => {
    const { ready, stdout } = start(['--management-cluster', 'off']);
    await ready;
    expect(stdout()).not.toContain('management');
  });
});

describe('a kubeconfig', () => {
  test('that cannot be used ends the start with 2 and the reason', async () => {
    const file = path.join(place.directory, 'kubeconfig');
    writeFileSync(file, 'current-context: gone\nusers: [{name: a, user: {token: sesame}}]');
    const { ended, stderr } = start(['--kubeconfig', file, '--log-level', 'silent']);
    expect(await ended).toBe(2);
    expect(stderr()).toBe('jeroboam: kubeconfig: the kubeconfig has no entry "gone" in contexts\n');
  });

  test('of a server that does not answer keeps clusters waiting, and the service answering', async () => {
    const file = path.join(place.directory, 'kubeconfig');
    writeFileSync(
      file,
      JSON.stringify({
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:9' } }],
        users: [{ name: 'c', user: { token: 'sesame' } }],
      }),
    );
    const { ready, stdout } = start(['--kubeconfig', file]);
    const ask = await clientOf(await ready, dataDir);
    expect(stdout()).toMatch(/^ {2}management +\S+\/kubeconfig$/m);
    const { uuid, driver } = await ask('POST', '/v1/clustertemplates', template);
    expect(driver).toBe('k8s_cluster_api_v1');
    const cluster = await ask('POST', '/v1/clusters', { cluster_template_id: uuid, name: 'waiting' });
    const seen = async () => ask('GET', `/v1/clusters/${String(cluster['uuid'])}`);
    await expect
      .poll(async () => (await seen())['status_reason'], { timeout: 30_000 })
      .toContain('The management cluster at https://127.0.0.1:9');
    expect((await seen())['status']).toBe('CREATE_IN_PROGRESS');
  });
});
