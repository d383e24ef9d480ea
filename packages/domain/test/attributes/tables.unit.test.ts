import { describe, expect, test } from 'vitest';
import {
  certificateAttributes,
  clusterAttributes,
  clusterTemplateAttributes,
  federationAttributes,
  nodeGroupAttributes,
  parseAttribute,
  quotaAttributes,
  resizeAttributes,
  upgradeAttributes,
} from '@jeroboam/domain';

const tables = [
  clusterTemplateAttributes,
  clusterAttributes,
  nodeGroupAttributes,
  resizeAttributes,
  upgradeAttributes,
  quotaAttributes,
  certificateAttributes,
  federationAttributes,
];

const namesOf = (table: (typeof tables)[number], which: 'readOnly' | 'mandatory') =>
  table.attributes.filter((attribute) => attribute[which] === true).map(({ name }) => name);

describe('every table', () => {
  test.each(tables)('$argument names each attribute once', ({ attributes }) => {
    const names = attributes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(tables)('$argument describes each attribute in a sentence', ({ attributes }) => {
    for (const { description } of attributes) expect(description).toMatch(/^[A-Z].*[^ ]\.$/);
  });

  test.each(tables)('$argument shows examples and defaults that it would accept itself', ({ attributes }) => {
    for (const attribute of attributes) {
      const writable = { ...attribute, readOnly: false };
      const shown = [attribute.example, attribute.default].filter((value) => value !== undefined);
      for (const value of shown) expect(() => parseAttribute(writable, value)).not.toThrow();
    }
  });

  test.each(tables)('$argument never makes mandatory what only the service sets', (table) => {
    const readOnly = new Set(namesOf(table, 'readOnly'));
    expect(namesOf(table, 'mandatory').filter((name) => readOnly.has(name))).toStrictEqual([]);
  });

  test('goes by a name of its own', () => {
    expect(new Set(tables.map(({ argument }) => argument)).size).toBe(tables.length);
    expect(new Set(tables.map(({ title }) => title)).size).toBe(tables.length);
  });
});

describe('what Magnum’s clients may not set', () => {
  test('of a template', () => {
    expect(namesOf(clusterTemplateAttributes, 'readOnly').toSorted()).toStrictEqual([
      'created_at',
      'links',
      'project_id',
      'updated_at',
      'user_id',
    ]);
  });

  test('of a cluster', () => {
    expect(namesOf(clusterAttributes, 'readOnly').toSorted()).toStrictEqual([
      'api_address',
      'cluster_id',
      'coe_version',
      'container_version',
      'created_at',
      'links',
      'master_addresses',
      'node_addresses',
      'project_id',
      'stack_id',
      'updated_at',
      'user_id',
    ]);
  });

  test('of a node group', () => {
    expect(namesOf(nodeGroupAttributes, 'readOnly').toSorted()).toStrictEqual([
      'created_at',
      'links',
      'node_addresses',
      'project_id',
      'stack_id',
      'updated_at',
    ]);
  });
});

test('only the image of a template, the template of a cluster and the size of a resize must be given', () => {
  const mandatory = tables.flatMap((table) =>
    namesOf(table, 'mandatory').map((name) => `${table.argument}.${name}`),
  );
  expect(mandatory).toStrictEqual([
    'cluster_template.image_id',
    'cluster.cluster_template_id',
    'cluster_resize_req.node_count',
  ]);
});
