import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestAnswer, type TestService } from '../support/test-service.ts';
import { collection, everything, replace, saidBy, Templates } from './support/templates.ts';

let service: TestService;
let templates: Templates;
let parent: string;
let within: string;
let parents = 0;

beforeAll(async () => {
  service = await startTestService();
  templates = new Templates(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  parents += 1;
  parent = await makeTemplate(service, 'demo', { name: `parent-${parents}` });
  within = `/v1/clustertemplates/${parent}/nodegrouptemplates`;
});

describe('a node-group template within a cluster template', () => {
  test('is made in its collection, or by naming it', async () => {
    const bodies: [string, object][] = [
      [within, { name: 'a' }],
      [`/v1/clustertemplates/parent-${parents}/nodegrouptemplates`, { name: 'b' }],
      [collection, { name: 'c', cluster_template_id: parent }],
      [collection, { name: 'd', cluster_template_id: `parent-${parents}` }],
      [within, { name: 'e', cluster_template_id: `parent-${parents}` }],
    ];
    for (const [path, body] of bodies)
      expect((await templates.make({ ...body }, path))['cluster_template_id']).toBe(parent);
    const names = ['a', 'b', 'c', 'd', 'e'];
    expect(await templates.names(within)).toStrictEqual(names);
    expect(await templates.names()).toEqual(expect.arrayContaining(names));
  });

  test('has its own address, and is shown with the cluster template', async () => {
    const answer = await templates.ask('demo', 'POST', within, { name: 'gpu', ...everything }, 201);
    expect(answer.headers.get('location')).toBe(`${service.url}${collection}/${answer.body.uuid}`);
    expect(await templates.show(answer.body.uuid)).toStrictEqual(answer.body);
    const type = { accept: 'application/vnd.jeroboam.v1+json' };
    const whole = await templates.ask('demo', 'GET', `/v1/clustertemplates/${parent}`, undefined, 200, type);
    expect(whole.body.nodegroups).toHaveLength(1);
    expect(whole.body.nodegroups[0]).toMatchObject({ uuid: answer.body.uuid, ...everything });
  });

  test('comes from any source; one next to it is meant by its name alone', async () => {
    const alone = await templates.make({ name: `gpu-${parents}`, ...everything });
    const copy = await templates.make({ name: 'gpu', source_nodegroup_template: alone.uuid }, within);
    expect(saidBy(copy)).toStrictEqual(everything);
    await templates.make({ name: 'gpu', node_count: 9 });
    await templates.make({ name: 'gpu', node_count: 9 });
    const near = await templates.make({ name: 'gpu-2', source_nodegroup_template: 'gpu' }, within);
    expect(saidBy(near)).toStrictEqual(everything);
  });

  test('is in the collection of no other cluster template', async () => {
    await templates.make({ name: 'only-here' }, within);
    const other = await makeTemplate(service, 'demo', {});
    expect(await templates.names(`/v1/clustertemplates/${other}/nodegrouptemplates`)).toStrictEqual([]);
    const detail = await templates.refusal(400, 'POST', within, { cluster_template_id: other });
    expect(detail).toContain('The path names another cluster template.');
  });

  test('does not move to another', async () => {
    const { uuid } = await templates.make({}, within);
    const patch = [replace('cluster_template_id', null)];
    expect(await templates.refusal(400, 'PATCH', `${collection}/${uuid}`, patch)).toBe(
      "'/cluster_template_id' is an internal attribute and can not be updated",
    );
  });

  test('needs a cluster template that is there', async () => {
    const detail = 'ClusterTemplate nowhere could not be found.';
    const path = '/v1/clustertemplates/nowhere/nodegrouptemplates';
    expect(await templates.refusal(404, 'GET', path)).toBe(detail);
    expect(await templates.refusal(404, 'POST', path, {})).toBe(detail);
    const body = { cluster_template_id: 'nowhere' };
    expect(await templates.refusal(404, 'POST', collection, body)).toBe(detail);
  });
});

/** How many answers there are of each status. */
function statusesOf(answers: readonly TestAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('the name', () => {
  test('is there once in a cluster template, and as often as one likes elsewhere', async () => {
    await templates.make({ name: 'twice' }, within);
    const detail = `A node-group template with name twice already exists in the cluster template parent-${parents}.`;
    expect(await templates.refusal(409, 'POST', within, { name: 'twice' })).toBe(detail);
    const body = { name: 'twice', cluster_template_id: parent };
    expect(await templates.refusal(409, 'POST', collection, body)).toBe(detail);
    const { uuid } = await templates.make({ name: 'once' }, within);
    const patch = [replace('name', 'twice')];
    expect(await templates.refusal(409, 'PATCH', `${collection}/${uuid}`, patch)).toBe(detail);
    await templates.make({ name: 'twice' });
    const other = await makeTemplate(service, 'demo', {});
    await templates.make({ name: 'twice' }, `/v1/clustertemplates/${other}/nodegrouptemplates`);
  });

  test('goes to one of many who want it at once', async () => {
    const attempts = await Promise.all(
      Array.from({ length: 12 }, () => service.request('demo', 'POST', within, { name: 'wanted' })),
    );
    expect(statusesOf(attempts)).toStrictEqual({ 201: 1, 409: 11 });
    expect(await templates.names(within)).toStrictEqual(['wanted']);
  });

  test('goes to one of many who are renamed to it at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => templates.make({ name: `n-${index}` }, within)),
    );
    const answers = await Promise.all(
      made.map(({ uuid }) =>
        service.request('demo', 'PATCH', `${collection}/${uuid}`, [replace('name', 'new')]),
      ),
    );
    expect(statusesOf(answers)).toStrictEqual({ 200: 1, 409: 7 });
    expect((await templates.names(within)).filter((name) => name === 'new')).toHaveLength(1);
  });
});

describe('the control plane', () => {
  test('has one template in a cluster template, whatever that is called', async () => {
    await templates.make({ name: 'cp', role: 'master' }, within);
    const detail = `The cluster template parent-${parents} has a template of the control plane already, cp: change that one.`;
    expect(await templates.refusal(409, 'POST', within, { role: 'master' })).toBe(detail);
    expect(await templates.refusal(409, 'POST', within, { name: 'default-master' })).toBe(detail);
    const { uuid } = await templates.make({ name: 'w' }, within);
    for (const change of [replace('role', 'master'), replace('name', 'default-master')])
      expect(await templates.refusal(409, 'PATCH', `${collection}/${uuid}`, [change])).toBe(detail);
    await templates.make({ role: 'master' });
  });

  test('can be changed where it is', async () => {
    const { uuid } = await templates.make({ name: 'cp', role: 'master' }, within);
    const { body } = await templates.patch(uuid, [replace('name', 'default-master')]);
    expect(body).toMatchObject({ name: 'default-master', role: 'master' });
  });

  test('goes to one of many who want it at once, made or changed', async () => {
    const workers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => templates.make({ name: `w-${index}` }, within)),
    );
    const answers = await Promise.all([
      ...workers.map(({ uuid }) =>
        service.request('demo', 'PATCH', `${collection}/${uuid}`, [replace('role', 'master')]),
      ),
      ...workers.map((_, index) =>
        service.request('demo', 'POST', within, { name: `m-${index}`, role: 'master' }),
      ),
    ]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(9);
    const { body } = await templates.ask('demo', 'GET', within, undefined, 200);
    const masters = body.nodegrouptemplates.filter(({ role }: { role: string }) => role === 'master');
    expect(masters).toHaveLength(1);
  });
});

describe('who sees it', () => {
  const publish = (flag: string, value: boolean) =>
    templates.ask('admin', 'PATCH', `/v1/clustertemplates/${parent}`, [replace(flag, value)], 200);

  beforeEach(async () => {
    parent = await makeTemplate(service, 'admin', { name: `admins-${parents}` });
    within = `/v1/clustertemplates/${parent}/nodegrouptemplates`;
  });

  test('follows the cluster template, for what was there and for what is added', async () => {
    const make = (name: string) => templates.ask('admin', 'POST', within, { name }, 201);
    const { uuid } = (await make('first')).body;
    const path = `${collection}/${uuid}`;
    await templates.ask('bob', 'GET', path, undefined, 404);
    await templates.ask('bob', 'GET', within, undefined, 404);
    await publish('public', true);
    expect((await templates.ask('bob', 'GET', path, undefined, 200)).body.public).toBe(true);
    expect((await make('second')).body).toMatchObject({ public: true, hidden: false });
    expect(await templates.names(within, 'bob')).toStrictEqual(['first', 'second']);
    await publish('hidden', true);
    await templates.ask('bob', 'GET', path, undefined, 404);
    await templates.ask('bob', 'GET', within, undefined, 404);
    expect(await templates.names(within, 'admin')).toStrictEqual(['first', 'second']);
    await publish('hidden', false);
    await publish('public', false);
    expect((await templates.ask('admin', 'GET', path, undefined, 200)).body).toMatchObject({
      public: false,
      hidden: false,
    });
  });

  test.each(['public', 'hidden'])('is not said by its own %s', async (flag) => {
    const detail = `A node-group template within a cluster template is as ${flag} as that: change ${flag} of the cluster template admins-${parents}.`;
    expect(await templates.refusal(409, 'POST', within, { [flag]: true }, 'admin')).toBe(detail);
    const { uuid } = (await templates.ask('admin', 'POST', within, { [flag]: false }, 201)).body;
    const path = `${collection}/${uuid}`;
    expect(await templates.refusal(409, 'PATCH', path, [replace(flag, true)], 'admin')).toBe(detail);
    await templates.ask('admin', 'PATCH', path, [replace(flag, false)], 200);
  });

  test('is as its cluster template is, however publishing and adding meet', async () => {
    await Promise.all([
      ...Array.from({ length: 8 }, () => service.request('admin', 'POST', within, {})),
      publish('public', true),
      ...Array.from({ length: 8 }, () => service.request('admin', 'POST', within, {})),
    ]);
    const { body } = await templates.ask('admin', 'GET', within, undefined, 200);
    const flags = body.nodegrouptemplates.map((template: { public: boolean }) => template.public);
    expect(flags).toStrictEqual(Array(16).fill(true));
  });

  test('changes nothing about who may add to it', async () => {
    await publish('public', true);
    const detail = "Policy doesn't allow clustertemplate:update to be performed.";
    for (const [path, body] of [
      [within, {}],
      [collection, { cluster_template_id: parent }],
    ] as const)
      expect(await templates.refusal(403, 'POST', path, body, 'bob')).toBe(detail);
    await templates.ask('reader', 'POST', within, {}, 403);
    expect(await templates.names(within)).toStrictEqual([]);
  });
});

describe('a cluster template that is deleted', () => {
  test('takes its own node-group templates with it and no others', async () => {
    const other = await makeTemplate(service, 'demo', {});
    const elsewhere = `/v1/clustertemplates/${other}/nodegrouptemplates`;
    const own = [await templates.make({ name: 'a' }, within), await templates.make({ name: 'b' }, within)];
    const copy = await templates.make({ source_nodegroup_template: own[0]?.uuid }, elsewhere);
    const alone = await templates.make({ source_nodegroup_template: own[0]?.uuid });
    await templates.ask('demo', 'DELETE', `/v1/clustertemplates/${parent}`, undefined, 204);
    for (const { uuid } of own) await templates.ask('demo', 'GET', `${collection}/${uuid}`, undefined, 404);
    for (const kept of [copy, alone]) expect(await templates.show(kept.uuid)).toStrictEqual(kept);
  });

  test('leaves nothing behind of what is added meanwhile', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => service.request('demo', 'POST', within, {})),
      service.request('demo', 'DELETE', `/v1/clustertemplates/${parent}`),
      ...Array.from({ length: 6 }, () => service.request('demo', 'POST', within, {})),
    ]);
    for (const { status } of answers) expect([201, 204, 404]).toContain(status);
    for (const { status, body } of answers)
      if (status === 201) await templates.ask('demo', 'GET', `${collection}/${body.uuid}`, undefined, 404);
  });
});
