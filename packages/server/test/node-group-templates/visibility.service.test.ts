import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enrol } from '../access/support/people.ts';
import { outcome } from '../access/support/outcome.ts';
import { send } from '../access/support/requests.ts';
import { startTestService, type Person, type TestService } from '../support/test-service.ts';
import { collection, replace, Templates } from './support/templates.ts';

type Kind = 'private' | 'public' | 'hidden' | 'public and hidden';

const flags: Readonly<Record<Kind, readonly string[]>> = {
  private: [],
  public: ['public'],
  hidden: ['hidden'],
  'public and hidden': ['public', 'hidden'],
};
const nameOf = (kind: Kind): string => `${kind.replaceAll(' ', '-')}-template`;

let service: TestService;
let templates: Templates;
const uuids = {} as Record<Kind, string>;
/** Only administrators publish, and demo must own what they publish. */
let publisher: string;

beforeAll(async () => {
  service = await startTestService();
  templates = new Templates(service);
  publisher = await enrol(service, 'dana', 'admin', { project: 'demo' });
  for (const kind of Object.keys(flags) as Kind[]) {
    ({ uuid: uuids[kind] } = await templates.make({ name: nameOf(kind) }));
    const body = flags[kind].map((flag) => replace(flag, true));
    const path = `${collection}/${uuids[kind]}`;
    const answer = await send(service, publisher, { method: 'PATCH', path, body });
    if (answer.status !== 200) throw new Error(`not ${kind}: ${answer.text}`);
  }
});
afterAll(() => service.close());

const everyone: Person[] = ['demo', 'reader', 'admin', 'bob'];

const seenBy: [Kind, Person[]][] = [
  ['private', ['demo', 'reader', 'admin']],
  ['public', ['demo', 'reader', 'admin', 'bob']],
  ['hidden', ['demo', 'reader', 'admin']],
  ['public and hidden', ['demo', 'reader', 'admin']],
];

describe.each(seenBy)('a %s node-group template', (kind, seers) => {
  test.each(everyone)('is shown and listed to %s only where they may see it', async (person) => {
    const sees = seers.includes(person);
    for (const ident of [uuids[kind], nameOf(kind)])
      await templates.ask(person, 'GET', `${collection}/${ident}`, undefined, sees ? 200 : 404);
    for (const path of [collection, `${collection}/detail`])
      expect((await templates.names(path, person)).includes(nameOf(kind))).toBe(sees);
  });

  test.each(everyone)('starts a page for %s only where they may see it', async (person) => {
    const path = `${collection}?marker=${uuids[kind]}`;
    const { status } = await service.request(person, 'GET', path);
    expect(status).toBe(seers.includes(person) ? 200 : 404);
  });

  test('is changed and deleted by no reader and nobody of another project', async () => {
    const path = `${collection}/${uuids[kind]}`;
    const before = await templates.show(uuids[kind]);
    const foreign = kind === 'public' ? 403 : 404;
    for (const [person, status] of [
      ['reader', 403],
      ['bob', foreign],
    ] as const) {
      await templates.ask(person, 'PATCH', path, [replace('tags', 'mine')], status);
      await templates.ask(person, 'DELETE', path, undefined, status);
    }
    // As with cluster templates, an administrator of another project changes only what is public.
    await templates.ask('admin', 'PATCH', path, [replace('tags', 'mine')], kind === 'public' ? 200 : 404);
    await templates.patch(uuids[kind], [replace('tags', null)]);
    expect(await templates.show(uuids[kind])).toMatchObject({ tags: before['tags'] });
  });

  test('is a source only for whoever sees it, and hidden only for administrators', async () => {
    const body = { source_nodegroup_template: uuids[kind] };
    const isHidden = kind.includes('hidden');
    await templates.ask('demo', 'POST', collection, body, isHidden ? 403 : 201);
    await templates.ask('bob', 'POST', collection, body, kind === 'public' ? 201 : 404);
    const made = await send(service, publisher, { method: 'POST', path: collection, body });
    expect(outcome(made, 201)).toBe(201);
  });
});

describe('publishing and hiding', () => {
  const detail = 'Not authorized to set public or hidden flag for node-group template.';

  test.each(['public', 'hidden'])('is for administrators: a member makes nothing %s', async (flag) => {
    expect(await templates.refusal(403, 'POST', collection, { [flag]: true })).toBe(detail);
    const path = `${collection}/${uuids.private}`;
    expect(await templates.refusal(403, 'PATCH', path, [replace(flag, true)])).toBe(detail);
    expect(await templates.show(uuids.private)).toMatchObject({ [flag]: false });
  });

  test('is undone by no member either', async () => {
    const path = `${collection}/${uuids.hidden}`;
    expect(await templates.refusal(403, 'PATCH', path, [replace('hidden', false)])).toBe(detail);
  });

  test('can be asked for at creation', async () => {
    const body = { name: 'for-all', public: true };
    await templates.ask('admin', 'POST', collection, body, 201);
    for (const person of everyone) expect(await templates.names(collection, person)).toContain('for-all');
  });

  test('is not copied from a source', async () => {
    const copy = await templates.make({ source_nodegroup_template: uuids.public });
    expect(copy).toMatchObject({ public: false, hidden: false });
  });
});
