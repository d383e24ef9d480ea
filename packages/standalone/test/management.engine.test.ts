import path from 'node:path';

import { clusterLabel } from '@jeroboam/capi';
import { KubeClient, readKubeconfig, type Kind } from '@jeroboam/kubernetes';
import { defaultCacheDirectory } from '@jeroboam/sandbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { managementClusterOfThisRun } from '../../sandbox/test/support/management-cluster.ts';
import { clientOf, template, type Ask } from './support/client.ts';
import { startMain, type Program } from './support/program.ts';
import { makeDirectory } from './support/service.ts';

const clusterKind: Kind = {
  group: 'cluster.x-k8s.io',
  version: 'v1beta2',
  kind: 'Cluster',
  plural: 'clusters',
  namespaced: true,
};

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

function start(...args: string[]): Program {
  // What was built before lies in our own user's cache.
  const environment = { XDG_CACHE_HOME: path.resolve(defaultCacheDirectory(), '../..') };
  program = startMain(['--data-dir', dataDir, '--port', '0', ...args], { environment });
  return program;
}

async function createCluster(ask: Ask, more: Record<string, unknown> = {}): Promise<string> {
  const made = await ask('POST', '/v1/clustertemplates', { ...template, ...more });
  const wanted = { cluster_template_id: made['uuid'], name: 'real', master_count: 1, node_count: 1 };
  const { uuid } = await ask('POST', '/v1/clusters', wanted);
  return String(uuid);
}

const statusOf = async (ask: Ask, uuid: string) => (await ask('GET', `/v1/clusters/${uuid}`))['status'];

/** The clusters of ours that a management cluster holds, by uuid. */
async function clustersIn(kubeconfig: string): Promise<(string | undefined)[]> {
  const client = new KubeClient(readKubeconfig(kubeconfig));
  const { items } = await client.list(clusterKind, {}, ({ metadata }) => metadata.labels?.[clusterLabel]);
  client.close();
  return items;
}

describe('the service', () => {
  test('answers at once while its management cluster comes up; what was asked for meanwhile waits, says so, and goes on', async () => {
    const first = start();
    const ask = await clientOf(await first.ready, dataDir);
    const uuid = await createCluster(ask);
    const reason = async () => (await ask('GET', `/v1/clusters/${uuid}`))['status_reason'];
    await expect.poll(reason, { timeout: 5_000, interval: 50 }).toBe('The management cluster is starting.');
    await expect.poll(() => statusOf(ask, uuid), { timeout: 240_000, interval: 500 }).toBe('CREATE_COMPLETE');
    const kubeconfig = /^ {2}management +(\S+) /m.exec(first.stdout())?.[1] ?? '';
    expect(await clustersIn(kubeconfig)).toEqual([uuid]);

    // Killed and started again, it finds its data and its clusters.
    first.process.kill('SIGKILL');
    await first.ended;
    const again = await clientOf(await start().ready, dataDir);
    await again('POST', `/v1/clusters/${uuid}/actions/resize`, { node_count: 2 });
    await expect
      .poll(() => statusOf(again, uuid), { timeout: 240_000, interval: 500 })
      .toBe('UPDATE_COMPLETE');
    expect(await clustersIn(kubeconfig)).toEqual([uuid]);
  }, 600_000);

  test('uses an existing management cluster that it is given, under every name its driver answers to', async () => {
    const { kubeconfig } = managementClusterOfThisRun();
    const ask = await clientOf(await start('--kubeconfig', kubeconfig).ready, dataDir);
    const uuid = await createCluster(ask, { driver: 'k8s_capi_helm_v1' });
    await expect.poll(() => statusOf(ask, uuid), { timeout: 240_000, interval: 500 }).toBe('CREATE_COMPLETE');
    expect(await clustersIn(kubeconfig)).toContain(uuid);

    await ask('DELETE', `/v1/clusters/${uuid}`);
    const list = async () => (await ask('GET', '/v1/clusters'))['clusters'];
    await expect.poll(list, { timeout: 240_000, interval: 500 }).toEqual([]);
    expect(await clustersIn(kubeconfig)).not.toContain(uuid);
  });
});
