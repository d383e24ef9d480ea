import { nodeGroupTemplateAttributes } from '@jeroboam/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemplate } from '../support/clusters.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { collection, Templates, type Body } from './support/templates.ts';

let service: TestService;
let templates: Templates;
let within: string;

const bodies: Body[] = [
  { name: 'd', node_count: 3, role: 'gpu', flavor_id: 'm1.small' },
  { name: 'b', node_count: 1, tags: 'z' },
  { name: 'e', docker_volume_size: 5, min_node_count: 2 },
  { name: 'a', node_count: 2, role: 'batch', update_strategy: 'rolling' },
  { name: 'c', max_node_count: 4, flavor_id: 'm1.large', labels: { a: 'b' }, merge_labels: true },
];

beforeAll(async () => {
  service = await startTestService();
  templates = new Templates(service);
  const parent = await makeTemplate(service, 'demo', {});
  within = `/v1/clustertemplates/${parent}/nodegrouptemplates`;
  for (const body of bodies) await templates.make(body, within);
  // A list of one cluster template must not wander into this one.
  await templates.make({ name: 'alone', node_count: 2 });
});
afterAll(() => service.close());

/** All items of a list, page by page, as the links lead. */
async function walk(path: string): Promise<{ pages: number; items: Body[] }> {
  const items: Body[] = [];
  let pages = 0;
  for (let next: string | undefined = path; next !== undefined; pages += 1) {
    const { body } = await templates.ask('demo', 'GET', next, undefined, 200);
    items.push(...body.nodegrouptemplates);
    next = body.next?.replace(service.url, '');
  }
  return { pages, items };
}

const namesOf = (items: Body[]): string[] => items.map(({ name }) => String(name));
const lists: [string, () => string, string[]][] = [
  ['all', () => collection, ['d', 'b', 'e', 'a', 'c', 'alone']],
  ['all in detail', () => `${collection}/detail`, ['d', 'b', 'e', 'a', 'c', 'alone']],
  ['one cluster template', () => within, ['d', 'b', 'e', 'a', 'c']],
];

describe.each(lists)('the list of %s', (_what, path, names) => {
  test('shows whole templates in the order in which they were made', async () => {
    const { body } = await templates.ask('demo', 'GET', path(), undefined, 200);
    expect(namesOf(body.nodegrouptemplates)).toStrictEqual(names);
    for (const item of body.nodegrouptemplates) expect(await templates.show(item.uuid)).toStrictEqual(item);
    expect(body).not.toHaveProperty('next');
  });

  test.each([1, 2, 4])('comes in pages of %i that miss and repeat nothing', async (limit) => {
    const { items, pages } = await walk(`${path()}?limit=${limit}`);
    expect(namesOf(items)).toStrictEqual(names);
    expect(pages).toBe(Math.floor(names.length / limit) + 1);
  });

  test('leads on to the next page by a link of its own', async () => {
    const { body } = await templates.ask('demo', 'GET', `${path()}?limit=2&sort_key=name`, undefined, 200);
    const marker = body.nodegrouptemplates[1].uuid;
    expect(body.next).toBe(`${service.url}${path()}?sort_key=name&sort_dir=asc&limit=2&marker=${marker}`);
  });

  const sortable = nodeGroupTemplateAttributes.attributes
    .filter(({ type, input }) => input !== true && !['map', 'list', 'object', 'links'].includes(type.kind))
    .map(({ name }) => name);

  test.each(['id', ...sortable])('is sorted by %s both ways, across pages', async (key) => {
    const up = await walk(`${path()}?sort_key=${key}&limit=2`);
    const down = await walk(`${path()}?sort_key=${key}&sort_dir=desc&limit=2`);
    expect(namesOf(up.items).toSorted()).toStrictEqual(names.toSorted());
    expect(down.items).toStrictEqual(up.items.toReversed());
    if (key === 'id') return;
    // What is open comes first, as null does in the databases that Magnum runs on.
    const firstSaid = up.items.findIndex((item) => item[key] !== null);
    const open = up.items.filter((item) => item[key] === null);
    expect(open).toHaveLength(firstSaid < 0 ? up.items.length : firstSaid);
    const numbers = up.items.map((item) => item[key]).filter((value) => typeof value === 'number');
    expect(numbers).toStrictEqual(numbers.toSorted((a, b) => a - b));
  });

  test.each(['labels', 'node_taints', 'root_volume', 'links', 'source_nodegroup', 'nothing'])(
    'is not sorted by %s',
    async (key) => {
      expect(await templates.refusal(400, 'GET', `${path()}?sort_key=${key}`)).toBe(
        `The sort_key value "${key}" is an invalid field for sorting`,
      );
    },
  );

  test.each([
    ['limit=0', 'Limit must be positive'],
    ['sort_dir=up', "Invalid sort direction: up. Acceptable values are 'asc' or 'desc'"],
    ['dry_run=true', 'Unknown argument: "dry_run"'],
  ])('refuses %s', async (query, detail) => {
    expect(await templates.refusal(400, 'GET', `${path()}?${query}`)).toBe(detail);
  });

  test('starts after no template that is not in it', async () => {
    const marker = '00000000-0000-4000-8000-000000000000';
    expect(await templates.refusal(404, 'GET', `${path()}?marker=${marker}`)).toBe(
      `NodeGroupTemplate ${marker} could not be found.`,
    );
  });
});

test('a page within a cluster template starts after no template outside of it', async () => {
  const marker = String((await templates.show('alone'))['uuid']);
  expect(await templates.refusal(404, 'GET', `${within}?marker=${marker}`)).toBe(
    `NodeGroupTemplate ${marker} could not be found.`,
  );
});
