import { describe, expect, test } from 'vitest';
import { DriverRegistry } from '@jeroboam/domain';
import { PlainDriver } from './support/drivers.ts';
import { faultOf } from './support/faults.ts';

const ubuntu = { serverType: 'vm', os: 'ubuntu', coe: 'kubernetes' };
const flatcar = { serverType: 'vm', os: 'flatcar', coe: 'kubernetes' };
const metal = { serverType: 'bm', os: 'ubuntu', coe: 'kubernetes' };
const helm = new PlainDriver('k8s_capi_helm_v1', [ubuntu]);
const other = new PlainDriver('a_driver', [ubuntu, flatcar]);
const registry = new DriverRegistry([helm, other]);

describe('the driver of a new template', () => {
  test('is the one asked for, whatever image and configuration say', () => {
    const configured = new DriverRegistry([helm, other], { defaultDriver: 'a_driver' });
    expect(configured.nameForTemplate('k8s_capi_helm_v1', 'a_driver')).toBe('k8s_capi_helm_v1');
  });

  test('is else the image’s', () => {
    const configured = new DriverRegistry([helm, other], { defaultDriver: 'a_driver' });
    expect(configured.nameForTemplate(null, 'k8s_capi_helm_v1')).toBe('k8s_capi_helm_v1');
  });

  test('is else the configured one', () => {
    const configured = new DriverRegistry([other, helm], { defaultDriver: 'k8s_capi_helm_v1' });
    expect(configured.nameForTemplate(null, null)).toBe('k8s_capi_helm_v1');
  });

  test('is else the first by name', () => {
    expect(registry.nameForTemplate(null, null)).toBe('a_driver');
  });

  test.each(['nope', '', '__proto__', 'constructor'])(
    'is refused where there is none called "%s"',
    (name) => {
      const message = `Cluster driver (${name}) not supported.`;
      expect(faultOf(() => registry.nameForTemplate(name, null))).toMatchObject({
        message,
        status: 400,
        field: 'driver',
      });
      expect(faultOf(() => registry.nameForTemplate(null, name)).message).toBe(message);
      expect(faultOf(() => registry.named(name)).message).toBe(message);
    },
  );

  test('is refused, not guessed, where there are no drivers at all', () => {
    expect(faultOf(() => new DriverRegistry([]).nameForTemplate(null, null)).status).toBe(400);
  });
});

describe('the driver of a cluster', () => {
  test('is the one it names', () => {
    expect(registry.forCluster('a_driver', ubuntu)).toBe(other);
  });

  test('is one that makes its kind where it names none, or one that is gone', () => {
    expect(registry.forCluster(null, flatcar)).toBe(other);
    expect(registry.forCluster('removed', flatcar)).toBe(other);
    expect(registry.forCluster(null, ubuntu)).toBe(helm);
  });

  test('is refused where none makes its kind, with the kinds that are made', () => {
    const { message, status } = faultOf(() => registry.providing(metal));
    expect(status).toBe(400);
    expect(message).toBe(
      "Cluster type ('bm', 'ubuntu', 'kubernetes') is not supported by any loaded cluster driver. " +
        "Loaded drivers support: ('vm', 'ubuntu', 'kubernetes'), ('vm', 'ubuntu', 'kubernetes'), ('vm', 'flatcar', 'kubernetes').",
    );
  });

  test.each([metal, { ...ubuntu, coe: 'swarm' }, { ...ubuntu, os: 'debian' }])(
    'must fit in all three words: %j',
    (type) => {
      expect(faultOf(() => registry.providing(type)).kind).toBe('not_supported');
    },
  );
});

test('names are listed in order', () => {
  expect(registry.names).toStrictEqual(['a_driver', 'k8s_capi_helm_v1']);
});

test('a configured driver that does not exist stops the service at once, with the ones that do', () => {
  expect(() => new DriverRegistry([helm, other], { defaultDriver: 'nope' })).toThrow(
    'default driver "nope" is not one of: k8s_capi_helm_v1, a_driver',
  );
});

describe('a driver that answers to other names too', () => {
  const aliased = new DriverRegistry([other, helm], {
    defaultDriver: 'an_alias',
    aliases: { an_alias: 'a_driver', another: 'a_driver', k8s_capi_helm_v1: 'a_driver' },
  });

  test('serves templates and clusters that name it by any of them', () => {
    expect(aliased.named('an_alias')).toBe(other);
    expect(aliased.forCluster('another', ubuntu)).toBe(other);
  });

  test('keeps the name that was asked for, and is else called by its own', () => {
    expect(aliased.nameForTemplate('an_alias', null)).toBe('an_alias');
    expect(aliased.nameForTemplate(null, 'an_alias')).toBe('a_driver');
    expect(aliased.nameForTemplate(null, null)).toBe('a_driver');
  });

  test('is listed once', () => {
    expect(aliased.names).toStrictEqual(['a_driver', 'k8s_capi_helm_v1']);
  });

  test('never takes the name of one that is there itself', () => {
    expect(aliased.named('k8s_capi_helm_v1')).toBe(helm);
  });

  test('must be there', () => {
    expect(() => new DriverRegistry([helm], { aliases: { an_alias: 'a_driver' } })).toThrow('"a_driver"');
  });
});
