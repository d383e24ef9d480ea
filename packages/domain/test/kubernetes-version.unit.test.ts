import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameVersion, parseKubernetesVersion, skewRefusal } from '@jeroboam/domain';

describe('a version of Kubernetes', () => {
  test.each<[string, [number, number, number]]>([
    ['v1.31.4', [1, 31, 4]],
    ['1.31.4', [1, 31, 4]],
    ['v1.31.4-rc.1', [1, 31, 4]],
    ['v1.31.4+k3s1', [1, 31, 4]],
    ['v0.0.0', [0, 0, 0]],
  ])('is read from %s', (text, [major, minor, patch]) => {
    expect(parseKubernetesVersion(text)).toStrictEqual({ major, minor, patch });
  });

  test.each(['', 'v1', 'v1.31', 'latest', 'v1.31.x', 'v1.31.4.5', ' v1.31.4', 'V1.31.4', 'v1.3100.4'])(
    'is not read from %j',
    (text) => {
      expect(parseKubernetesVersion(text)).toBeNull();
    },
  );

  test('is the same with and without the v, and only then', () => {
    expect(isSameVersion('v1.31.4', '1.31.4')).toBe(true);
    expect(isSameVersion('v1.31.4', 'v1.31.4')).toBe(true);
    expect(isSameVersion('v1.31.4', 'v1.31.5')).toBe(false);
    expect(isSameVersion('v1.31.4', 'v1.31.4-rc.1')).toBe(false);
  });
});

describe('nodes may join a control plane', () => {
  test.each(['v1.31.4', 'v1.31.0', 'v1.30.9', 'v1.28.0', '1.29.3'])('of v1.31.4 with %s', (nodes) => {
    expect(skewRefusal('v1.31.4', nodes)).toBeNull();
  });

  test.each(['v1.31.5', 'v1.32.0', 'v2.0.0'])('of v1.31.4 not with the newer %s', (nodes) => {
    expect(skewRefusal('v1.31.4', nodes)).toBe(
      `nodes of ${nodes} are newer than the control plane of v1.31.4: upgrade the control plane first`,
    );
  });

  test.each(['v1.27.16', 'v1.0.0', 'v0.31.4'])('of v1.31.4 not with the much older %s', (nodes) => {
    expect(skewRefusal('v1.31.4', nodes)).toBe(
      `nodes of ${nodes} are more than 3 minor versions older than the control plane of v1.31.4`,
    );
  });

  test.each([
    ['latest', 'v1.31.4'],
    ['v1.31.4', 'latest'],
  ])('where nobody can tell: %s and %s', (controlPlane, nodes) => {
    expect(skewRefusal(controlPlane, nodes)).toBeNull();
  });

  test('of their own version, and never both ways unless the versions are the same', () => {
    const version = fc
      .tuple(fc.nat({ max: 2 }), fc.nat({ max: 40 }), fc.nat({ max: 20 }))
      .map((parts) => `v${parts.join('.')}`);
    fc.assert(
      fc.property(version, version, (one, other) => {
        expect(skewRefusal(one, one)).toBeNull();
        const both = skewRefusal(one, other) === null && skewRefusal(other, one) === null;
        expect(both).toBe(one === other);
      }),
    );
  });
});
