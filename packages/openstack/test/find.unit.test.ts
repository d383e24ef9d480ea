import { describe, expect, test } from 'vitest';
import {
  OpenStackError,
  findFlavor,
  findImage,
  findNetwork,
  findSubnet,
  getKeypair,
  getProject,
} from '@jeroboam/openstack';
import { fakeCloud } from './support/fake-cloud.ts';
import type { FakeAnswer, FakeRequest } from './support/fake-cloud.ts';
import { recordedAnswers, recordedError } from './support/recorded.ts';

const uuid = '00000000-0000-4000-8000-000000000001';
const paths = (requests: readonly FakeRequest[]) => requests.map(({ url }) => url.pathname + url.search);

describe('findFlavor', () => {
  const nova = (request: FakeRequest): FakeAnswer =>
    request.url.pathname === '/v2.1/flavors/detail'
      ? { body: recordedAnswers.flavors }
      : recordedError('compute', 404);

  test('finds by name, and by an id of any form', async () => {
    const cloud = fakeCloud(nova);
    const small = { id: '1', name: 'm1.small', vcpus: 2, ramMiB: 2048, diskGiB: 20, isPublic: true };
    expect(await findFlavor(cloud.session, 'm1.small')).toEqual({ kind: 'found', value: small });
    expect(await findFlavor(cloud.session, '1')).toEqual({ kind: 'found', value: small });
    expect(paths(cloud.requests)).toEqual([
      '/v2.1/flavors/detail',
      '/v2.1/flavors/1',
      '/v2.1/flavors/detail',
    ]);
    expect(cloud.requests[0]?.headers.get('x-auth-token')).toBe('callers-token');
  });

  test('says so when there is none', async () => {
    expect(await findFlavor(fakeCloud(nova).session, 'm1.nope')).toEqual({ kind: 'not-found' });
    expect(await findFlavor(fakeCloud(nova).session, uuid)).toEqual({ kind: 'not-found' });
  });

  test('follows the pages of a long list, on the host of the catalogue', async () => {
    const flavor = (id: number) => ({ id: `f${id}`, name: `flavor-${id}`, vcpus: 1, ram: 1, disk: 1 });
    const cloud = fakeCloud(({ url }) => {
      const page = Number(url.searchParams.get('marker') ?? 0);
      const links = [{ rel: 'next', href: `http://inside.cloud/v2.1/flavors/detail?marker=${page + 1}` }];
      return { body: { flavors: [flavor(page)], ...(page < 3 ? { flavors_links: links } : {}) } };
    });
    expect(await findFlavor(cloud.session, 'flavor-3')).toMatchObject({ kind: 'found', value: { id: 'f3' } });
    expect(new Set(cloud.requests.map(({ url }) => url.host))).toEqual(new Set(['compute.test']));
  });

  test('gives up on a list that never ends', async () => {
    const endless = { flavors: [{ id: 'a', name: 'a', vcpus: 1, ram: 1, disk: 1 }], next: '/?marker=a' };
    const { session } = fakeCloud(() => ({ body: endless }));
    await expect(findFlavor(session, 'b')).rejects.toThrow(/did not come to the end/);
  });
});

describe('findImage', () => {
  test('finds a real image by id and by name with its properties', async () => {
    const { session } = fakeCloud(({ url }) => ({
      body: url.search === '' ? recordedAnswers.image : recordedAnswers.images,
    }));
    const id = '67a3b6a1-c026-436b-b368-37bdd6be4344';
    const expected = { kind: 'found', value: { id, name: 'r2-image', osDistro: 'ubuntu', status: 'active' } };
    expect(await findImage(session, id)).toMatchObject(expected);
    const byName = await findImage(session, 'r2-image');
    expect(byName).toMatchObject(expected);
    expect(byName.kind === 'found' && byName.value.properties).toMatchObject({ visibility: 'public' });
  });

  test('calls two of one name ambiguous and names both', async () => {
    const dup = (id: string) => ({ id, name: 'dup', status: 'active' });
    const { session } = fakeCloud(() => ({ body: { images: [dup('a'), dup('b')] } }));
    expect(await findImage(session, 'dup')).toEqual({ kind: 'ambiguous', ids: ['a', 'b'] });
  });

  test('takes an id before a name that looks like it', async () => {
    const { session } = fakeCloud(({ url }) =>
      url.pathname.endsWith(uuid)
        ? { body: { id: uuid, name: 'other', status: 'active' } }
        : { body: { images: [{ id: 'b', name: uuid, status: 'active' }] } },
    );
    expect(await findImage(session, uuid)).toMatchObject({ kind: 'found', value: { id: uuid } });
  });

  test('looks among hidden images last', async () => {
    const cloud = fakeCloud(({ url }) => ({
      body: {
        images: url.searchParams.has('os_hidden') ? [{ id: 'h', name: 'old', status: 'active' }] : [],
      },
    }));
    expect(await findImage(cloud.session, 'old')).toMatchObject({ kind: 'found', value: { id: 'h' } });
    expect(paths(cloud.requests)).toEqual(['/v2/images?name=old', '/v2/images?name=old&os_hidden=true']);
  });

  test('is not fooled by filters that mean something else to the service', async () => {
    const { session } = fakeCloud(() => ({ body: { images: [{ id: 'a', name: 'a', status: 'active' }] } }));
    expect(await findImage(session, 'in:a,b')).toEqual({ kind: 'not-found' });
  });

  test('tells forbidden from not found', async () => {
    const { session } = fakeCloud(() => ({ status: 403, body: { message: 'Not yours', code: '403' } }));
    expect(await findImage(session, uuid)).toEqual({ kind: 'forbidden', message: 'Not yours' });
    expect(await findImage(session, 'name')).toEqual({ kind: 'forbidden', message: 'Not yours' });
  });

  test('throws what is neither: a token that ended, a service that is down', async () => {
    const refused = recordedError('image', 401);
    await expect(findImage(fakeCloud(() => refused).session, 'x')).rejects.toMatchObject({
      service: 'image',
      status: 401,
    });
    await expect(findImage(fakeCloud(() => ({ status: 500 })).session, 'x')).rejects.toBeInstanceOf(
      OpenStackError,
    );
  });
});

describe('findNetwork', () => {
  const neutron = ({ url }: FakeRequest): FakeAnswer => {
    if (url.pathname !== '/v2.0/networks') return recordedError('network', 404);
    return {
      body:
        url.searchParams.get('name') === 'public'
          ? recordedAnswers.externalNetworks
          : recordedAnswers.networks,
    };
  };

  test('finds by name and knows which networks reach outside', async () => {
    const { session } = fakeCloud(neutron);
    expect(await findNetwork(session, 'public')).toMatchObject({ kind: 'found', value: { external: true } });
    expect(await findNetwork(session, 'r2-net')).toMatchObject({ kind: 'found', value: { external: false } });
    expect(await findNetwork(session, uuid)).toEqual({ kind: 'not-found' });
  });

  test('does not count networks of the other kind', async () => {
    const cloud = fakeCloud(neutron);
    expect(await findNetwork(cloud.session, 'r2-net', { external: true })).toEqual({ kind: 'not-found' });
    expect(paths(cloud.requests)).toEqual(['/v2.0/networks?name=r2-net&router%3Aexternal=true']);
    const inner = { network: { id: uuid, name: 'inner', 'router:external': false } };
    const byId = fakeCloud(({ url }) => ({ body: url.search === '' ? inner : { networks: [] } }));
    expect(await findNetwork(byId.session, uuid, { external: true })).toEqual({ kind: 'not-found' });
    expect(await findNetwork(byId.session, uuid, { external: false })).toMatchObject({ kind: 'found' });
  });

  test('calls two of one name ambiguous', async () => {
    const networks = ['a', 'b'].map((id) => ({ id, name: 'dupnet' }));
    const { session } = fakeCloud(() => ({ body: { networks } }));
    expect(await findNetwork(session, 'dupnet')).toEqual({ kind: 'ambiguous', ids: ['a', 'b'] });
  });
});

test('findSubnet reads a real subnet', async () => {
  const { session } = fakeCloud(() => ({ body: recordedAnswers.subnet }));
  expect(await findSubnet(session, '67ba3b8d-b2fc-4ba4-bef6-3ec3cfbb8646')).toMatchObject({
    kind: 'found',
    value: { name: 'r2-sub', cidr: '10.8.0.0/24', ipVersion: 4 },
  });
});

describe('getKeypair', () => {
  test('reads a real key pair', async () => {
    const { session } = fakeCloud(() => ({ body: recordedAnswers.keypair }));
    expect(await getKeypair(session, 'r2-key')).toMatchObject({ kind: 'found', value: { name: 'r2-key' } });
  });

  test.for(['..', '.', ''])('never lets the name %j climb to another resource', async (name) => {
    const cloud = fakeCloud(() => ({ body: recordedAnswers.keypair }));
    expect(await getKeypair(cloud.session, name)).toEqual({ kind: 'not-found' });
    expect(cloud.requests).toEqual([]);
  });

  test('keeps a name with odd characters in one piece', async () => {
    const cloud = fakeCloud(() => recordedError('compute', 404));
    expect(await getKeypair(cloud.session, '../servers?x=1#y')).toEqual({ kind: 'not-found' });
    expect(paths(cloud.requests)).toEqual(['/v2.1/os-keypairs/..%2Fservers%3Fx%3D1%23y']);
  });
});

test('getProject tells an unknown project from a known one', async () => {
  const project = { id: 'p1', name: 'demo', domain_id: 'default', enabled: true };
  const { session } = fakeCloud(({ url }) =>
    url.pathname === '/v3/projects/p1' ? { body: { project } } : { status: 404 },
  );
  expect(await getProject(session, 'p1')).toEqual({
    kind: 'found',
    value: { id: 'p1', name: 'demo', domainId: 'default', enabled: true },
  });
  expect(await getProject(session, 'p2')).toEqual({ kind: 'not-found' });
});

test('an answer without what is needed names the member that is missing', async () => {
  const { session } = fakeCloud(() => ({ body: { keypair: { name: 'k' } } }));
  await expect(getKeypair(session, 'k')).rejects.toThrow(
    'The compute service sent something unexpected in "public_key" of "keypair"; is its endpoint right?',
  );
});
