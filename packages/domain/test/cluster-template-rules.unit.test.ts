import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bootVolumeSize,
  checkCoe,
  checkNameservers,
  checkNetworkDriver,
  checkServerType,
  checkStorageDriver,
  checkVolumeDriver,
} from '@jeroboam/domain';
import { faultOf } from './support/faults.ts';

const policy = { allowed: ['flannel', 'calico'], default: 'flannel' };

describe('a template must be for Kubernetes', () => {
  test('and is accepted then', () => {
    expect(() => checkCoe('kubernetes')).not.toThrow();
  });

  test.each([
    [undefined, 'Unset'],
    [null, 'None'],
    ['swarm', 'swarm'],
  ])('%s is refused', (coe, shown) => {
    expect(faultOf(() => checkCoe(coe))).toMatchObject({
      message: `Requested COE type ${shown} is not supported.`,
      status: 400,
      field: 'coe',
    });
  });
});

describe('servers', () => {
  test.each([undefined, 'vm', 'bm'])('may be %s', (type) => {
    expect(() => checkServerType(type)).not.toThrow();
  });

  test.each<[unknown, string]>([
    [null, 'None'],
    ['lxc', 'lxc'],
    [['vm'], "['vm']"],
  ])('may not be %j', (type, shown) => {
    expect(faultOf(() => checkServerType(type))).toMatchObject({
      message: `Server type ${shown} is not supported, expecting a vm/bm/unspecified server type.`,
      status: 400,
      field: 'server_type',
    });
  });
});

describe('the container network', () => {
  test.each(['flannel', 'calico'])('may be %s where the operator allows it', (driver) => {
    expect(() => checkNetworkDriver(driver, policy)).not.toThrow();
  });

  test.each(['flannel', 'calico', 'cilium'])('may be %s where the operator allows all', (driver) => {
    expect(() => checkNetworkDriver(driver, { ...policy, allowed: ['all'] })).not.toThrow();
  });

  test('is refused where nobody knows it, even where all are allowed', () => {
    const message =
      'Network driver type nope is not supported, expecting a flannel/calico/cilium/unspecified network driver.';
    expect(faultOf(() => checkNetworkDriver('nope', policy))).toMatchObject({
      message,
      field: 'network_driver',
    });
    expect(faultOf(() => checkNetworkDriver('nope', { ...policy, allowed: ['all'] })).message).toBe(message);
    expect(faultOf(() => checkNetworkDriver('all', policy)).status).toBe(400);
  });

  test('is refused where the operator does not allow it, with the blank Magnum puts at the end', () => {
    expect(faultOf(() => checkNetworkDriver('cilium', policy))).toMatchObject({
      message:
        'Network driver type cilium is not allowed, expecting a flannel/calico/unspecified network driver. ',
      status: 400,
      field: 'network_driver',
    });
  });
});

describe('volumes for containers', () => {
  test.each([null, 'cinder'])('may come from %s', (driver) => {
    expect(() => checkVolumeDriver(driver)).not.toThrow();
  });

  test.each(['nope', 'rexray', ''])('may not come from "%s"', (driver) => {
    expect(faultOf(() => checkVolumeDriver(driver))).toMatchObject({
      message: `Volume driver type ${driver} is not supported, expecting a cinder/unspecified volume driver.`,
      status: 400,
      field: 'volume_driver',
    });
  });
});

describe('devicemapper', () => {
  test.each([null, 0, 1, 2])('is refused with a volume of %s GB', (size) => {
    const shown = size === null ? 'None' : size;
    expect(faultOf(() => checkStorageDriver('devicemapper', size))).toMatchObject({
      message: `docker volume size ${shown} GB is not valid, expecting minimum value 3GB for devicemapper storage driver.`,
      status: 400,
      field: 'docker_volume_size',
    });
  });

  test.each([3, 100])('is accepted with a volume of %i GB', (size) => {
    expect(() => checkStorageDriver('devicemapper', size)).not.toThrow();
  });

  test.each([null, 'overlay2'])('is the only one to ask for a volume: %s does not', (driver) => {
    expect(() => checkStorageDriver(driver, null)).not.toThrow();
  });
});

describe('name servers', () => {
  test.each([null, '8.8.8.8', '8.8.8.8,8.8.4.4', '8.8.8.8 ,8.8.4.4', '0.0.0.0', '255.255.255.255'])(
    'may be %s',
    (value) => {
      expect(() => checkNameservers(value)).not.toThrow();
    },
  );

  test.each([
    '',
    'nope',
    '8.8.8.8,bad',
    '8.8.8.8,',
    ',',
    '8.8.8',
    '8.8.8.8.8',
    '256.1.1.1',
    '1.1.1.-1',
    '::1',
    '8.8.8.8/24',
    '8.8.8.8:53',
    '8.8.8.8 8.8.4.4',
  ])('may not be "%s"', (value) => {
    expect(faultOf(() => checkNameservers(value))).toMatchObject({
      message: `Expected a single dns address or comma separated dns list, but received ${value}.`,
      status: 400,
      field: 'dns_nameserver',
    });
  });

  test('may be any IPv4 addresses', () => {
    fc.assert(
      fc.property(fc.array(fc.ipV4(), { minLength: 1 }), (addresses) => {
        expect(() => checkNameservers(addresses.join(','))).not.toThrow();
      }),
    );
  });

  test('of any length are shown by their beginning', () => {
    expect(faultOf(() => checkNameservers('x'.repeat(100_000))).message.length).toBeLessThan(1200);
  });
});

describe('the size of the boot volume', () => {
  test.each<Record<string, string> | null>([null, {}, { other: '5' }])(
    'is the operator’s where no label gives it: %j',
    (labels) => {
      expect(bootVolumeSize(labels, 7)).toBe(7);
    },
  );

  test.each([
    ['0', 0],
    ['20', 20],
    [' 20 ', 20],
    ['-1', -1],
  ])('is the label’s where it is the number "%s"', (text, size) => {
    expect(bootVolumeSize({ boot_volume_size: text }, 7)).toBe(size);
  });

  test.each(['x', '', '1.5', '0x10', '1e3', 'True'])('is refused where the label is "%s"', (text) => {
    expect(faultOf(() => bootVolumeSize({ boot_volume_size: text }, 7))).toMatchObject({
      message: 'boot_volume_size must be an integer',
      status: 400,
      field: 'labels',
    });
  });
});
