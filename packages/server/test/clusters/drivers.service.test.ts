import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RecordingDriver } from '../conductor/support/recording-driver.ts';
import { makeCluster, makeTemplate, settled } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let flexible: string;
let fixed: string;
let fixedTemplate: string;
const recording = new RecordingDriver();

beforeAll(async () => {
  service = await startTestService({ drivers: [recording] });
  const template = await makeTemplate(service, 'demo', { master_lb_enabled: true });
  fixedTemplate = await makeTemplate(service, 'demo', {
    master_lb_enabled: true,
    server_type: 'bm',
    driver: 'simulated_fixed_control_plane',
  });
  flexible = await makeCluster(service, 'demo', template);
  fixed = await makeCluster(service, 'demo', fixedTemplate);
});
afterAll(() => service.close());

const send = (method: string, path: string, body?: unknown) =>
  service.request('demo', method, `/v1${path}`, body);

const resizeMasters = (cluster: string, size: number) =>
  send('POST', `/clusters/${cluster}/actions/resize`, { node_count: size, nodegroup: 'default-master' });

const detailOf = (answer: {
  status: number;
  body: { errors: { detail: string }[] };
}): [number, string | undefined] => [answer.status, answer.body.errors[0]?.detail];

describe('a driver that can resize a control plane', () => {
  test('does so from one to three to five and back to one', async () => {
    for (const size of [3, 5, 1]) {
      expect((await resizeMasters(flexible, size)).status).toBe(202);
      expect((await settled(service, 'demo', flexible)).body).toMatchObject({
        status: 'UPDATE_COMPLETE',
        master_count: size,
        node_count: 1,
      });
    }
  });

  test.each([0, 2, 4, 100])('is not asked for %i masters, and nothing changes', async (size) => {
    const before = (await send('GET', `/clusters/${flexible}`)).body;
    expect(detailOf(await resizeMasters(flexible, size))).toEqual([
      400,
      `master nodegroup size of ${size} is invalid, size cannot be an even number.`,
    ]);
    expect((await send('GET', `/clusters/${flexible}`)).body).toEqual(before);
  });
});

describe('a driver that cannot resize a control plane', () => {
  test.each([3, 2, 1])('refuses %i masters before anything changes', async (size) => {
    const before = (await send('GET', `/clusters/${fixed}`)).body;
    const groups = (await send('GET', `/clusters/${fixed}/nodegroups`)).body;
    expect(detailOf(await resizeMasters(fixed, size))).toEqual([
      400,
      'Resizing the master nodegroup is not supported by this driver.',
    ]);
    expect((await send('GET', `/clusters/${fixed}`)).body).toEqual(before);
    expect((await send('GET', `/clusters/${fixed}/nodegroups`)).body).toEqual(groups);
  });

  test('still resizes workers', async () => {
    expect((await send('POST', `/clusters/${fixed}/actions/resize`, { node_count: 3 })).status).toBe(202);
    expect((await settled(service, 'demo', fixed)).body).toMatchObject({
      status: 'UPDATE_COMPLETE',
      node_count: 3,
    });
  });
});

describe('what a driver cannot do', () => {
  test('is refused before anything changes: credentials, upgrade, authorities', async () => {
    const before = (await send('GET', `/clusters/${fixed}`)).body;
    expect(detailOf(await send('PATCH', `/credentials/${fixed}`))).toEqual([
      400,
      'Credential rotation is not supported by driver.',
    ]);
    const upgrade = { cluster_template: fixedTemplate, max_batch_size: 1 };
    expect(detailOf(await send('POST', `/clusters/${fixed}/actions/upgrade`, upgrade))).toEqual([
      400,
      'Cluster upgrade is not supported by this driver.',
    ]);
    expect((await send('GET', `/clusters/${fixed}`)).body).toEqual(before);
    expect(detailOf(await send('PATCH', `/certificates/${flexible}`))).toEqual([
      400,
      "'rotate_ca_certificate' is not supported by this driver.",
    ]);
  });

  test('another driver does: credentials in the name of whoever asks', async () => {
    expect((await send('PATCH', `/credentials/${flexible}`)).status).toBe(202);
    expect((await settled(service, 'demo', flexible)).body.status).toBe('UPDATE_COMPLETE');
  });

  test('another driver does: an upgrade to what another template says', async () => {
    const newer = await makeTemplate(service, 'demo', { name: 'newer', image_id: 'ubuntu-kube-v1.32' });
    const upgrade = { cluster_template: newer, max_batch_size: 1 };
    expect((await send('POST', `/clusters/${flexible}/actions/upgrade`, upgrade)).status).toBe(202);
    expect((await settled(service, 'demo', flexible)).body).toMatchObject({
      status: 'UPDATE_COMPLETE',
      cluster_template_id: newer,
      coe_version: '1.32.1',
    });
  });
});

describe('the driver of a cluster', () => {
  const driverOf = async (template: string): Promise<string> =>
    (await send('GET', `/clustertemplates/${template}`)).body.driver;

  test('is the one its template asks for', async () => {
    const template = await makeTemplate(service, 'demo', { driver: 'recording' });
    expect(await driverOf(template)).toBe('recording');
    const cluster = await makeCluster(service, 'demo', template);
    expect(recording.clusters.has(cluster)).toBe(true);
  });

  test('is else the one that the image names', async () => {
    const image = await makeImage({ os_distro: 'ubuntu', magnum_driver: 'recording' });
    expect(await driverOf(await makeTemplate(service, 'demo', { image_id: image }))).toBe('recording');
    const asked = await makeTemplate(service, 'demo', { image_id: image, driver: 'k8s_capi_helm_v1' });
    expect(await driverOf(asked)).toBe('k8s_capi_helm_v1');
  });

  test('is else the configured default', async () => {
    expect(await driverOf(await makeTemplate(service, 'demo'))).toBe('k8s_capi_helm_v1');
  });

  test('must exist', async () => {
    const template = { name: 't', coe: 'kubernetes', image_id: 'ubuntu-kube-v1.31' };
    expect(detailOf(await send('POST', '/clustertemplates', { ...template, driver: 'nope' }))).toEqual([
      400,
      'Cluster driver (nope) not supported.',
    ]);
    const image = await makeImage({ os_distro: 'ubuntu', magnum_driver: 'gone' });
    expect(detailOf(await send('POST', '/clustertemplates', { ...template, image_id: image }))).toEqual([
      400,
      'Cluster driver (gone) not supported.',
    ]);
  });

  test('is found by server type, distribution and engine when the one it names is no longer there', async () => {
    const template = await makeTemplate(service, 'demo', { server_type: 'bm' });
    const patch = [{ op: 'replace', path: '/driver', value: 'uninstalled' }];
    expect((await send('PATCH', `/clustertemplates/${template}`, patch)).status).toBe(200);
    const cluster = await makeCluster(service, 'demo', template);
    // Of the two simulated drivers only the one for bare metal cannot rotate credentials.
    expect(detailOf(await send('PATCH', `/credentials/${cluster}`))[0]).toBe(400);
  });

  test('must provide that kind of cluster', async () => {
    const template = await makeTemplate(service, 'demo', { image_id: 'fedora-coreos' });
    const [status, detail] = detailOf(await send('POST', '/clusters', { cluster_template_id: template }));
    expect(status).toBe(400);
    expect(detail).toContain("Cluster type ('vm', 'fedora-coreos', 'kubernetes') is not supported");
  });
});

/** An image with these properties, made through the cloud's own API. */
async function makeImage(properties: Record<string, string>): Promise<string> {
  const answer = await fetch(`${service.cloud.url}/image/v2/images`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-token': service.tokens.demo },
    body: JSON.stringify({
      name: 'of-the-test',
      disk_format: 'qcow2',
      container_format: 'bare',
      ...properties,
    }),
  });
  const image = (await answer.json()) as { id?: string };
  if (image.id === undefined) throw new Error(`no image: ${answer.status} ${JSON.stringify(image)}`);
  return image.id;
}
