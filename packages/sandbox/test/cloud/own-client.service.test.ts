import {
  createHttp,
  createKeystone,
  findFlavor,
  findImage,
  findNetwork,
  findSubnet,
  getKeypair,
  sessionForCredentials,
} from '@jeroboam/openstack';
import type { Credentials, Session } from '@jeroboam/openstack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SandboxProject, SandboxUser } from '../../src/cloud/index.ts';
import { startTestCloud } from './support/test-cloud.ts';
import type { TestCloud } from './support/test-cloud.ts';

let test: TestCloud;
let demo: Session;

const credentials = (username: SandboxUser, projectName: SandboxProject): Credentials => ({
  kind: 'password',
  username,
  password: test.passwords[username],
  userDomainName: 'Default',
  projectName,
  projectDomainName: 'Default',
});

beforeAll(async () => {
  test = await startTestCloud();
  demo = sessionForCredentials(test.cloud.identityUrl, credentials('demo', 'demo'), { region: 'RegionOne' });
});
afterAll(() => test.cloud.close());

describe('our own clients, which are written for any cloud, find in the sandbox', () => {
  it('images with their properties, and two of one name', async () => {
    expect(await findImage(demo, 'ubuntu-kube-v1.31')).toMatchObject({
      kind: 'found',
      value: { osDistro: 'ubuntu', status: 'active', properties: { kube_version: 'v1.31.4' } },
    });
    expect(await findImage(demo, 'dup')).toMatchObject({ kind: 'ambiguous' });
    expect(await findImage(demo, 'nope')).toEqual({ kind: 'not-found' });
  });

  it('flavors by name and by id', async () => {
    expect(await findFlavor(demo, 'm1.zerodisk')).toMatchObject({
      kind: 'found',
      value: { diskGiB: 0, vcpus: 2 },
    });
    expect(await findFlavor(demo, '4')).toMatchObject({
      kind: 'found',
      value: { name: 'm1.large', ramMiB: 8192 },
    });
    expect(await findFlavor(demo, 'nope')).toEqual({ kind: 'not-found' });
  });

  it('networks, subnets and the way out', async () => {
    expect(await findNetwork(demo, 'public', { external: true })).toMatchObject({ kind: 'found' });
    expect(await findNetwork(demo, 'private', { external: true })).toEqual({ kind: 'not-found' });
    expect(await findNetwork(demo, 'dupnet')).toMatchObject({ kind: 'ambiguous' });
    expect(await findSubnet(demo, 'private-subnet')).toMatchObject({ kind: 'found' });
  });

  it('key pairs', async () => {
    for (const name of ['default', 'mykey', 'otherkey']) {
      expect(await getKeypair(demo, name)).toMatchObject({ kind: 'found', value: { name } });
    }
    expect(await getKeypair(demo, 'nope')).toEqual({ kind: 'not-found' });
  });

  it('what a token is worth, until it is revoked', async () => {
    const keystone = createKeystone(test.cloud.identityUrl, createHttp());
    const service = await keystone.authenticate(credentials('jeroboam', 'service'));
    const token = await test.token('reader');
    expect(await keystone.validateToken(service.id, token)).not.toBeNull();
    await keystone.revokeToken(service.id, token);
    expect(await keystone.validateToken(service.id, token)).toBeNull();
  });
});
