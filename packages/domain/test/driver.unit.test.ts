import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault, oddMasterSize, type DesiredCluster } from '@jeroboam/domain';
import { PlainDriver } from './support/drivers.ts';

describe('the size of a control plane', () => {
  test.each([1, 3, 5, 99])('may be %i', (size) => {
    expect(oddMasterSize(size)).toBeNull();
  });

  test.each([0, 2, 4, -2])('may not be %i, an even number', (size) => {
    expect(oddMasterSize(size)).toBe(
      `master nodegroup size of ${size} is invalid, size cannot be an even number.`,
    );
  });

  test.each([-1, -3])('may not be %i, less than one', (size) => {
    expect(oddMasterSize(size)).toBe(`master nodegroup size of ${size} is invalid, size must be at least 1.`);
  });

  test('is accepted just where it is odd and positive', () => {
    fc.assert(
      fc.property(fc.integer(), (size) => {
        expect(oddMasterSize(size) === null).toBe(size > 0 && Math.abs(size % 2) === 1);
      }),
    );
  });
});

describe('a driver that adds nothing', () => {
  const driver = new PlainDriver();
  const cluster = {} as DesiredCluster;

  test('claims no capability', () => {
    expect(Object.values(driver.capabilities)).toStrictEqual([false, false, false, false]);
  });

  test('makes control planes of odd size', () => {
    expect([1, 2, 3].map((size) => driver.validateMasterSize(size) === null)).toStrictEqual([
      true,
      false,
      true,
    ]);
  });

  test.each([1, 2, 3, 5])('refuses to resize a control plane to %i', (size) => {
    expect(driver.validateMasterResize(size)).toBe(
      'Resizing the master nodegroup is not supported by this driver.',
    );
  });

  test.each([
    [
      'certificate authorities',
      () => driver.rotateCaCertificates(cluster),
      "'rotate_ca_certificate' is not supported by this driver.",
    ],
    [
      'credentials',
      () => driver.rotateCredential(cluster),
      'Credential rotation is not supported by driver.',
    ],
  ])('refuses to rotate %s, as a promise that is rejected', async (_what, rotate, message) => {
    const refusal = rotate().catch((error: unknown) => error);
    const fault = await refusal;
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ message, kind: 'not_supported', status: 400 });
  });
});
