import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestCloud } from './support/test-cloud.ts';
import type { TestCloud } from './support/test-cloud.ts';

interface Page {
  images: { id: string; name: string; [property: string]: unknown }[];
  next?: string;
}

const IMAGES = '/image/v2/images';

let test: TestCloud;
let token: string;

beforeAll(async () => {
  test = await startTestCloud();
  token = await test.token('demo');
});
afterAll(() => test.cloud.close());

const list = async (query: string): Promise<Page> =>
  (await test.call('GET', `${IMAGES}${query}`, { token })).body as Page;

const names = async (query: string): Promise<string[]> =>
  (await list(query)).images.map((image) => image.name);

describe('the images of a new cloud', () => {
  it.each([
    ['?name=ubuntu-kube-v1.31', ['ubuntu-kube-v1.31']],
    ['?name=dup', ['dup', 'dup']],
    ['?name=nope', []],
    ['?os_distro=fedora-coreos', ['fedora-coreos']],
    ['?kube_version=v1.32.1', ['ubuntu-kube-v1.32']],
    ['?name=in:nodistro,fedora-coreos&sort=name:asc', ['fedora-coreos', 'nodistro']],
    ['?name=nodistro&status=active&visibility=public', ['nodistro']],
    ['?name=nodistro&visibility=private', []],
    ['?os_hidden=true', []],
    ['?tag=none', []],
  ])('%s finds %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('carry their properties beside Glance’s own fields', async () => {
    const { images } = await list('?name=ubuntu-kube-v1.31');
    expect(images[0]).toMatchObject({ os_distro: 'ubuntu', kube_version: 'v1.31.4', status: 'active' });
    expect((await list('?name=nodistro')).images[0]).not.toHaveProperty('os_distro');
  });

  it('can be walked page by page with next', async () => {
    const seen: string[] = [];
    let query: string | undefined = '?limit=2&sort=name:asc';
    while (query !== undefined) {
      const page: Page = await list(query);
      seen.push(...page.images.map((image) => image.name));
      query = page.next?.replace('/v2/images', '');
    }
    expect(seen).toEqual(await names('?sort=name:asc'));
    expect(seen).toHaveLength(7);
  });
});

describe('an image of one’s own', () => {
  it('is queued until its data comes, and takes it once', async () => {
    const made = await test.call('POST', IMAGES, {
      token,
      body: { name: 'own', disk_format: 'raw', container_format: 'bare' },
    });
    const { id } = made.body as { id: string };
    expect(made.body).toMatchObject({
      status: 'queued',
      visibility: 'shared',
      size: null,
      owner: test.cloud.projects.demo,
    });
    const headers = { 'content-type': 'application/octet-stream' };
    const upload = () => test.call('PUT', `${IMAGES}/${id}/file`, { token, raw: 'data', headers });
    expect((await upload()).status).toBe(204);
    expect((await upload()).status).toBe(409);
    const shown = await test.call('GET', `${IMAGES}/${id}`, { token });
    expect(shown.body).toMatchObject({
      status: 'active',
      size: 4,
      checksum: '8d777f385d3dfec8815d20f7496026dc',
    });
  });

  it('is changed field by field, and protected from deletion', async () => {
    const { id } = (await test.call('POST', IMAGES, { token, body: { name: 'change', colour: 'red' } }))
      .body as { id: string };
    const patch = (body: unknown) =>
      test.call('PATCH', `${IMAGES}/${id}`, {
        token,
        body,
        headers: { 'content-type': 'application/openstack-images-v2.1-json-patch' },
      });
    const changed = await patch([
      { op: 'replace', path: '/name', value: 'changed' },
      { op: 'remove', path: '/colour' },
      { op: 'add', path: '/os_distro', value: 'ubuntu' },
      { op: 'replace', path: '/protected', value: true },
    ]);
    expect(changed.body).toMatchObject({ name: 'changed', os_distro: 'ubuntu', protected: true });
    expect(changed.body).not.toHaveProperty('colour');
    expect((await patch([{ op: 'replace', path: '/status', value: 'active' }])).status).toBe(403);
    expect((await patch([{ op: 'replace', path: '/visibility', value: 'public' }])).status).toBe(403);
    expect((await patch([{ op: 'remove', path: '/colour' }])).status).toBe(409);
    expect((await patch([{ op: 'move', path: '/name' }])).status).toBe(400);
    expect((await test.call('DELETE', `${IMAGES}/${id}`, { token })).status).toBe(403);
  });
});
