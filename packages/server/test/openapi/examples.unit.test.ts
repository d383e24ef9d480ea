import { X509Certificate } from 'node:crypto';
import { applyPatch, changedAttributes, parseBody, parsePatch, patchRules } from '@jeroboam/domain';
import { describe, expect, it } from 'vitest';
import { exampleAuthority, exampleCsr, exampleSigned } from '../../src/openapi/examples/certificate.ts';
import { answerExamples } from '../../src/openapi/examples/answers.ts';
import { requestExamples } from '../../src/openapi/examples/requests.ts';
import { readSigningRequest } from '../../src/certificates/signing-request.ts';
import { operations } from '../../src/rest/operations.ts';
import { describedBodies, document } from './support/document.ts';
import { problems, validatorOf } from './support/validator.ts';

const withBody = operations.filter(({ body }) => body !== undefined && body.kind !== 'ignored');

describe('the examples of requests', () => {
  it.each(withBody)('of $rule is what the service accepts', ({ rule, body }) => {
    const example = requestExamples[rule];
    expect(example).toBeDefined();
    const parsed =
      body?.kind === 'object' ? parseBody(body.table, example) : parsePatch(example, patchRules({}));
    expect(parsed).toEqual(example);
  });

  it.each(['clustertemplate', 'nodegroup', 'nodegrouptemplate'])(
    'of a change of a %s can be applied to the example of one',
    (resource) => {
      const operation = operations.find(({ rule }) => rule === `${resource}:update`);
      const before = answerExamples[`${resource}:get`] as Record<string, unknown>;
      const after = answerExamples[`${resource}:update`] as Record<string, unknown>;
      const rules = patchRules({ literals: ['node_labels', 'node_taints'] });
      const patch = parsePatch(requestExamples[`${resource}:update`], rules);
      const table = operation?.body?.kind === 'patch' ? operation.body.table : null;
      const changed =
        table === null ? {} : changedAttributes(table, before, applyPatch(before, patch, rules));
      expect(Object.keys(changed)).not.toHaveLength(0);
      for (const [name, value] of Object.entries(changed)) expect(after[name]).toEqual(value ?? null);
    },
  );

  it('belong to operations that take a body', () => {
    expect(Object.keys(requestExamples).toSorted()).toEqual(withBody.map(({ rule }) => rule).toSorted());
  });

  it('show a signing request that the signer can read, and certificates that belong to it', async () => {
    const request = await readSigningRequest(`${exampleCsr}\n`);
    const authority = new X509Certificate(exampleAuthority);
    const signed = new X509Certificate(exampleSigned);
    expect(signed.verify(authority.publicKey)).toBe(true);
    expect(signed.subject).toContain('CN=admin');
    expect(request.subject).toBeDefined();
  });
});

describe('the examples of answers', () => {
  it('stand at every answer that has a body', () => {
    const without = describedBodies().filter(({ media }) => media.example === undefined);
    expect(without.map(({ where }) => where)).toEqual([]);
  });

  it('show only attributes that their schemas tell of', () => {
    for (const { rule, answers } of operations) {
      if (answers.schema.kind !== 'resource' && answers.schema.kind !== 'list') continue;
      const known = new Set(answers.schema.table.attributes.map(({ name }) => name));
      const example = answerExamples[rule] as Record<string, unknown>;
      const shown = answers.schema.kind === 'list' ? (example[answers.schema.key] as object[]) : [example];
      const unknown = shown.flatMap((item) => Object.keys(item)).filter((name) => !known.has(name));
      expect({ rule, unknown }).toEqual({ rule, unknown: [] });
    }
  });
});

describe('by a validator of JSON Schema', () => {
  const named = Object.entries(document.components.schemas).map(([name, schema]) => ({ name, schema }));

  it.each(named)('the schema $name is one, and its examples fit it', ({ schema }) => {
    expect(validatorOf(schema)).toBeTypeOf('function');
    for (const example of schema.examples ?? []) expect(problems(schema, example)).toEqual([]);
    for (const property of Object.values(schema.properties ?? {})) {
      for (const example of property.examples ?? []) expect(problems(property, example)).toEqual([]);
    }
  });

  it.each(describedBodies())('the example fits: $where', ({ media }) => {
    expect(problems(media.schema, media.example)).toEqual([]);
  });

  it('the examples of errors fit the shared responses', () => {
    const shared = Object.values(document.components.responses);
    const bodies = shared.map(({ content }) => content?.['application/json']);
    for (const body of bodies) expect(problems(body?.schema ?? {}, body?.example)).toEqual([]);
  });

  it('requests that the tables refuse are refused by the schemas too', () => {
    const { schemas } = document.components;
    const wrong: [string, unknown][] = [
      ['ClusterRequest', { cluster_template_id: 'k8s', name: '1st' }],
      ['ClusterRequest', { cluster_template_id: 'k8s', uuid: 'x' }],
      ['ClusterRequest', { cluster_template_id: 'k8s', project_id: 'x' }],
      ['ClusterTemplateRequest', { coe: 'swarm', image_id: 'i' }],
      ['ClusterTemplateRequest', { coe: 'kubernetes', image_id: 'i', apiserver_port: 80 }],
      ['ClusterResize', { node_count: -1 }],
      ['ClusterRequest', { source_cluster: 'prod', nodegroups: [{ name: 'gpu', flavour: 'm1.large' }] }],
      ['NodeGroupRequest', { name: 'x', node_taints: [{ key: 1 }] }],
      ['NodeGroupRequest', { name: 'x', root_volume: { type: 'ssd' } }],
      ['Patch', [{ op: 'move', path: '/name' }]],
      ['Patch', { op: 'remove', path: '/name' }],
      ['Patch', [{ op: 'replace', path: '/labels', value: {} }]],
      ['ExtendedPatch', [{ op: 'replace', path: 'labels', value: {} }]],
    ];
    const accepted = wrong.filter(([name, body]) => problems(schemas[name] ?? {}, body).length === 0);
    expect(accepted).toEqual([]);
  });
});
