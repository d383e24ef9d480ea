import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ delayMs: 60_000 });
});
afterAll(() => service.close());

interface Sent {
  by: Client;
  text: string;
}

/** What is sent to the database while something is done, and over which connection. */
async function sentDuring(work: () => Promise<unknown>): Promise<Sent[]> {
  const prototype = Client.prototype as unknown as Record<'query', (...args: unknown[]) => unknown>;
  const { query } = prototype;
  const sent: Sent[] = [];
  prototype.query = function recording(this: Client, ...args) {
    const [first] = args;
    const text = typeof first === 'string' ? first : String((first as { text?: unknown } | undefined)?.text);
    sent.push({ by: this, text });
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent;
}

/** The transaction that wrote a cluster, and what was read of its sources; the conductor's work is its own. */
function creation(sent: readonly Sent[]): { transaction: string[]; reading: string[] } {
  const written = sent.findIndex(({ text }) => text.startsWith('insert into "cluster"'));
  const same = sent.filter(({ by }) => by === sent[written]?.by);
  const at = same.findIndex(({ text }) => text.startsWith('insert into "cluster"'));
  const begin = same.slice(0, at).findLastIndex(({ text }) => text.startsWith('begin'));
  const end = same.findIndex(({ text }, index) => index > at && text === 'commit');
  const reading = sent.filter(({ text }) =>
    /from (cluster_template|cluster|nodegroup|nodegroup_template) [tng]\b/.test(text),
  );
  return {
    transaction: same.slice(begin, end + 1).map(({ text }) => text),
    reading: reading.map(({ text }) => text),
  };
}

async function template(groups: number): Promise<string> {
  const nodegroups = Array.from({ length: groups }, (_, index) => ({ name: `group-${index}` }));
  const body = {
    coe: 'kubernetes',
    image_id: 'ubuntu-kube-v1.31',
    flavor_id: 'm1.small',
    master_flavor_id: 'm1.small',
    nodegroups,
  };
  const answer = await service.request('demo', 'POST', '/v1/clustertemplates', body);
  expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
  return answer.body.uuid as string;
}

async function create(body: Record<string, unknown>): Promise<string> {
  const answer = await service.request('demo', 'POST', '/v1/clusters', body);
  expect(`${answer.status} ${answer.text}`).toMatch(/^202 /);
  return answer.body.uuid as string;
}

test('a cluster takes the same statements however many groups its template, its source or the request has', async () => {
  const counts: Record<string, number[]> = { template: [], clone: [], request: [] };
  for (const groups of [1, 10]) {
    const from = await template(groups);
    let made = '';
    const byTemplate = creation(
      await sentDuring(async () => {
        made = await create({ cluster_template_id: from });
      }),
    );
    const byClone = creation(await sentDuring(() => create({ source_cluster: made })));
    const nodegroups = Array.from({ length: groups }, (_, index) => ({
      name: `own-${index}`,
      ...(index % 2 === 0 ? { nodegroup_template_id: 'group-0' } : { source_nodegroup: `${made}/group-0` }),
    }));
    const byRequest = creation(
      await sentDuring(() => create({ cluster_template_id: from, coe: 'kubernetes', nodegroups })),
    );
    counts['template']?.push(byTemplate.transaction.length + byTemplate.reading.length);
    counts['clone']?.push(byClone.transaction.length + byClone.reading.length);
    counts['request']?.push(byRequest.transaction.length);
    expect(byTemplate.transaction.filter((text) => text.startsWith('insert into "nodegroup"'))).toHaveLength(
      1,
    );
    expect(byTemplate.reading.length).toBeGreaterThan(0);
  }
  for (const [one, ten] of Object.values(counts)) expect(ten).toBe(one);
  expect(counts['template']?.[0]).toBeLessThanOrEqual(11);
});
