import { clusterLabel } from '@jeroboam/capi';
import type { Kind } from '@jeroboam/kubernetes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { driverName, settledCluster, startEngineService, until, type EngineService } from './support.ts';

/** What users do with a cluster, through the API, on a management cluster that really does it. */
let engine: EngineService;
let cluster: string;

const machinesKind: Kind = {
  group: 'cluster.x-k8s.io',
  version: 'v1beta2',
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};

beforeAll(async () => {
  engine = await startEngineService();
});
afterAll(() => engine?.close());

const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  engine.service.request('demo', method, path, body, headers);

async function completed(): Promise<Record<string, unknown>> {
  const { body, text } = await settledCluster(engine.service, cluster);
  expect(text).toMatch(/"status":"(CREATE|UPDATE)_COMPLETE"/);
  return body as Record<string, unknown>;
}

/** Machines of the control plane in the management cluster itself. */
async function masters(): Promise<number> {
  const { items } = await engine.client.list(machinesKind, {
    labelSelector: `${clusterLabel}=${cluster},cluster.x-k8s.io/control-plane`,
  });
  return items.length;
}

const whole = {
  coe: 'kubernetes',
  image_id: 'ubuntu-kube-v1.31',
  flavor_id: 'm1.small',
  master_flavor_id: 'm1.small',
  master_lb_enabled: true,
  driver: driverName,
};

describe('a cluster through Cluster API', () => {
  test('of one master and two workers becomes complete and healthy', async () => {
    const answer = await ask('POST', '/v1/clusters', { ...whole, name: 'engine', node_count: 2 });
    expect(`${answer.status} ${answer.text}`).toMatch(/^202 /);
    cluster = answer.body.uuid as string;
    const made = await completed();
    expect(made).toMatchObject({ node_count: 2, master_count: 1, coe_version: 'v1.31.4' });
    const healthy = await until(
      () => ask('GET', `/v1/clusters/${cluster}`),
      ({ body }) => body.health_status === 'HEALTHY',
      60_000,
    );
    expect(healthy.body.api_address).toMatch(/^https:\/\//);
  });

  test.each([3, 5, 3, 1])('resizes its control plane to %i', async (size) => {
    const body = { nodegroup: 'default-master', node_count: size };
    const answer = await ask('POST', `/v1/clusters/${cluster}/actions/resize`, body);
    expect(`${answer.status} ${answer.text}`).toMatch(/^202 /);
    expect(await completed()).toMatchObject({ master_count: size });
    expect(await masters()).toBe(size);
  });

  test.each([0, 2, 9, -1])('refuses %i masters and changes nothing', async (size) => {
    const body = { nodegroup: 'default-master', node_count: size };
    const answer = await ask('POST', `/v1/clusters/${cluster}/actions/resize`, body);
    expect(answer.status).toBe(400);
    expect((await ask('GET', `/v1/clusters/${cluster}`)).body.status).toMatch(/_COMPLETE$/);
    expect(await masters()).toBe(1);
  });

  test('takes two groups at once and lets them go at once', async () => {
    const path = `/v1/clusters/${cluster}/nodegroups`;
    const added = await Promise.all(['one', 'two'].map((name) => ask('POST', path, { name, node_count: 1 })));
    expect(added.map(({ status }) => status)).toStrictEqual([202, 202]);
    expect(await completed()).toMatchObject({ node_count: 4 });
    const removed = await Promise.all(['one', 'two'].map((name) => ask('DELETE', `${path}/${name}`)));
    expect(removed.map(({ status }) => status)).toStrictEqual([204, 204]);
    await completed();
    const left = await ask('GET', path);
    expect(left.body.nodegroups.map(({ name }: { name: string }) => name)).toStrictEqual([
      'default-master',
      'default-worker',
    ]);
  });

  test('has a worker replaced that is marked as unhealthy', async () => {
    const selector = { labelSelector: `${clusterLabel}=${cluster},!cluster.x-k8s.io/control-plane` };
    const workers = async (): Promise<string[]> =>
      (await engine.client.list(machinesKind, selector)).items.map(({ metadata }) => metadata.name);
    const [victim] = (await engine.client.list(machinesKind, selector)).items;
    const name = victim?.metadata.name ?? '';
    const annotations = { 'cluster.x-k8s.io/remediate-machine': '' };
    await engine.client.mergePatch(machinesKind, name, victim?.metadata.namespace, {
      metadata: { annotations },
    });
    const deadline = Date.now() + 120_000;
    while ((await workers()).includes(name) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 250));
    expect(await workers()).not.toContain(name);
    await completed();
    expect(await workers()).toHaveLength(2);
  });

  test('is upgraded by a minor version, control plane first, and then shows the template it came to', async () => {
    const made = await ask('POST', '/v1/clustertemplates', {
      name: 'k8s-1.32',
      coe: 'kubernetes',
      image_id: 'ubuntu-kube-v1.32',
      flavor_id: 'm1.small',
      master_flavor_id: 'm1.small',
    });
    const template = made.body.uuid as string;
    const before = (await ask('GET', `/v1/clusters/${cluster}`)).body.cluster_template_id as string;
    const answer = await ask('POST', `/v1/clusters/${cluster}/actions/upgrade`, {
      cluster_template: template,
      max_batch_size: 1,
    });
    expect(`${answer.status} ${answer.text}`).toMatch(/^202 /);
    expect(before).not.toBe(template);
    expect(await completed()).toMatchObject({ coe_version: 'v1.32.1', cluster_template_id: template });
  });

  test('is deleted without a trace', async () => {
    expect((await ask('DELETE', `/v1/clusters/${cluster}`)).status).toBe(204);
    expect((await settledCluster(engine.service, cluster)).status).toBe(404);
    expect(await masters()).toBe(0);
  });
});
