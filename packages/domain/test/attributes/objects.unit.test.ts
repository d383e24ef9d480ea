import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clusterAttributes,
  clusterTemplateAttributes,
  nodeGroupAttributes,
  parseAttribute,
  parseBody,
  type Attribute,
  type AttributeType,
} from '@jeroboam/domain';
import { anyJson } from '../support/arbitraries.ts';
import { faultOf, holds } from '../support/faults.ts';

const volume: AttributeType = {
  kind: 'object',
  members: [
    { name: 'size', type: { kind: 'integer', min: 1 }, mandatory: true, description: 'Gigabytes.' },
    { name: 'type', type: { kind: 'string', max: 5 }, description: 'A type.' },
  ],
};
const volumes: AttributeType = { kind: 'list', of: volume, max: 2 };
const keeping: AttributeType = { ...volume, keepsNull: true };
const parse = (type: AttributeType, value: unknown) =>
  parseAttribute({ name: 'field', type, description: 'An attribute.' }, value);
const reasonOf = (type: AttributeType, value: unknown) => {
  const { field, status, message } = faultOf(() => parse(type, value));
  expect([field, status]).toStrictEqual(['field', 400]);
  return message.replace(/^Invalid input for field\/attribute field\. Value: '.*?'\. /s, '');
};

describe('an object with named members', () => {
  test('comes out with its members in the order of the table, each converted', () => {
    const value = parse(volume, { type: 'ssd', size: '40' });
    expect(JSON.stringify(value)).toBe('{"size":40,"type":"ssd"}');
  });

  test('loses members that are null, or keeps them where null has a meaning', () => {
    expect(parse(volume, { size: 1, type: null })).toStrictEqual({ size: 1 });
    expect(parse(keeping, { size: 1, type: null })).toStrictEqual({ size: 1, type: null });
    expect(parse(keeping, { size: 1 })).toStrictEqual({ size: 1 });
  });

  test.each<[string, AttributeType, unknown, string]>([
    ['what is no object', volume, 'ssd', 'Value should be an object with size, type'],
    ['a list', volume, [], 'Value should be an object with size, type'],
    ['an unknown member', volume, { size: 1, colour: 'red' }, "It has no member 'colour'"],
    ['a member of every object', volume, { size: 1, toString: 'x' }, "It has no member 'toString'"],
    ['a prototype', volume, JSON.parse('{"size": 1, "__proto__": {}}'), "It has no member '__proto__'"],
    ['a missing member', volume, { type: 'ssd' }, "The member 'size' is missing"],
    ['a missing member that is null', volume, { size: null }, "The member 'size' is missing"],
    ['the same where null is kept', keeping, { size: null }, "The member 'size' is missing"],
    ['a member out of bounds', volume, { size: 0 }, 'size: Value should be greater or equal to 1'],
    ['a member of the wrong kind', volume, { size: 1, type: 5 }, 'type: Value should be string'],
    [
      'an element out of bounds',
      volumes,
      [{ size: 1 }, { size: 0 }],
      'size: Value should be greater or equal to 1',
    ],
    ['an element that is null', volumes, [null], 'An element should not be null'],
    [
      'too many elements',
      volumes,
      [{ size: 1 }, { size: 1 }, { size: 1 }],
      'Value should have no more than 2 elements',
    ],
  ])('is refused for %s', (_what, type, value, reason) => {
    expect(reasonOf(type, value)).toBe(reason);
  });

  test('names the member at fault, however deep it lies', () => {
    const nodegroups = clusterAttributes.attributes.find(({ name }) => name === 'nodegroups') as Attribute;
    const value = [{ name: 'gpu', data_volumes: [{ name: 'Scratch!', size: 1 }] }];
    const { field, message } = faultOf(() => parseAttribute(nodegroups, value));
    expect(field).toBe('nodegroups');
    expect(message).toMatch(/ data_volumes: name: Value should match the pattern /);
  });

  test('is accepted or refused with 400, whatever it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(volume, volumes, keeping), anyJson, (type, value) => {
        expect(holds(() => parse(type, value))).toBe(true);
      }),
    );
  });
});

describe('the groups of a request', () => {
  const read = (items: unknown) =>
    (parseBody(clusterAttributes, { nodegroups: items }, { mandatory: false })['nodegroups'] as unknown[])[0];

  test('keep null, which opens what a source says', () => {
    const item = { name: 'gpu', image_id: null, labels: null, root_volume: null };
    expect(read([item])).toStrictEqual(item);
  });

  test('know every attribute that makes up a group, and what it is made from', () => {
    expect(read([{ name: 'gpu', nodegroup_template_id: 't', node_count: '2' }])).toStrictEqual({
      name: 'gpu',
      nodegroup_template_id: 't',
      node_count: 2,
    });
    expect(() => read([{ name: 'gpu', status: 'x' }])).toThrow("It has no member 'status'");
  });

  test('are a hundred at most', () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `g${index}` }));
    expect(() => read(many)).toThrow('Value should have no more than 100 elements');
    expect(read(many.slice(1))).toStrictEqual({ name: 'g1' });
  });
});

describe('what is mandatory for Magnum', () => {
  test.each([
    [clusterAttributes, 'cluster_template_id'],
    [clusterTemplateAttributes, 'image_id'],
  ])('may be left to a source where that is allowed: $argument', (table, name) => {
    expect(() => parseBody(table, {})).toThrow('Mandatory field missing.');
    expect(() => parseBody(table, {}, { mandatory: true })).toThrow(name);
    expect(parseBody(table, {}, { mandatory: false })).toStrictEqual({});
  });

  test('is still read where it is given, and nothing else is allowed by that', () => {
    const options = { mandatory: false };
    expect(parseBody(clusterTemplateAttributes, { image_id: null }, options)).toStrictEqual({
      image_id: null,
    });
    expect(() => parseBody(clusterTemplateAttributes, { image_id: '' }, options)).toThrow('image_id');
    expect(() => parseBody(nodeGroupAttributes, { nonsense: 1 }, options)).toThrow('Unknown attribute');
  });
});
