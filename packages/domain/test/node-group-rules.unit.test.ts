import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBounds, checkNodeLabels, checkNodeTaints, checkResize } from '@jeroboam/domain';
import { anyText } from './support/arbitraries.ts';
import { faultOf, outcomeOf } from './support/faults.ts';

const size = fc.integer({ min: 0, max: 20 });
const limit = fc.option(size, { nil: null });

describe('the bounds of a group', () => {
  const bounds = (nodeCount: number, minNodeCount: number, maxNodeCount: number | null) => () =>
    checkBounds('ng-i', { nodeCount, minNodeCount, maxNodeCount });

  test.each<[string, () => void]>([
    ['may hold just its nodes', bounds(2, 2, 2)],
    ['may have no upper limit', bounds(5, 0, null)],
    ['may have the upper limit 0, which is none', bounds(5, 1, 0)],
    ['may hold no nodes at all', bounds(0, 0, null)],
  ])('%s', (_case, check) => {
    expect(check).not.toThrow();
  });

  test.each<[string, () => void, string]>([
    [
      'more nodes at least than there are',
      bounds(1, 2, null),
      'min_node_count for ng-i is invalid (min_node_count (2) should be less or equal to node_count (1)).',
    ],
    [
      'fewer nodes at most than there are',
      bounds(5, 0, 2),
      'max_node_count for ng-i is invalid (node_count (5) should be less or equal to max_node_count (2)).',
    ],
    [
      'an upper limit below the lower, which is said first',
      bounds(3, 4, 2),
      'max_node_count for ng-i is invalid (min_node_count (4) should be less or equal to max_node_count (2)).',
    ],
  ])('are refused with %s', (_case, check, message) => {
    expect(faultOf(check)).toMatchObject({ message, status: 409 });
  });

  test('are accepted just where its nodes lie within them', () => {
    fc.assert(
      fc.property(size, size, limit, (count, min, max) => {
        const within = count >= min && (max === null || max === 0 || count <= max);
        expect('value' in outcomeOf(bounds(count, min, max))).toBe(within);
      }),
    );
  });

  test('that were accepted allow a resize to the present size', () => {
    fc.assert(
      fc.property(size, size, limit, (count, min, max) => {
        fc.pre('value' in outcomeOf(bounds(count, min, max)));
        expect(() => checkResize('ng-i', count, min, max)).not.toThrow();
      }),
    );
  });
});

describe('a resize', () => {
  test.each([1, 2, 3])('to %i is within 1 and 3', (wanted) => {
    expect(() => checkResize('default-worker', wanted, 1, 3)).not.toThrow();
  });

  test.each([0, 4])('to %i is outside of 1 and 3', (wanted) => {
    expect(faultOf(() => checkResize('default-worker', wanted, 1, 3))).toMatchObject({
      message: 'Resizing default-worker outside the allowed range: min_node_count = 1, max_node_count = 3',
      status: 400,
      field: 'node_count',
    });
  });

  test.each([null, 0])('has no upper limit where that is %s', (max) => {
    expect(() => checkResize('g', 1_000_000, 0, max)).not.toThrow();
  });

  test('below the lower limit is refused where there is no upper', () => {
    expect(faultOf(() => checkResize('g', 0, 1, null)).message).toBe(
      'Resizing g outside the allowed range: min_node_count = 1, max_node_count = None',
    );
  });
});

describe('labels of nodes', () => {
  const check =
    (labels: Record<string, string>, role = 'worker') =>
    () =>
      checkNodeLabels('ng-inv', role, labels);

  test.each([
    'beta.kubernetes.io/arch',
    'beta.kubernetes.io/instance-type',
    'beta.kubernetes.io/os',
    'failure-domain.beta.kubernetes.io/region',
    'failure-domain.beta.kubernetes.io/zone',
    'kubernetes.io/arch',
    'kubernetes.io/hostname',
    'kubernetes.io/os',
    'node.kubernetes.io/instance-type',
    'node.kubernetes.io/windows-build',
    'topology.kubernetes.io/region',
    'topology.kubernetes.io/zone',
  ])('may be %s, one of the twelve Kubernetes lets through', (key) => {
    expect(check({ [key]: 'x' })).not.toThrow();
  });

  test.each(['node.kubernetes.io/anything', 'kubelet.kubernetes.io/anything'])(
    'may be %s, of an allowed prefix',
    (key) => {
      expect(check({ [key]: 'x' })).not.toThrow();
    },
  );

  test.each([
    'tier',
    'kubernetes.io',
    'example.com/k8s.io',
    'mykubernetes.io/x',
    'xk8s.io/x',
    'kubernetes.io.example.com/x',
    '',
    '/',
    '__proto__',
  ])('may be "%s", which is of nobody’s namespace', (key) => {
    expect(check(Object.fromEntries([[key, 'x']]))).not.toThrow();
  });

  test.each([
    'kubernetes.io/foo',
    'k8s.io/foo',
    'foo.kubernetes.io/bar',
    'foo.k8s.io/bar',
    'node-role.kubernetes.io/master',
    'node-restriction.kubernetes.io/x',
    'x.node.kubernetes.io/y',
    'x.kubelet.kubernetes.io/y',
    'kubernetes.io/arch/x',
    'kubernetes.io/',
  ])('may not be %s', (key) => {
    expect(faultOf(check({ fine: 'x', [key]: 'x' }))).toMatchObject({
      message:
        `node_labels for ng-inv is invalid (node label '${key}' is in a restricted Kubernetes namespace; ` +
        'the kubelet will refuse to start. Labels in the kubernetes.io/ and k8s.io/ namespaces must use one of the ' +
        'allowed prefixes (kubelet.kubernetes.io, node.kubernetes.io) or be one of the allowed labels ' +
        '(beta.kubernetes.io/arch, beta.kubernetes.io/instance-type, beta.kubernetes.io/os, ' +
        'failure-domain.beta.kubernetes.io/region, failure-domain.beta.kubernetes.io/zone, kubernetes.io/arch, ' +
        'kubernetes.io/hostname, kubernetes.io/os, node.kubernetes.io/instance-type, ' +
        'node.kubernetes.io/windows-build, topology.kubernetes.io/region, topology.kubernetes.io/zone).).',
      status: 409,
      field: 'node_labels',
    });
  });

  test('are not for masters', () => {
    expect(check({}, 'master')).not.toThrow();
    expect(faultOf(check({ tier: 'x' }, 'master'))).toMatchObject({
      message: 'node_labels for ng-inv is invalid (node_labels are not supported for master nodegroups).',
      status: 409,
    });
  });

  test('in a namespace of Kubernetes are refused whatever follows', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,8}$/),
        anyText,
        fc.constantFrom('kubernetes.io', 'k8s.io'),
        (part, rest, domain) => {
          fc.pre(!['node', 'kubelet', 'topology', 'beta'].includes(part));
          expect(faultOf(check({ [`${part}.${domain}/${rest}`]: 'x' })).status).toBe(409);
        },
      ),
    );
  });
});

describe('taints of nodes', () => {
  const check = (taints: Record<string, string>[], role = 'worker') =>
    checkNodeTaints('ng-inv', role, taints);

  test.each(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])(
    'may have the effect %s, with a value or without',
    (effect) => {
      expect(
        check([
          { key: 'a', effect },
          { effect, value: 'v', key: 'b' },
        ]),
      ).toStrictEqual([
        { key: 'a', effect },
        { key: 'b', value: 'v', effect },
      ]);
    },
  );

  test('may be none', () => {
    expect(check([])).toStrictEqual([]);
  });

  test('keep an empty value', () => {
    expect(check([{ key: 'a', effect: 'NoExecute', value: '' }])).toStrictEqual([
      { key: 'a', effect: 'NoExecute', value: '' },
    ]);
  });

  const effects = 'effect must be one of NoSchedule, PreferNoSchedule, NoExecute';
  test.each<[string, Record<string, string>[], string]>([
    ['without an effect', [{ key: 'a' }], `node_taints[0].${effects}`],
    ['with an effect nobody knows', [{ key: 'a', effect: 'Bad' }], `node_taints[0].${effects}`],
    ['with an effect in small letters', [{ key: 'a', effect: 'noschedule' }], `node_taints[0].${effects}`],
    ['without a key', [{ effect: 'NoSchedule' }], 'node_taints[0].key is required'],
    ['with an empty key', [{ key: '', effect: 'NoSchedule' }], 'node_taints[0].key is required'],
    [
      'with a member nobody knows',
      [{ key: 'a', effect: 'NoSchedule', z: '1' }],
      "node_taints[0] has an unknown member 'z'",
    ],
    [
      'by its place in the list',
      [{ key: 'a', effect: 'NoSchedule' }, { key: 'b' }],
      `node_taints[1].${effects}`,
    ],
  ])('are refused %s', (_case, taints, explanation) => {
    expect(faultOf(() => check(taints))).toMatchObject({
      message: `node_taints for ng-inv is invalid (${explanation}).`,
      status: 409,
      field: 'node_taints',
    });
  });

  test.each(['__proto__', 'constructor'])('are refused with the member %s', (name) => {
    const taint = Object.fromEntries([
      ['key', 'a'],
      ['effect', 'NoSchedule'],
      [name, 'x'],
    ]);
    expect(faultOf(() => check([taint])).message).toContain(`unknown member '${name}'`);
  });

  test('are not for masters', () => {
    expect(check([], 'master')).toStrictEqual([]);
    expect(faultOf(() => check([{ key: 'a', effect: 'NoSchedule' }], 'master'))).toMatchObject({
      message: 'node_taints for ng-inv is invalid (node_taints are not supported for master nodegroups).',
      status: 409,
    });
  });
});
