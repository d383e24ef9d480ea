import { describe, expect, test } from 'vitest';
import { findEndpoint, withVersion } from '@jeroboam/openstack';
import type { CatalogEntry } from '@jeroboam/openstack';
import { Answer } from '../src/http/answer.ts';
import { readToken } from '../src/keystone/token.ts';
import { recordedAnswers } from './support/recorded.ts';

const { catalog } = readToken('secret', new Answer('identity', recordedAnswers.token));

const entry = (type: string, url: string, region = 'RegionOne'): CatalogEntry => ({
  type,
  name: null,
  endpoints: [{ interface: 'public', region, url }],
});

describe('the endpoint of a service', () => {
  test.for([
    ['compute', 'http://127.0.0.1:28774/v2.1'],
    ['image', 'http://127.0.0.1:28292/v2'],
    ['network', 'http://127.0.0.1:28696/v2.0'],
    ['identity', 'http://127.0.0.1:28500/v3'],
    ['block-storage', 'http://127.0.0.1:28776/v3'],
    ['load-balancer', 'http://127.0.0.1:28876/v2'],
  ] as const)('of type %s is found in a real catalogue, version included', ([service, url]) => {
    expect(findEndpoint(catalog, service)).toBe(url);
  });

  test('is taken from the region and the interface that were asked for', () => {
    expect(findEndpoint(catalog, 'compute', { region: 'RegionOne', interface: 'internal' })).not.toBeNull();
    expect(findEndpoint(catalog, 'compute', { region: 'elsewhere' })).toBeNull();
    const two = [
      entry('compute', 'http://north.test', 'North'),
      entry('compute', 'http://south.test', 'South'),
    ];
    expect(findEndpoint(two, 'compute', { region: 'South' })).toBe('http://south.test/v2.1');
    expect(findEndpoint(two, 'compute', { interface: 'admin' })).toBeNull();
  });

  test('is found under an old name, and under the official one when both are listed', () => {
    const old = entry('volumev3', 'http://old.test');
    expect(findEndpoint([old], 'block-storage')).toBe('http://old.test/v3');
    expect(findEndpoint([old, entry('block-storage', 'http://new.test')], 'block-storage')).toBe(
      'http://new.test/v3',
    );
  });

  test('is null when the catalogue does not know the service', () => {
    expect(findEndpoint(catalog, 'key-manager')).toBeNull();
    expect(findEndpoint([], 'compute')).toBeNull();
  });
});

describe('the version of an endpoint', () => {
  test.for([
    ['http://cloud.test/compute', 'http://cloud.test/compute/v2.1'],
    ['http://cloud.test/compute/v2.1/', 'http://cloud.test/compute/v2.1'],
    [
      'http://cloud.test/v2.1/38699ffac2644cdda735fcd99592f8ac',
      'http://cloud.test/v2.1/38699ffac2644cdda735fcd99592f8ac',
    ],
    ['http://v2.cloud.test/', 'http://v2.cloud.test/v2.1'],
    ['http://cloud.test/v2beta', 'http://cloud.test/v2beta/v2.1'],
  ] as const)('of %s gives %s', ([url, versioned]) => {
    expect(withVersion(url, 'v2.1')).toBe(versioned);
  });
});

describe('a token that Keystone really issued', () => {
  test('is read with owner, project, roles and end', () => {
    expect(readToken('secret', new Answer('identity', recordedAnswers.token))).toMatchObject({
      id: 'secret',
      user: { id: '1ddce2ad2cbe49ed8faa90f775e87013', name: 'demo', domainId: 'default' },
      project: { id: '09b6894a2f8d4e639e72ed48ab5308a7', name: 'demo', domainId: 'default' },
      domainId: null,
      system: false,
      roles: ['load-balancer_member', 'member', 'reader'],
      expiresAt: Date.parse('2026-11-16T18:50:18Z'),
    });
  });

  test.for([{}, { token: {} }, { token: { user: { id: 'x' } } }, { token: null }, [], 'page', null])(
    'is not read from %j',
    (body) => {
      expect(() => readToken('secret', new Answer('identity', body))).toThrow(/something unexpected/);
    },
  );
});
