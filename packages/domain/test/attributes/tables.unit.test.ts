import { describe, expect, test } from 'vitest';
import {
  certificateAttributes,
  clusterAttributes,
  clusterSpec,
  clusterTemplateAttributes,
  federationAttributes,
  mutabilities,
  nodeGroupAttributes,
  nodeGroupSpec,
  nodeGroupTemplateAttributes,
  parseAttribute,
  quotaAttributes,
  resizeAttributes,
  upgradeAttributes,
} from '@jeroboam/domain';

const tables = [
  clusterTemplateAttributes,
  clusterAttributes,
  nodeGroupAttributes,
  nodeGroupTemplateAttributes,
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
      const { example, default: value, fallback } = attribute;
      const shown = [example, value, fallback].filter((each) => each !== undefined);
      for (const each of shown) expect(() => parseAttribute(writable, each)).not.toThrow();
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

test('of a node-group template as of a cluster template', () => {
  expect(namesOf(nodeGroupTemplateAttributes, 'readOnly').toSorted()).toStrictEqual(
    namesOf(clusterTemplateAttributes, 'readOnly').toSorted(),
  );
});

describe.each([
  ['a cluster', clusterSpec],
  ['a node group', nodeGroupSpec],
])('what makes up %s', (_what, spec) => {
  test.each(spec)('has a type, a description and says what a change does: $name', (attribute) => {
    expect(attribute.type.kind).toMatch(/^[a-z]+$/);
    expect(attribute.description.length).toBeGreaterThan(5);
    expect(mutabilities).toContain(attribute.mutability);
    expect(attribute.readOnly ?? false).toBe(false);
    expect(attribute.input ?? false).toBe(false);
  });

  test('says what to do instead of changing what cannot be changed, and only there', () => {
    const saying = spec.filter(({ instead }) => instead !== undefined);
    expect(saying).toStrictEqual(spec.filter(({ mutability }) => mutability === 'immutable'));
    for (const { instead } of saying) expect(instead).toMatch(/^[A-Z].*\.$/);
  });

  test('has one value when nobody says any', () => {
    for (const attribute of spec)
      expect(attribute.fallback === undefined || attribute.default === undefined).toBe(true);
  });

  test('has defaults in the form in which values are kept', () => {
    for (const attribute of spec) {
      const value = attribute.fallback ?? attribute.default ?? null;
      expect(parseAttribute(attribute, value)).toStrictEqual(value);
    }
  });
});

describe('a template has every attribute of what is made from it, all of them to be left open', () => {
  const renamed: Record<string, string> = { keypair: 'keypair_id' };

  test.each([
    ['a cluster', clusterSpec, clusterTemplateAttributes],
    ['a node group', nodeGroupSpec, nodeGroupTemplateAttributes],
  ])('of %s', (_what, spec, table) => {
    for (const { name, type } of spec.filter((attribute) => attribute.name !== 'name')) {
      const own = table.attributes.find((attribute) => attribute.name === (renamed[name] ?? name));
      expect([name, own?.type]).toStrictEqual([name, type]);
      expect([name, own?.readOnly, own?.mutability, own?.fallback]).toStrictEqual([
        name,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });

  test('and a node-group template nothing that must be given', () => {
    expect(namesOf(nodeGroupTemplateAttributes, 'mandatory')).toStrictEqual([]);
  });
});

test('a group in a list of groups may say all that makes it up, and what it is made from', () => {
  const nodegroups = clusterAttributes.attributes.find(({ name }) => name === 'nodegroups');
  const type = nodegroups?.type;
  const of = type?.kind === 'list' ? type.of : undefined;
  const members = of?.kind === 'object' ? of.members.map(({ name }) => name) : [];
  expect(members.toSorted()).toStrictEqual(
    [
      ...nodeGroupSpec.map(({ name }) => name),
      'merge_labels',
      'nodegroup_template_id',
      'source_nodegroup',
    ].toSorted(),
  );
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
