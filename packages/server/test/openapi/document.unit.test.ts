import {
  certificateAttributes,
  clusterAttributes,
  clusterTemplateAttributes,
  faultKinds,
  federationAttributes,
  nodeGroupAttributes,
  nodeGroupTemplateAttributes,
  parseMicroversion,
  quotaAttributes,
  resizeAttributes,
  upgradeAttributes,
} from '@jeroboam/domain';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../src/openapi/document.ts';
import { versionHeader } from '../../src/openapi/parameters.ts';
import { publicOperations } from '../../src/openapi/public-operations.ts';
import type { Response } from '../../src/openapi/types.ts';
import { DEFAULT_RULES } from '../../src/policy/index.ts';
import { extensionType } from '../../src/rest/extension.ts';
import { operations } from '../../src/rest/operations.ts';
import { document, placed, resolve } from './support/document.ts';

const template = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');
const { schemas, responses } = document.components;

describe('the API document', () => {
  it('has every operation of the service, the public ones, and nothing else', () => {
    const known = operations.map(({ method, path }) => `${method} ${template(path)}`);
    const open = ['/', '/v1', '/healthcheck', '/v1/openapi.json', '/v1/docs'].map((path) => `GET ${path}`);
    const told = placed.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(told.toSorted()).toEqual([...known, ...open].toSorted());
  });

  it('asks for a token everywhere but on the public paths', () => {
    expect(document.security).toEqual([{ token: [] }]);
    expect(document.components.securitySchemes['token']).toMatchObject({
      in: 'header',
      name: 'X-Auth-Token',
    });
    const withoutToken = placed.filter(({ operation }) => operation.security?.length === 0);
    expect(withoutToken.map(({ path }) => path)).toEqual(Object.keys(publicOperations));
  });

  it('names for each operation the policy rule and microversion that guard it', () => {
    const rules = new Set(DEFAULT_RULES.map(({ name }) => name));
    for (const { method, path, rule, since } of operations) {
      const told = document.paths[template(path)]?.[method.toLowerCase()];
      expect(told?.['x-policy-rule']).toBe(rule);
      expect(told?.['x-min-microversion']).toBe(`1.${since?.minor ?? 1}`);
      expect(told?.description).toContain(rule);
      expect(rules).toContain(rule);
    }
  });

  it('gives every operation an id of its own and a tag that is described', () => {
    const ids = placed.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
    const used = new Set(placed.flatMap(({ operation }) => operation.tags));
    expect([...used].toSorted()).toEqual(document.tags.map(({ name }) => name).toSorted());
  });

  it('keeps the ids that clients were generated with', () => {
    const idOf = (method: string, path: string): string | undefined =>
      document.paths[path]?.[method]?.operationId;
    expect(idOf('get', '/v1/clusters')).toBe('listClusters');
    expect(idOf('get', '/v1/clusters/detail')).toBe('listClustersDetail');
    expect(idOf('post', '/v1/clusters/{cluster}/actions/resize')).toBe('resizeCluster');
    expect(idOf('patch', '/v1/clusters/{cluster}/nodegroups/{nodegroup}')).toBe('updateNodeGroup');
    expect(idOf('patch', '/v1/certificates/{cluster}')).toBe('rotateCaCertificate');
    const within = '/v1/clustertemplates/{template}/nodegrouptemplates';
    expect(idOf('get', within)).toBe('listNodeGroupTemplatesInClusterTemplate');
    expect(idOf('post', within)).toBe('createNodeGroupTemplateInClusterTemplate');
  });

  it('declares every parameter that a path has', () => {
    for (const { path, operation } of placed) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).flatMap((parameter) =>
        'name' in parameter && parameter.in === 'path' ? [parameter.name] : [],
      );
      expect(declared).toEqual(inPath);
    }
  });

  it('tells every query argument with its first microversion', () => {
    for (const { method, path, query = [] } of operations) {
      const told = document.paths[template(path)]?.[method.toLowerCase()]?.parameters ?? [];
      for (const { name, description, since } of query) {
        expect(told).toContainEqual(
          expect.objectContaining({
            name,
            in: 'query',
            description,
            ...(since === undefined ? {} : { 'x-min-microversion': `1.${since}` }),
          }),
        );
      }
    }
  });

  it('has no reference that leads nowhere', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  it('answers with a body exactly where the service does', () => {
    for (const { method, path, answers, extended } of operations) {
      const told = document.paths[template(path)]?.[method.toLowerCase()]?.responses[answers.status];
      const { description = '', content = {} } = (told ?? {}) as Partial<Response>;
      expect(description.startsWith(answers.description)).toBe(true);
      const whole = extended?.includes('answer') === true ? [extensionType] : [];
      const types = answers.schema.kind === 'nothing' ? [] : ['application/json', ...whole];
      expect(Object.keys(content)).toEqual(types);
    }
  });

  it('tells every kind of refusal there is', () => {
    const told = Object.values(responses).flatMap((response) =>
      response['x-faults'].map(({ kind, meaning }) => [kind, { status: response['x-status'], meaning }]),
    );
    expect(Object.fromEntries(told)).toEqual(faultKinds);
  });

  it('differs between addresses in `servers` alone', () => {
    const { servers, ...rest } = apiDocument('https://k8s.example.org');
    const { servers: others, ...same } = document;
    expect(servers).toEqual([{ url: 'https://k8s.example.org' }]);
    expect(others).not.toEqual(servers);
    expect(rest).toEqual(same);
  });
});

describe('the schemas of the document', () => {
  const answered = [
    clusterAttributes,
    clusterTemplateAttributes,
    nodeGroupAttributes,
    nodeGroupTemplateAttributes,
    quotaAttributes,
    certificateAttributes,
    federationAttributes,
  ];
  const sent = [
    ...answered.map((table) => ({ name: `${table.title}Request`, table })),
    { name: 'QuotaChange', table: quotaAttributes },
    { name: 'ClusterResize', table: resizeAttributes },
    { name: 'ClusterUpgrade', table: upgradeAttributes },
  ];

  it.each(answered)(
    'show every attribute that Magnum has of a $title, with its description',
    ({ title, attributes }) => {
      const { properties = {} } = schemas[title] ?? {};
      const shown = attributes.filter(({ extension, input }) => extension !== true && input !== true);
      expect(Object.keys(properties)).toEqual(shown.map(({ name }) => name));
      for (const { name, description, readOnly } of shown) {
        expect(properties[name]?.description).toBe(description);
        expect(properties[name]?.readOnly ?? false).toBe(readOnly ?? false);
      }
    },
  );

  it.each(sent)('take in a $name what a client may set, and nothing else', ({ name, table }) => {
    const { properties = {}, required = [], additionalProperties } = schemas[name] ?? {};
    const settable = table.attributes.filter(({ readOnly }) => readOnly !== true);
    expect(Object.keys(properties)).toEqual(settable.map((attribute) => attribute.name));
    expect(additionalProperties).toBe(false);
    const mandatory = settable.filter((attribute) => attribute.mandatory).map((attribute) => attribute.name);
    const mayComeFromSource = settable.some(({ input }) => input === true);
    expect(mandatory.filter((missing) => !mayComeFromSource && !required.includes(missing))).toEqual([]);
    expect(required.filter(() => mayComeFromSource)).toEqual([]);
    for (const attribute of settable) {
      const told = properties[attribute.name];
      const whenRequired =
        attribute.mandatory && mayComeFromSource ? ' Required in a request that uses no extension.' : '';
      expect(`${told?.description} `.startsWith(`${attribute.description}${whenRequired} `)).toBe(true);
      expect(told?.default).toBe(required.includes(attribute.name) ? undefined : attribute.default);
    }
  });
});

describe('the version header of the document', () => {
  const pattern = new RegExp(versionHeader.schema.pattern ?? '', 'u');

  it('lets through what the service takes for a version, and nothing else', () => {
    const service = fc.constantFrom(
      'container-infra',
      'container-infrastructure',
      'container-infrastructure-management',
      'compute',
    );
    const version = fc
      .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 20 }))
      .map((parts) => parts.join('.'));
    fc.assert(
      fc.property(service, version, (word, number) => {
        const header = `${word} ${number}`;
        expect(pattern.test(header)).toBe(parseMicroversion(header).ok);
      }),
    );
    expect(pattern.test('container-infra latest')).toBe(true);
  });

  it('gives examples that the service takes', () => {
    for (const example of [versionHeader.example, ...(versionHeader.schema.examples ?? [])]) {
      expect(parseMicroversion(String(example)).ok).toBe(true);
    }
  });
});
