import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyPatch, parsePatch, patchRules } from '@jeroboam/domain';
import { anyJson, anyText, plainJson } from './support/arbitraries.ts';
import { faultOf, holds } from './support/faults.ts';
import { frozen } from './support/specs.ts';

const rules = patchRules({ internal: ['status'], notRemovable: ['image_id'], json: true });
const document = frozen({
  name: 'gpu',
  image_id: 'ubuntu',
  status: 'CREATE_COMPLETE',
  keypair: null,
  labels: { a: '1', b: '2' },
  node_labels: null,
  node_taints: [{ key: 'gpu', effect: 'NoSchedule' }],
});
const apply = (...body: unknown[]) => applyPatch(document, parsePatch(body, rules), rules);
const changed = (...body: unknown[]) => {
  const after = apply(...body);
  const names = new Set([...Object.keys(document), ...Object.keys(after)]);
  const before: Record<string, unknown> = document;
  return Object.fromEntries(
    [...names].filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]),
  );
};

describe('a patch beyond Magnum', () => {
  test('sets any JSON as it is', () => {
    fc.assert(
      fc.property(plainJson, (value) => {
        fc.pre(value !== null);
        expect(apply({ op: 'replace', path: '/labels', value })['labels']).toStrictEqual(value);
      }),
    );
  });

  test('sets the same by add and by replace', () => {
    for (const path of ['/name', '/keypair', '/labels/a', '/labels/new', '/node_labels/new', '/node_taints'])
      expect(apply({ op: 'add', path, value: ['x'] })).toStrictEqual(
        apply({ op: 'replace', path, value: ['x'] }),
      );
  });

  test('takes away by null as by remove, whatever the operation is called', () => {
    const removed = apply({ op: 'remove', path: '/labels' });
    expect(removed).not.toHaveProperty('labels');
    expect(apply({ op: 'replace', path: '/labels', value: null })).toStrictEqual(removed);
    expect(apply({ op: 'add', path: '/labels', value: null })).toStrictEqual(removed);
    expect(changed({ op: 'add', path: '/labels/a', value: null })).toStrictEqual({ labels: { b: '2' } });
  });

  test('brings back what it took away before', () => {
    expect(
      changed({ op: 'remove', path: '/name' }, { op: 'add', path: '/name', value: 'new' }),
    ).toStrictEqual({ name: 'new' });
    expect(
      changed({ op: 'remove', path: '/labels' }, { op: 'add', path: '/labels/c', value: '3' }),
    ).toStrictEqual({ labels: { c: '3' } });
  });

  test('takes away what is away already', () => {
    expect(changed({ op: 'remove', path: '/name' }, { op: 'remove', path: '/name' })).toStrictEqual({
      name: undefined,
    });
  });

  test('fills a map that is open key by key', () => {
    expect(
      changed(
        { op: 'add', path: '/node_labels/a', value: '1' },
        { op: 'replace', path: '/node_labels/b', value: '2' },
      ),
    ).toStrictEqual({ node_labels: { a: '1', b: '2' } });
  });

  test('changes several keys of a map, in order', () => {
    expect(
      changed(
        { op: 'replace', path: '/labels/a', value: '7' },
        { op: 'remove', path: '/labels/b' },
        { op: 'add', path: '/labels/__proto__', value: 'x' },
        { op: 'replace', path: '/labels/a', value: '8' },
      ),
    ).toStrictEqual({
      labels: Object.fromEntries([
        ['a', '8'],
        ['__proto__', 'x'],
      ]),
    });
  });

  test.each<[string, unknown[], RegExp]>([
    [
      'an attribute that nobody knows',
      [{ op: 'add', path: '/nonsense', value: 1 }],
      /can't add a non-existent object 'nonsense'/,
    ],
    [
      'a key that is not there',
      [{ op: 'remove', path: '/labels/z' }],
      /can't remove a non-existent object 'z'/,
    ],
    ['a key of an open map', [{ op: 'remove', path: '/node_labels/z' }], /member 'z' not found in None/],
    ['an element of a list', [{ op: 'replace', path: '/node_taints/0', value: {} }], /member '0' not found/],
    ['a key of a text', [{ op: 'add', path: '/name/a', value: 1 }], /member 'a' not found in gpu/],
    ['a key of a key', [{ op: 'add', path: '/labels/a/b', value: 1 }], /member 'a\/b' not found/],
    ['an internal attribute', [{ op: 'replace', path: '/status', value: 'x' }], /internal attribute/],
    ['taking away what must stay', [{ op: 'remove', path: '/image_id' }], /mandatory attribute/],
    ['the same by null', [{ op: 'replace', path: '/image_id', value: null }], /mandatory attribute/],
    ['no value', [{ op: 'replace', path: '/name' }], /needs value/],
  ])('refuses %s', (_what, body, message) => {
    const fault = faultOf(() => apply(...body));
    expect(fault.status).toBe(400);
    expect(fault.message).toMatch(message);
  });

  test('is applied or refused with 400, whatever it is, and leaves the document alone', () => {
    const operation = fc.record({
      op: fc.constantFrom('add', 'replace', 'remove'),
      path: fc.oneof(
        fc.constantFrom('/name', '/labels', '/labels/a', '/node_labels/x', '/labels/__proto__', '/__proto__'),
        anyText,
      ),
      value: anyJson,
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 4 }), (body) => {
        expect(
          holds(
            () => apply(...body),
            (after) => Object.getPrototypeOf(after) === Object.prototype,
          ),
        ).toBe(true);
      }),
    );
  });

  test('that sets something sets nothing more when it comes again', () => {
    const operation = fc.record({
      op: fc.constantFrom('add', 'replace'),
      path: fc.constantFrom('/name', '/labels', '/labels/a', '/node_labels/x', '/keypair'),
      value: fc.constantFrom('x', { a: 'y' }),
    });
    fc.assert(
      fc.property(operation, (one) => {
        const once = apply(one);
        expect(applyPatch(once, parsePatch([one], rules), rules)).toStrictEqual(once);
      }),
    );
  });
});
