import { describe, expect, it } from 'vitest';

import { compareBodies, compareHeaders } from './compare.ts';

const kinds = (recorded: unknown, answered: unknown, bindings = new Map<string, string>()): string[] =>
  compareBodies(recorded, answered, bindings).map(({ kind, path }) => `${kind} ${path}`);

describe('the comparison with recordings', () => {
  it('finds nothing between equal answers', () => {
    expect(kinds({ a: [1, { b: null }], c: 'x' }, { a: [1, { b: null }], c: 'x' })).toEqual([]);
  });

  it('finds keys that are missing or too many, other types and other values', () => {
    expect(kinds({ a: 1, b: 'x', c: 2, e: null }, { b: 1, c: 3, d: 4, e: '' })).toEqual([
      'missing body.a',
      'type body.b',
      'value body.c',
      'type body.e',
      'extra body.d',
    ]);
  });

  it('pairs the items of a list by name and misses those that are not there', () => {
    const recorded = [
      { name: 'b', n: 1 },
      { name: 'c', n: 1 },
    ];
    expect(kinds(recorded, [{ name: 'a' }, { name: 'b', n: 2 }])).toEqual([
      'value body[name=b].n',
      'missing body[name=c]',
      'extra body[name=a]',
    ]);
  });

  it('finds items that were not recorded, unless the recording was cut', () => {
    expect(kinds([{ name: 'a' }], [{ name: 'a' }, { name: 'b' }])).toEqual(['extra body[name=b]']);
    expect(kinds([], ['x'])).toEqual(['extra body[0]']);
    expect(kinds([{ name: 'a' }, '${more}'], [{ name: 'a' }, { name: 'b' }])).toEqual([]);
  });

  it('holds a placeholder to the first value it met', () => {
    const bindings = new Map([['known', 'k']]);
    expect(kinds({ id: '${id1}', self: '/${known}/${id1}' }, { id: 'z', self: '/k/z' }, bindings)).toEqual(
      [],
    );
    expect(kinds({ again: '${id1}' }, { again: 'y' }, bindings)).toEqual(['value body.again']);
  });

  it('compares how times are written, not which they are', () => {
    expect(kinds('2026-11-15T18:50:22Z', '2027-01-01T00:00:00Z')).toEqual([]);
    expect(kinds('2026-11-15T18:50:22Z', '2027-01-01T00:00:00.000000Z')).toEqual(['value body']);
  });

  it('wants every recorded header, and of content types only the media type', () => {
    const recorded = {
      vary: 'X-Auth-Token',
      'content-type': 'application/json; charset=UTF-8',
      'x-id': '${any}',
    };
    const answered = new Headers({ vary: 'X-Auth-Token', 'content-type': 'application/json', 'x-id': 'r' });
    expect(compareHeaders(recorded, answered, new Map())).toEqual([]);
    expect(compareHeaders(recorded, new Headers(), new Map())).toHaveLength(3);
  });
});
