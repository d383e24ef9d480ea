import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCluster, makeTemplate, settled } from '../support/clusters.ts';
import { startTestService, type Person, type TestService } from '../support/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const send = (person: Person, method: string, path: string, body?: unknown) =>
  service.request(person, method, `/v1${path}`, body);

const clusterOf = async (uuid: string): Promise<Record<string, unknown>> =>
  (await send('demo', 'GET', `/clusters/${uuid}`)).body;

const labels = { kept: 'a', changed: 'b', left_out: 'c' };

describe('a template in use', () => {
  test('can be changed in every attribute, and its clusters do not notice', async () => {
    const template = await makeTemplate(service, 'demo', { labels, dns_nameserver: '8.8.8.8' });
    const cluster = await makeCluster(service, 'demo', template, {
      labels: { changed: 'z', own: 'd' },
      merge_labels: true,
    });
    const before = await clusterOf(cluster);
    expect(before).toMatchObject({
      labels: { kept: 'a', changed: 'z', left_out: 'c', own: 'd' },
      labels_added: { own: 'd' },
      labels_overridden: { changed: 'b' },
      labels_skipped: {},
    });
    const patch = [
      { op: 'replace', path: '/name', value: 'renamed' },
      { op: 'replace', path: '/image_id', value: 'ubuntu-kube-v1.32' },
      { op: 'replace', path: '/flavor_id', value: 'm1.large' },
      { op: 'replace', path: '/labels', value: "{'other': 'x'}" },
      { op: 'replace', path: '/dns_nameserver', value: '1.1.1.1' },
      { op: 'replace', path: '/master_lb_enabled', value: true },
    ];
    expect((await send('demo', 'PATCH', `/clustertemplates/${template}`, patch)).status).toBe(200);
    expect(await clusterOf(cluster)).toEqual(before);

    // Nor does a later change of the cluster bring any of it in.
    await send('demo', 'POST', `/clusters/${cluster}/actions/resize`, { node_count: 2 });
    const after = (await settled(service, 'demo', cluster)).body;
    expect(after).toMatchObject({ status: 'UPDATE_COMPLETE', coe_version: '1.31.4', flavor_id: 'm1.small' });
    expect(after.labels_overridden).toEqual({ changed: 'b' });
    const groups = await send('demo', 'GET', `/clusters/${cluster}/nodegroups`);
    for (const group of groups.body.nodegroups) expect(group.image_id).toBe('ubuntu-kube-v1.31');
  });

  test('can be deleted, and its clusters go on to be shown, changed and deleted', async () => {
    const template = await makeTemplate(service, 'demo', { name: 'short-lived', labels });
    const cluster = await makeCluster(service, 'demo', template, { labels: { kept: 'z' } });
    const before = await clusterOf(cluster);
    expect((await send('demo', 'DELETE', `/clustertemplates/${template}`)).status).toBe(204);
    expect(await clusterOf(cluster)).toEqual(before);
    expect(before).toMatchObject({
      cluster_template_id: template,
      labels_overridden: { kept: 'a' },
      labels_skipped: { changed: 'b', left_out: 'c' },
    });
    await send('demo', 'POST', `/clusters/${cluster}/nodegroups`, { name: 'later' });
    expect((await settled(service, 'demo', cluster)).body).toMatchObject({
      status: 'UPDATE_COMPLETE',
      node_count: 2,
    });
    await send('demo', 'DELETE', `/clusters/${cluster}`);
    expect((await settled(service, 'demo', cluster)).status).toBe(404);
  });
});

describe('a deleted template', () => {
  let template: string;
  let cluster: string;

  beforeAll(async () => {
    template = await makeTemplate(service, 'demo', { name: 'remembered', labels, tls_disabled: true });
    cluster = await makeCluster(service, 'demo', template);
    await send('demo', 'DELETE', `/clustertemplates/${template}`);
  });

  test.each(['demo', 'reader', 'admin'] as const)(
    'still answers %s, who can see a cluster made from it',
    async (person) => {
      const { status, body } = await send(person, 'GET', `/clustertemplates/${template}`);
      expect(status).toBe(200);
      // What `coe cluster config`, Terraform and Horizon read.
      expect(body).toMatchObject({
        uuid: template,
        name: 'remembered',
        coe: 'kubernetes',
        tls_disabled: true,
        image_id: 'ubuntu-kube-v1.31',
        labels,
      });
      const other = await makeTemplate(service, 'demo');
      const alive = (await send('demo', 'GET', `/clustertemplates/${other}`)).body;
      expect(Object.keys(body).toSorted()).toEqual(Object.keys(alive).toSorted());
      await send('demo', 'DELETE', `/clustertemplates/${other}`);
    },
  );

  test('is not there for another project', async () => {
    expect((await send('bob', 'GET', `/clustertemplates/${template}`)).status).toBe(404);
  });

  test('is in no list, has no name any more and can make no cluster', async () => {
    for (const path of ['/clustertemplates', '/clustertemplates/detail']) {
      const { body } = await send('admin', 'GET', path);
      expect(body.clustertemplates.map(({ uuid }: { uuid: string }) => uuid)).not.toContain(template);
    }
    expect((await send('demo', 'GET', '/clustertemplates/remembered')).status).toBe(404);
    expect((await send('demo', 'POST', '/clusters', { cluster_template_id: template })).status).toBe(404);
    const patch = [{ op: 'replace', path: '/name', value: 'x' }];
    expect((await send('demo', 'PATCH', `/clustertemplates/${template}`, patch)).status).toBe(404);
    expect((await send('demo', 'DELETE', `/clustertemplates/${template}`)).status).toBe(404);
  });

  test('is forgotten with the last cluster made from it', async () => {
    await send('demo', 'DELETE', `/clusters/${cluster}`);
    await settled(service, 'demo', cluster);
    expect((await send('demo', 'GET', `/clustertemplates/${template}`)).status).toBe(404);
  });
});

describe('a template of another project', () => {
  test('that was public and is deleted answers only those who made a cluster from it', async () => {
    const template = await makeTemplate(service, 'admin', { public: true, keypair_id: undefined });
    const cluster = await makeCluster(service, 'bob', template);
    await send('admin', 'DELETE', `/clustertemplates/${template}`);
    expect((await send('bob', 'GET', `/clustertemplates/${template}`)).body.uuid).toBe(template);
    expect((await send('demo', 'GET', `/clustertemplates/${template}`)).status).toBe(404);
    await send('bob', 'DELETE', `/clusters/${cluster}`);
  });
});
