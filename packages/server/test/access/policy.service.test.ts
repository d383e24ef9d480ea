import { afterEach, describe, expect, it } from 'vitest';

import { compilePolicy } from '../../src/policy/index.ts';
import { makeTemplate, templateBody } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { outcome } from './support/outcome.ts';

let service: TestService | undefined;

async function startWith(text: string): Promise<TestService> {
  service = await startTestService({
    change: (options) => ({ ...options, policy: compilePolicy({ file: 'policy.yaml', text }) }),
  });
  return service;
}

afterEach(async () => {
  await service?.close();
  service = undefined;
});

describe("the operator's policy file", () => {
  it('can let readers create clusters and templates, and nothing else with it', async () => {
    const started = await startWith(`
"cluster:create": "rule:admin_or_project_reader"
"clustertemplate:create": "rule:admin_or_project_reader"
`);
    const template = await started.request('reader', 'POST', '/v1/clustertemplates', {
      ...templateBody,
      keypair_id: null,
    });
    expect(outcome(template, 201)).toBe(201);
    const cluster = await started.request('reader', 'POST', '/v1/clusters', {
      cluster_template_id: template.body.uuid,
    });
    expect(outcome(cluster, 202)).toBe(202);
    expect(
      (await started.request('reader', 'DELETE', `/v1/clustertemplates/${template.body.uuid}`)).status,
    ).toBe(403);
    const foreign = await started.request('bob', 'GET', `/v1/clustertemplates/${template.body.uuid}`);
    expect(foreign.status).toBe(404);
  });

  it('can forbid listing while showing stays allowed', async () => {
    const started = await startWith(`"clustertemplate:get_all": "!"\n"cluster:get_all": "!"\n`);
    const template = await makeTemplate(started, 'demo');
    for (const person of ['demo', 'reader', 'admin'] as const) {
      for (const [path, rule] of [
        ['/v1/clusters', 'cluster:get_all'],
        ['/v1/clustertemplates', 'clustertemplate:get_all'],
      ] as const) {
        const answer = await started.request(person, 'GET', path);
        expect([answer.status, answer.body.errors[0].detail]).toEqual([
          403,
          `Policy doesn't allow ${rule} to be performed.`,
        ]);
      }
      expect((await started.request(person, 'GET', `/v1/clustertemplates/${template}`)).status).toBe(200);
      expect((await started.request(person, 'GET', '/v1/clustertemplates/detail')).status).toBe(200);
    }
  });

  it('can keep administrators within their own project', async () => {
    const started = await startWith(
      `"cluster:get_all_all_projects": "!"\n"clustertemplate:delete_all_projects": "!"\n`,
    );
    const template = await makeTemplate(started, 'demo');
    expect((await started.request('admin', 'GET', '/v1/clusters')).status).toBe(403);
    expect((await started.request('admin', 'DELETE', `/v1/clustertemplates/${template}`)).status).toBe(403);
    expect((await started.request('demo', 'GET', `/v1/clustertemplates/${template}`)).status).toBe(200);
  });

  it('cannot open the things of one project to another by allowing everybody', async () => {
    const started = await startWith(`"clustertemplate:get": "@"\n"clustertemplate:delete": "@"\n`);
    const template = await makeTemplate(started, 'demo');
    expect((await started.request('bob', 'GET', `/v1/clustertemplates/${template}`)).status).toBe(404);
    expect((await started.request('bob', 'DELETE', `/v1/clustertemplates/${template}`)).status).toBe(404);
  });
});
