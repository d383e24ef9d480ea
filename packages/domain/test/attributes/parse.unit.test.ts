import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  certificateAttributes,
  clusterAttributes,
  clusterTemplateAttributes,
  federationAttributes,
  invalidField,
  nodeGroupAttributes,
  parseAttribute,
  parseBody,
  quotaAttributes,
  resizeAttributes,
  upgradeAttributes,
  type AttributeTable,
} from '@jeroboam/domain';
import { anyJson, anyText, nested } from '../support/arbitraries.ts';
import { faultOf, holds, outcomeOf } from '../support/faults.ts';

const tables: AttributeTable[] = [
  clusterTemplateAttributes,
  clusterAttributes,
  nodeGroupAttributes,
  resizeAttributes,
  upgradeAttributes,
  quotaAttributes,
  certificateAttributes,
  federationAttributes,
];

/** What each table cannot do without. */
const necessary: Record<string, Record<string, unknown>> = {
  cluster_template: { image_id: 'ubuntu' },
  cluster: { cluster_template_id: 'small' },
  cluster_resize_req: { node_count: 1 },
};
const minimal = (table: AttributeTable) => necessary[table.argument] ?? {};

describe('Magnum’s own refusals, word for word', () => {
  const template = { name: 'ct-inv', image_id: 'ubuntu-kube-v1.31' };
  const cluster = { name: 'c-inv', cluster_template_id: 'small' };
  const recorded: [table: AttributeTable, body: Record<string, unknown>, message: string][] = [
    [
      clusterTemplateAttributes,
      { name: 'ct-inv' },
      "Invalid input for field/attribute image_id. Value: 'None'. Mandatory field missing.",
    ],
    [
      clusterAttributes,
      { name: 'c-inv' },
      "Invalid input for field/attribute cluster_template_id. Value: 'None'. Mandatory field missing.",
    ],
    [
      resizeAttributes,
      {},
      "Invalid input for field/attribute node_count. Value: 'None'. Mandatory field missing.",
    ],
    [
      clusterTemplateAttributes,
      { image_id: '' },
      "Invalid input for field/attribute image_id. Value: ''. Value should have a minimum character requirement of 1",
    ],
    [
      clusterTemplateAttributes,
      { ...template, coe: 'swarm' },
      "Invalid input for field/attribute coe. Value: 'swarm'. Value should be one of: kubernetes",
    ],
    [
      clusterTemplateAttributes,
      { ...template, server_type: 'nope' },
      "Invalid input for field/attribute server_type. Value: 'nope'. Value should be one of: vm, bm",
    ],
    [
      clusterTemplateAttributes,
      { ...template, tags: ['a'] },
      "Invalid input for field/attribute tags. Value: '['a']'. Value should be string",
    ],
    [
      clusterTemplateAttributes,
      { ...template, apiserver_port: 1.5 },
      "Invalid input for field/attribute apiserver_port. Value: '1'. Value should be greater or equal to 1024",
    ],
    [
      clusterTemplateAttributes,
      { ...template, apiserver_port: 65536 },
      "Invalid input for field/attribute apiserver_port. Value: '65536'. Value should be lower or equal to 65535",
    ],
    [
      clusterTemplateAttributes,
      { ...template, apiserver_port: 'x' },
      "Invalid input for field/attribute apiserver_port. Value: 'x'. invalid literal for int() with base 10: 'x'",
    ],
    [
      clusterTemplateAttributes,
      { ...template, labels: 'a=b' },
      "Invalid input for field/attribute labels. Value: 'a=b'. Value not a valid dict: a=b",
    ],
    [
      clusterTemplateAttributes,
      { ...template, labels: [] },
      "Invalid input for field/attribute labels. Value: '[]'. Value not a valid dict: []",
    ],
    [
      clusterTemplateAttributes,
      { ...template, labels: { a: {} } },
      "Invalid input for field/attribute labels. Value: '{'a': {}}'. Wrong type. Expected '(<class 'str'>, <class 'int'>, <class 'bool'>, <class 'float'>)', got '<class 'dict'>'",
    ],
    [
      clusterTemplateAttributes,
      { ...template, created_at: 'x' },
      "Invalid input for field/attribute created_at. Value: 'x'. Cannot set read only field.",
    ],
    [
      clusterTemplateAttributes,
      { ...template, created_at: '2020-01-01T00:00:00' },
      "Invalid input for field/attribute created_at. Value: '2020-01-01 00:00:00'. Cannot set read only field.",
    ],
    [
      clusterTemplateAttributes,
      { ...template, project_id: 'abc' },
      "Invalid input for field/attribute project_id. Value: 'abc'. Cannot set read only field.",
    ],
    [
      clusterTemplateAttributes,
      { ...template, links: [] },
      "Invalid input for field/attribute links. Value: '[]'. Cannot set read only field.",
    ],
    [clusterTemplateAttributes, { ...template, uuid: 'x' }, 'Expected a uuid but received x.'],
    [
      clusterTemplateAttributes,
      { ...template, id: 1 },
      'Unknown attribute for argument cluster_template: id',
    ],
    [
      clusterAttributes,
      { ...cluster, cluster_template_id: 1 },
      "Invalid input for field/attribute cluster_template_id. Value: '1'. Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
    [
      clusterAttributes,
      { ...cluster, name: '名' },
      "Invalid input for field/attribute name. Value: '名'. Value should match the pattern ^[a-zA-Z][a-zA-Z0-9_.-]*$",
    ],
    [
      clusterAttributes,
      { ...cluster, name: 1 },
      "Invalid input for field/attribute name. Value: '1'. Value should be string",
    ],
    [
      clusterAttributes,
      { ...cluster, node_count: -1 },
      "Invalid input for field/attribute node_count. Value: '-1'. Value should be greater or equal to 0",
    ],
    [
      clusterAttributes,
      { ...cluster, node_count: '2x' },
      "Invalid input for field/attribute node_count. Value: '2x'. invalid literal for int() with base 10: '2x'",
    ],
    [
      clusterAttributes,
      { ...cluster, stack_id: 'x' },
      "Invalid input for field/attribute stack_id. Value: 'x'. Cannot set read only field.",
    ],
    [clusterAttributes, { ...cluster, bogus: 1 }, 'Unknown attribute for argument cluster: bogus'],
    [nodeGroupAttributes, { name: 'ng-inv', cluster_id: 'x' }, 'Expected a uuid but received x.'],
    [
      nodeGroupAttributes,
      { name: 'ng-inv', node_taints: 'x' },
      "Invalid input for field/attribute node_taints. Value: 'x'. Value not a valid list: x",
    ],
    [
      nodeGroupAttributes,
      { name: 'ng-inv', node_labels: { a: 1 } },
      "Invalid input for field/attribute node_labels. Value: '{'a': 1}'. Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
    [
      resizeAttributes,
      { node_count: 1, nodes_to_remove: 'abc' },
      "Invalid input for field/attribute nodes_to_remove. Value: 'abc'. Value not a valid list: abc",
    ],
    [
      resizeAttributes,
      { node_count: 1, nodes_to_remove: [1] },
      "Invalid input for field/attribute nodes_to_remove. Value: '[1]'. Wrong type. Expected '<class 'str'>', got '<class 'int'>'",
    ],
    [
      upgradeAttributes,
      { cluster_template: 'a', max_batch_size: 0 },
      "Invalid input for field/attribute max_batch_size. Value: '0'. Value should be greater or equal to 1",
    ],
    [
      certificateAttributes,
      { csr: '' },
      "Invalid input for field/attribute csr. Value: ''. Value should have a minimum character requirement of 1",
    ],
    [certificateAttributes, { bay_uuid: 'x' }, 'Unknown attribute for argument certificate: bay_uuid'],
  ];

  test.each(recorded.map(([table, body, message]) => ({ table, body, message })))(
    '$table.argument: $message',
    ({ table, body, message }) => {
      const fault = faultOf(() => parseBody(table, body));
      expect(fault.message).toBe(message);
      expect(fault.status).toBe(400);
    },
  );

  test('the field at fault is known to programs too, not only to readers', () => {
    expect(faultOf(() => parseBody(clusterAttributes, { ...cluster, labels: 1 })).field).toBe('labels');
  });
});

describe('a body', () => {
  test('holds after parsing just what it carried, null where null was given', () => {
    const body = { name: null, image_id: 'ubuntu', docker_volume_size: '5', public: 'yes' };
    expect(parseBody(clusterTemplateAttributes, body)).toStrictEqual({
      name: null,
      image_id: 'ubuntu',
      docker_volume_size: 5,
      public: true,
    });
  });

  test('with null for a mandatory attribute is not refused here: what null means is the resource’s to say', () => {
    expect(parseBody(clusterTemplateAttributes, { image_id: null })).toStrictEqual({ image_id: null });
  });

  test.each(tables)('that is no object is refused by the name $argument', (table) => {
    for (const body of [null, undefined, [], 'x', 1, true]) {
      const { message, field } = faultOf(() => parseBody(table, body));
      expect(message).toMatch(/Value should be an object$/);
      expect(field).toBe(table.argument);
    }
  });

  test.each(tables)('of $argument may not carry what only the service sets, not even as null', (table) => {
    for (const { name, type } of table.attributes.filter(({ readOnly }) => readOnly === true)) {
      const { message, field } = faultOf(() => parseBody(table, { ...minimal(table), [name]: null }));
      expect(message).toBe(
        `Invalid input for field/attribute ${name}. Value: 'None'. Cannot set read only field.`,
      );
      expect([field, type.kind]).toStrictEqual([name, type.kind]);
    }
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'with the key %s is refused',
    (key) => {
      for (const table of tables) {
        const body = Object.fromEntries([...Object.entries(minimal(table)), [key, { polluted: true }]]);
        const { message } = faultOf(() => parseBody(table, body));
        expect(message).toBe(`Unknown attribute for argument ${table.argument}: ${key}`);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  test('with several mistakes is refused for the first in the order of its table', () => {
    const body = { tags: 1, image_id: 1, name: 1 };
    expect(faultOf(() => parseBody(clusterTemplateAttributes, body)).field).toBe('name');
  });

  test('with very many unknown attributes gets an answer of bounded length', () => {
    const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`unknown_${index}`, 1]));
    expect(faultOf(() => parseBody(clusterAttributes, body)).message.length).toBeLessThan(1200);
  });

  test('nested without end is refused, not followed until the stack ends', () => {
    const deep = nested(100_000);
    for (const table of tables) {
      for (const { name } of table.attributes) {
        expect(faultOf(() => parseBody(table, { ...minimal(table), [name]: deep })).status).toBe(400);
      }
      expect(faultOf(() => parseBody(table, deep)).status).toBe(400);
    }
  });
});

describe('whatever the body', () => {
  const tableAndBody = fc.constantFrom(...tables).chain((table) => {
    const known = fc.constantFrom(...table.attributes.map(({ name }) => name));
    const entries = fc.array(fc.tuple(fc.oneof({ weight: 9, arbitrary: known }, anyText), anyJson), {
      maxLength: 6,
    });
    const body = fc
      .tuple(entries, fc.boolean())
      .map(([own, complete]) =>
        Object.fromEntries([...Object.entries(complete ? minimal(table) : {}), ...own]),
      );
    return fc.tuple(fc.constant(table), fc.oneof({ weight: 9, arbitrary: body }, anyJson));
  });

  test('the outcome is an object of known attributes or a refusal with status 400', () => {
    fc.assert(
      fc.property(tableAndBody, ([table, body]) => {
        const names = new Set(table.attributes.map(({ name }) => name));
        const known = (parsed: object) => Object.keys(parsed).every((name) => names.has(name));
        expect(holds(() => parseBody(table, body), known)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('the body itself is never changed', () => {
    fc.assert(
      fc.property(tableAndBody, ([table, body]) => {
        const before = JSON.stringify(body);
        outcomeOf(() => parseBody(table, body));
        expect(JSON.stringify(body)).toBe(before);
      }),
    );
  });

  test('no other object ever changes with it', () => {
    const members = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(tableAndBody, ([table, body]) => {
        outcomeOf(() => parseBody(table, body));
        expect(Object.getOwnPropertyNames(Object.prototype)).toStrictEqual(members);
      }),
    );
  });

  test('an unknown attribute is always refused, whatever else is in it', () => {
    fc.assert(
      fc.property(tableAndBody, anyText, anyJson, ([table, body], name, value) => {
        fc.pre(!table.attributes.some((attribute) => attribute.name === name));
        fc.pre(typeof body === 'object' && body !== null && !Array.isArray(body));
        const more = Object.fromEntries([...Object.entries(body), [name, value]]);
        expect(faultOf(() => parseBody(table, more)).message).toContain('Unknown attribute for argument');
      }),
    );
  });

  test('what was accepted is accepted again as it is', () => {
    fc.assert(
      fc.property(tableAndBody, ([table, body]) => {
        const outcome = outcomeOf(() => parseBody(table, body));
        fc.pre('value' in outcome);
        expect(JSON.stringify(parseBody(table, outcome.value))).toBe(JSON.stringify(outcome.value));
      }),
    );
  });
});

describe('one attribute', () => {
  test('that only the service sets is refused whatever is given', () => {
    const attribute = { name: 'links', type: { kind: 'links' }, readOnly: true, description: '' } as const;
    expect(faultOf(() => parseAttribute(attribute, [])).message).toMatch(/Cannot set read only field\.$/);
    expect(faultOf(() => parseAttribute(attribute, 'x')).field).toBe('links');
  });

  test('is refused with field, value and reason in one sentence', () => {
    expect(invalidField('limit', ['1', '2'], 'Once is enough')).toMatchObject({
      message: "Invalid input for field/attribute limit. Value: '['1', '2']'. Once is enough",
      field: 'limit',
      status: 400,
    });
  });
});
