import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { makeTemplate } from '../support/clusters.ts';
import { startTestService, type Person, type TestService } from '../support/test-service.ts';
import { outcome } from './support/outcome.ts';
import { enrol } from './support/people.ts';
import { send } from './support/requests.ts';

type Kind = 'private' | 'public' | 'hidden' | 'public and hidden';

const kinds: Readonly<Record<Kind, Record<string, boolean>>> = {
  private: {},
  public: { public: true },
  hidden: { hidden: true },
  'public and hidden': { public: true, hidden: true },
};

let service: TestService;
const templates = {} as Record<Kind, string>;
/** An administrator of project demo makes them: only such may publish, and demo must own them. */
let maker: string;

beforeAll(async () => {
  service = await startTestService();
  maker = await enrol(service, 'dana', 'admin', { project: 'demo' });
  for (const [kind, flags] of Object.entries(kinds) as [Kind, Record<string, boolean>][]) {
    const name = `${kind.replaceAll(' ', '-')}-template`;
    templates[kind] = await makeTemplate(service, 'demo', { name, keypair_id: null });
    for (const [flag, value] of Object.entries(flags)) {
      const answer = await send(service, maker, {
        method: 'PATCH',
        path: `/v1/clustertemplates/${name}`,
        body: [{ op: 'replace', path: `/${flag}`, value }],
      });
      if (answer.status !== 200) throw new Error(`not ${flag}: ${answer.text}`);
    }
  }
});
afterAll(() => service.close());

const everyone: Person[] = ['demo', 'reader', 'admin', 'bob'];

/** Who sees a template of project demo. */
const visible: [Kind, Person[]][] = [
  ['private', ['demo', 'reader', 'admin']],
  ['public', ['demo', 'reader', 'admin', 'bob']],
  ['hidden', ['demo', 'reader', 'admin']],
  ['public and hidden', ['demo', 'reader', 'admin']],
];

describe.each(visible)('a %s template', (kind, seers) => {
  it.each(everyone)('is shown by uuid and name to %s only where they may see it', async (person) => {
    const expected = seers.includes(person) ? 200 : 404;
    for (const ident of [templates[kind], `${kind.replaceAll(' ', '-')}-template`])
      expect((await service.request(person, 'GET', `/v1/clustertemplates/${ident}`)).status).toBe(expected);
  });

  it.each(everyone)('is in the lists of %s only where they may see it', async (person) => {
    for (const path of ['/v1/clustertemplates', '/v1/clustertemplates/detail']) {
      const { body } = await service.request(person, 'GET', path);
      const uuids = body.clustertemplates.map(({ uuid }: { uuid: string }) => uuid);
      expect(uuids.includes(templates[kind])).toBe(seers.includes(person));
    }
  });

  it('can be the start of a page only for whoever sees it', async () => {
    for (const person of everyone) {
      const answer = await service.request(person, 'GET', `/v1/clustertemplates?marker=${templates[kind]}`);
      expect([person, answer.status]).toEqual([person, seers.includes(person) ? 200 : 404]);
    }
  });

  it('is changed and deleted by nobody from another project', async () => {
    const path = `/v1/clustertemplates/${templates[kind]}`;
    const change = [{ op: 'replace', path: '/tags', value: 'mine-now' }];
    const refusal = kind === 'public' ? 403 : 404;
    expect((await service.request('bob', 'PATCH', path, change)).status).toBe(refusal);
    expect((await service.request('bob', 'DELETE', path)).status).toBe(refusal);
    expect((await service.request('reader', 'PATCH', path, change)).status).toBe(403);
    expect((await service.request('reader', 'DELETE', path)).status).toBe(403);
    const { body } = await service.request('demo', 'GET', path);
    expect(body.tags).toBeNull();
  });
});

describe('a cluster from a template of another project', () => {
  const create = (person: Person, kind: Kind) =>
    service.request(person, 'POST', '/v1/clusters', { cluster_template_id: templates[kind] });

  it('is made when the template is public', async () => {
    expect((await create('bob', 'public')).status).toBe(202);
  });

  it.each(['private', 'hidden', 'public and hidden'] as const)('is not made when it is %s', async (kind) => {
    expect((await create('bob', kind)).status).toBe(404);
  });
});

describe('a hidden template', () => {
  it.each(['hidden', 'public and hidden'] as const)('(%s) makes no cluster for a member', async (kind) => {
    const answer = await service.request('demo', 'POST', '/v1/clusters', {
      cluster_template_id: templates[kind],
    });
    expect([answer.status, answer.body.errors[0].detail]).toEqual([403, 'Not authorized.']);
  });

  it('makes clusters for an administrator of the project', async () => {
    const body = { cluster_template_id: templates.hidden };
    const answer = await send(service, maker, { method: 'POST', path: '/v1/clusters', body });
    expect(outcome(answer, 202)).toBe(202);
  });
});

describe('publishing and hiding', () => {
  it.each(['public', 'hidden'])('is for administrators: a member cannot make a template %s', async (flag) => {
    const detail = 'Not authorized to set public or hidden flag for cluster template.';
    const patch = [{ op: 'replace', path: `/${flag}`, value: true }];
    const path = `/v1/clustertemplates/${templates.private}`;
    const changed = await service.request('demo', 'PATCH', path, patch);
    expect([changed.status, changed.body.errors[0].detail]).toEqual([403, detail]);
    await expect(makeTemplate(service, 'demo', { name: 'wish', [flag]: true })).rejects.toThrow(detail);
    expect((await service.request('demo', 'GET', path)).body[flag]).toBe(false);
  });

  it('cannot be undone by a member either', async () => {
    const patch = [{ op: 'replace', path: '/hidden', value: false }];
    const path = `/v1/clustertemplates/${templates['public and hidden']}`;
    expect((await service.request('demo', 'PATCH', path, patch)).status).toBe(403);
    expect((await service.request('demo', 'GET', path)).body.hidden).toBe(true);
  });
});

describe('a template that was deleted', () => {
  it('goes on to answer for whoever sees a cluster of it, and for nobody else', async () => {
    const template = await makeTemplate(service, 'demo', { name: 'soon-gone' });
    const created = await service.request('demo', 'POST', '/v1/clusters', { cluster_template_id: template });
    expect(created.status).toBe(202);
    const path = `/v1/clustertemplates/${template}`;
    expect((await service.request('demo', 'DELETE', path)).status).toBe(204);
    const statuses = await Promise.all(
      everyone.map(async (person) => (await service.request(person, 'GET', path)).status),
    );
    expect(statuses).toEqual([200, 200, 200, 404]);
  });
});
