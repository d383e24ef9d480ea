import {
  clusterAttributes,
  clusterSpec,
  clusterTemplateAttributes,
  nodeGroupAttributes,
  nodeGroupSpec,
  parseBody,
  parsePatch,
  patchRules,
  type Attribute,
  type AttributeTable,
} from '@jeroboam/domain';
import { describe, expect, it } from 'vitest';
import { extendedRequestExamples } from '../../src/openapi/examples/extended.ts';
import { docsPage } from '../../src/openapi/page.ts';
import type { Response, Schema } from '../../src/openapi/types.ts';
import { dryRunArgument, extensionType } from '../../src/rest/extension.ts';
import type { Operation } from '../../src/rest/operation.ts';
import { operations } from '../../src/rest/operations.ts';
import { document } from './support/document.ts';
import { problems } from './support/validator.ts';

const { schemas } = document.components;
const propertiesOf = (name: string): Readonly<Record<string, Schema>> => schemas[name]?.properties ?? {};
const isExtension = ({ extension }: Attribute): boolean => extension === true;
const composed: readonly AttributeTable[] = [
  clusterAttributes,
  nodeGroupAttributes,
  clusterTemplateAttributes,
];

const told = ({ method, path }: Operation) =>
  document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
const answerOf = (operation: Operation, status: number): Response =>
  told(operation)?.responses[status] as Response;

describe('what Magnum does not have', () => {
  it.each(composed)('is marked in requests for a $title, and nothing else is', ({ title, attributes }) => {
    const properties = propertiesOf(`${title}Request`);
    for (const attribute of attributes.filter(({ readOnly }) => readOnly !== true))
      expect(properties[attribute.name]?.['x-extension'] ?? false).toBe(isExtension(attribute));
  });

  it.each(composed)('is not in what plain clients are answered of a $title', ({ title, attributes }) => {
    for (const name of [title, `${title}Summary`]) {
      const shown = Object.keys(propertiesOf(name));
      expect(attributes.filter(isExtension).filter((attribute) => shown.includes(attribute.name))).toEqual(
        [],
      );
    }
  });

  it.each(composed)('is in the whole $title, except what is only read', ({ title, attributes }) => {
    const shown = attributes.filter(({ input }) => input !== true).map(({ name }) => name);
    expect(Object.keys(propertiesOf(`Whole${title}`))).toEqual(shown);
  });

  it('can be asked for with the media type wherever an operation shows it', () => {
    for (const operation of operations) {
      const { extended, answers } = operation;
      const answered = Object.keys(answerOf(operation, answers.status).content ?? {});
      expect(answered.includes(extensionType)).toBe(extended?.includes('answer') ?? false);
      const sent = Object.keys(told(operation)?.requestBody?.content ?? {});
      expect(sent.includes(extensionType)).toBe(extended?.includes('body') ?? false);
    }
  });

  it('can be changed with values of any kind', () => {
    const patches = operations.filter(
      ({ method, extended }) => method === 'PATCH' && extended?.includes('body'),
    );
    expect(patches.length).toBeGreaterThanOrEqual(3);
    for (const operation of patches)
      expect(told(operation)?.requestBody?.content[extensionType]?.schema.$ref).toMatch(/ExtendedPatch$/);
  });

  it('is marked among the query arguments', () => {
    for (const operation of operations) {
      for (const { name, extension } of operation.query ?? [])
        expect(told(operation)?.parameters).toContainEqual(
          expect.objectContaining({ name, ...(extension === true ? { 'x-extension': true } : {}) }),
        );
    }
  });
});

describe('what a later change of an attribute does', () => {
  const whole = [
    { title: 'Cluster', spec: clusterSpec },
    { title: 'NodeGroup', spec: nodeGroupSpec },
  ];

  it.each(whole)(
    'is said of everything that makes up a $title, and what to do instead',
    ({ title, spec }) => {
      for (const schema of [`${title}Request`, `Whole${title}`]) {
        for (const { name, mutability, instead } of spec) {
          const property = propertiesOf(schema)[name];
          expect(property?.['x-mutability']).toBe(mutability);
          expect(property?.['x-instead']).toBe(instead);
        }
      }
    },
  );

  it('is said of the groups within a request too', () => {
    const properties = propertiesOf('NodeGroupItem');
    for (const { name, mutability } of nodeGroupSpec)
      expect(properties[name]?.['x-mutability']).toBe(mutability);
    expect(propertiesOf('ClusterRequest')['nodegroups']?.items?.$ref).toMatch(/NodeGroupItem$/);
    expect(propertiesOf('ClusterTemplateRequest')['nodegroups']?.items?.$ref).toMatch(/NodeGroupItem$/);
  });

  it('stands on the docs page, and the default that a source may change', () => {
    const page = docsPage(document);
    for (const words of ['rolls nodes', 'never', 'free']) expect(page).toContain(`>${words}</span>`);
    expect(page).toContain('<code>source_cluster</code> <span class="extension">extension</span>');
    expect(page).toContain('<code>dry_run</code> <span class="extension">extension</span>');
    expect(page).toContain('<code>&quot;rolling&quot;</code> or as the source');
    expect(propertiesOf('NodeGroupRequest')['update_strategy']?.['x-default']).toBe('rolling');
  });
});

describe('a dry run', () => {
  const dry = operations.filter(({ query }) => query?.includes(dryRunArgument));

  it('can be asked of every creation and change of a composed resource that knows it', () => {
    expect(dry.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['cluster:create', 'nodegroup:create', 'clustertemplate:create']),
    );
  });

  it.each(dry)('of $rule is answered with 200 and a DryRun', (operation) => {
    const schema = answerOf(operation, 200).content?.['application/json']?.schema;
    const choices = [schema, ...(schema?.anyOf ?? [])].map((choice) => choice?.$ref);
    expect(choices).toContain('#/components/schemas/DryRun');
    expect(answerOf(operation, 200).description).toContain('Nothing was written.');
  });

  it('tells of every origin there is by name', () => {
    const ofGroups = {
      resource: { name: 'prod', nodegroups: [{ name: 'gpu' }] },
      origins: {
        name: { kind: 'request' },
        image_id: { kind: 'image', name: 'ubuntu' },
        nodegroups: { gpu: { role: { kind: 'default' } } },
      },
      refusals: [{ field: null, status: 409, message: 'No.' }],
    };
    expect(problems(schemas['DryRun'] ?? {}, ofGroups)).toEqual([]);
    const unknown = { ...ofGroups, origins: { name: { kind: 'rumour' } } };
    expect(problems(schemas['DryRun'] ?? {}, unknown)).not.toEqual([]);
  });
});

describe('the examples with extensions', () => {
  const extended = operations.filter(({ rule }) => extendedRequestExamples[rule] !== undefined);

  it('belong to operations that take the media type', () => {
    expect(extended.map(({ rule }) => rule).toSorted()).toEqual(
      Object.keys(extendedRequestExamples).toSorted(),
    );
    for (const operation of extended) expect(operation.extended).toContain('body');
  });

  it.each(extended)('of $rule is what the service accepts', ({ rule, body }) => {
    const example = extendedRequestExamples[rule];
    const parsed =
      body?.kind === 'object'
        ? parseBody(body.table, example, { mandatory: false })
        : parsePatch(example, patchRules({ json: true }));
    expect(parsed).toEqual(example);
  });
});
